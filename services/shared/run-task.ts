import { type Pool, PoolError, type PoolErrorCode, type TaskOptions } from '../../workers/pool.ts';
import { ServiceError, type ServiceErrorCode } from './service-error.ts';

export interface RunOptions extends TaskOptions {
  /** Where the task, and not the service, is to blame for needing so much; INTERNAL by default. */
  readonly outOfMemoryCode?: ServiceErrorCode;
}

const CODES = {
  OVERLOADED: 'OVERLOADED',
  DEADLINE_EXCEEDED: 'DEADLINE_EXCEEDED',
  CANCELLED: 'CANCELLED',
  WORKER_OUT_OF_MEMORY: 'INTERNAL',
  WORKER_FAILED: 'INTERNAL',
} as const satisfies Record<PoolErrorCode, ServiceErrorCode>;

/** What a worker answers a task. @throws {ServiceError} with the worker's own code, or for a task that was not finished */
export async function runTask<Task, Result>(
  pool: Pick<Pool<Task, Result>, 'run'>,
  task: Task,
  { outOfMemoryCode, ...options }: RunOptions,
): Promise<Result> {
  const answer = await pool.run(task, options).catch((error: unknown) => {
    if (!(error instanceof PoolError)) throw error;
    const code = error.code === 'WORKER_OUT_OF_MEMORY' ? (outOfMemoryCode ?? CODES[error.code]) : CODES[error.code];
    throw new ServiceError(code, error.message, { cause: error });
  });
  if (!answer.ok) throw new ServiceError(answer.code as ServiceErrorCode, answer.message);
  return answer.value;
}
