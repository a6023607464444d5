import type { ViewAnswer, ViewTask } from '../../../workers/plan/authoring/tasks.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import type { FairPool, FairTaskOptions } from '../../platform/pools/fair-pool.ts';
import { PoolError } from '../../platform/pools/pool.ts';

export type AuthoringPool = FairPool<ViewTask, ViewAnswer>;

/** A plan of 512 KiB with tables of 16 MiB is shown in a fraction of this. */
const TIME_LIMIT_MS = 5000;

/**
 * Shows plans in words, on threads of their own.
 * @throws {ServiceError} OVERLOADED, DEADLINE_EXCEEDED, CANCELLED
 */
export const createAuthoring = (pool: AuthoringPool) => ({
  async view(task: ViewTask, options: FairTaskOptions): Promise<ViewAnswer> {
    try {
      const answer = await pool.run(task, { ...options, timeLimitMs: TIME_LIMIT_MS });
      if (answer.ok) return answer.value;
      throw new ServiceError('INTERNAL', answer.message);
    } catch (error) {
      if (!(error instanceof PoolError)) throw error;
      if (error.code === 'OVERLOADED' || error.code === 'CANCELLED') {
        throw new ServiceError(error.code, error.message, { cause: error });
      }
      throw new ServiceError('DEADLINE_EXCEEDED', 'the plan takes too long to read: make it smaller', { cause: error });
    }
  },
});

export type Authoring = ReturnType<typeof createAuthoring>;
