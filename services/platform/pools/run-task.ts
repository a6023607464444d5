import { isServiceCode } from '../errors/code-lists.ts';
import type { ServiceErrorCode } from '../errors/error-codes.ts';
import { ServiceError } from '../grpc/service-error.ts';
import { type Pool, PoolError, type PoolErrorCode, type TaskOptions, type WorkerAnswer } from './pool.ts';

export interface RunOptions extends TaskOptions {
  /** Error code of a task that runs out of memory; INTERNAL by default. */
  readonly outOfMemoryCode?: ServiceErrorCode;
  /** Error code of a task that uses up its time limit; DEADLINE_EXCEEDED by default. */
  readonly outOfTimeCode?: ServiceErrorCode;
}

const CODES = {
  OVERLOADED: 'OVERLOADED',
  DEADLINE_EXCEEDED: 'DEADLINE_EXCEEDED',
  TASK_TOO_SLOW: 'DEADLINE_EXCEEDED',
  CANCELLED: 'CANCELLED',
  WORKER_OUT_OF_MEMORY: 'INTERNAL',
  WORKER_FAILED: 'INTERNAL',
} as const satisfies Record<PoolErrorCode, ServiceErrorCode>;

/** Runs a task on a worker. @throws {ServiceError} with the worker's own code, or for a task that was not finished */
export async function runTask<Task, Result>(
  pool: Pick<Pool<Task, Result>, 'run'>,
  task: Task,
  { outOfMemoryCode, outOfTimeCode, ...options }: RunOptions,
): Promise<Result> {
  const answer = await pool.run(task, options).catch((error: unknown) => {
    if (!(error instanceof PoolError)) throw error;
    const blamed: Partial<Record<PoolErrorCode, ServiceErrorCode | undefined>> = {
      WORKER_OUT_OF_MEMORY: outOfMemoryCode,
      TASK_TOO_SLOW: outOfTimeCode,
    };
    throw new ServiceError(blamed[error.code] ?? CODES[error.code], error.message, { cause: error });
  });
  return resultOf(answer);
}

/** The value of a worker's answer. @throws {ServiceError} with the worker's own code */
export function resultOf<Result>(answer: WorkerAnswer<Result>): Result {
  if (answer.ok) return answer.value;
  if (!isServiceCode(answer.code)) throw new Error(`a worker answered with the unknown code ${answer.code}`);
  throw new ServiceError(answer.code, answer.message);
}
