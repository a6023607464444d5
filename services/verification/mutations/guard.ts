import { v7 as uuidv7 } from 'uuid';
import { canonicalText } from '../../../workers/exact/canonical-json.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import type { Database } from '../../store/database.ts';
import type { Caller } from '../tenants/keys.ts';
import type { TenantTransaction } from '../tenants/transaction.ts';
import { applyOnce, findAnswer, type MutationAnswer } from './guarded-mutation.ts';
import { createOneAtATime } from './one-at-a-time.ts';

interface GuardedWrite {
  readonly caller: Caller;
  readonly operation: string;
  /** Without a key, a repeated write is applied again. */
  readonly idempotencyKey: string | undefined;
  /** Ids of the path, and the arguments. */
  readonly request: unknown;
}

/** A write, prepared outside of its transaction; or its answer, if nothing has to be written. */
export type Prepared =
  | { readonly isRevenueWrite?: boolean; readonly apply: (transaction: TenantTransaction) => Promise<unknown> }
  | { readonly answer: unknown };

/** Attempts of a write while its records change. */
const MAX_ATTEMPTS = 3;

/** Thrown by a write if the records it was prepared from have changed. It is prepared again. */
export class InputsChanged extends ServiceError {
  constructor() {
    super('OVERLOADED', 'the records changed while they were verified');
  }
}

const oneAtATime = createOneAtATime();

/**
 * Answers a write that was applied before. Otherwise prepares it outside of a transaction, where solvers may work, and
 * applies it within one.
 * @throws {ServiceError} IDEMPOTENCY_KEY_REUSED, ALREADY_DONE, REVENUE_WRITES_FROZEN, and what the write itself throws
 */
export async function guard(
  database: Database,
  { caller: { tenantId, group }, operation, request, idempotencyKey }: GuardedWrite,
  prepare: () => Promise<Prepared>,
): Promise<{ readonly answer: string; readonly replayed: boolean }> {
  const mutation = { tenantId, group, operation, request, idempotencyKey: idempotencyKey ?? uuidv7() };
  const write = async (): Promise<MutationAnswer> => {
    const prepared = await prepare();
    if (!('answer' in prepared)) {
      const { apply, isRevenueWrite = false } = prepared;
      return applyOnce(database, { ...mutation, isRevenueWrite }, apply);
    }
    const { answer } = prepared;
    if (idempotencyKey === undefined) return { answer, isReplay: false };
    return applyOnce(database, { ...mutation, isRevenueWrite: false }, async () => answer);
  };
  const { answer, isReplay } = await again(() => {
    if (idempotencyKey === undefined) return write();
    // A request that is repeated while it runs waits for its answer, so the solver does not work twice.
    return oneAtATime(`${tenantId} ${idempotencyKey}`, async () => (await findAnswer(database, mutation)) ?? write());
  });
  return { answer: canonicalText(answer), replayed: isReplay };
}

async function again<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof InputsChanged) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}
