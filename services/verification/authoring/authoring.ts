import type { AuthoringAnswers, AuthoringTask, AuthoringTaskKind } from '../../../workers/plan/authoring/tasks.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import type { FairPool, FairTaskOptions } from '../../platform/pools/fair-pool.ts';
import { PoolError } from '../../platform/pools/pool.ts';

export type AuthoringPool = FairPool<AuthoringTask, AuthoringAnswers[AuthoringTaskKind]>;
type TaskOf<Kind extends AuthoringTaskKind> = Omit<Extract<AuthoringTask, { readonly kind: Kind }>, 'kind'>;

/** A text of 256 KiB is compiled in a fraction of this. */
const TIME_LIMIT_MS = 5000;

/**
 * Compiles texts of plans, and shows plans in words, on threads of their own.
 * @throws {ServiceError} OVERLOADED, DEADLINE_EXCEEDED, CANCELLED
 */
export interface Authoring {
  compile(task: TaskOf<'compile'>, options: FairTaskOptions): Promise<AuthoringAnswers['compile']>;
  view(task: TaskOf<'view'>, options: FairTaskOptions): Promise<AuthoringAnswers['view']>;
}

export function createAuthoring(pool: AuthoringPool): Authoring {
  async function run<Kind extends AuthoringTaskKind>(
    task: Extract<AuthoringTask, { readonly kind: Kind }>,
    options: FairTaskOptions,
  ): Promise<AuthoringAnswers[Kind]> {
    try {
      const answer = await pool.run(task, { ...options, timeLimitMs: TIME_LIMIT_MS });
      if (!answer.ok) throw new ServiceError('INTERNAL', answer.message);
      // The worker answers each kind of task with the answer of that kind.
      return answer.value as AuthoringAnswers[Kind];
    } catch (error) {
      if (!(error instanceof PoolError)) throw error;
      if (error.code === 'OVERLOADED' || error.code === 'CANCELLED') {
        throw new ServiceError(error.code, error.message, { cause: error });
      }
      throw new ServiceError('DEADLINE_EXCEEDED', 'the plan takes too long to read: make it smaller', { cause: error });
    }
  }
  return {
    compile: (task, options) => run({ kind: 'compile', ...task }, options),
    view: (task, options) => run({ kind: 'view', ...task }, options),
  };
}
