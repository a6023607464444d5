import { v7 as uuidv7 } from 'uuid';
import type { Caller as CallerMessage } from '../../../proto/gen/tollhouse/verification/v1/verification.ts';
import { type GuardedAnswer, type OperationDeps, toText } from '../context/operation.ts';
import { applyOnce, findAnswer, type MutationAnswer, type MutationRequest } from '../mutations/guarded-mutation.ts';
import { createOneAtATime } from '../mutations/one-at-a-time.ts';
import { readIdempotencyKey } from '../requests/requests.ts';
import type { Caller } from '../tenants/keys.ts';
import type { TenantTransaction } from '../tenants/transaction.ts';

/** A write as requested. */
export interface GuardedRequest {
  readonly caller: CallerMessage | undefined;
  readonly idempotencyKey: string;
  /** Unchecked JSON text. */
  readonly arguments: string;
}

interface GuardedWrite {
  readonly caller: Caller;
  readonly operation: string;
  readonly idempotencyKey: string;
  /** Ids of the path, and the arguments. */
  readonly request: unknown;
}

export interface Prepared {
  readonly isRevenueWrite?: boolean;
  readonly apply: (transaction: TenantTransaction) => Promise<unknown>;
}

const oneAtATime = createOneAtATime();

/** The key of a write that needs none. Without a key, a repeated write is applied again. */
export const optionalKey = (key: string): string => readIdempotencyKey(key === '' ? uuidv7() : key);

/**
 * Answers a write that was applied before. Otherwise prepares it outside of a transaction, where solvers may work, and
 * applies it within one.
 * @throws {ServiceError} IDEMPOTENCY_KEY_REUSED, ALREADY_DONE, REVENUE_WRITES_FROZEN, and what the write itself throws
 */
export async function guard(
  { database }: Pick<OperationDeps, 'database'>,
  { caller, ...write }: GuardedWrite,
  prepare: () => Promise<Prepared>,
): Promise<GuardedAnswer> {
  const mutation: MutationRequest = { ...write, tenantId: caller.tenantId, group: caller.group, isRevenueWrite: false };
  // A request that is repeated while it runs waits for its answer, so the solver does not work twice.
  return oneAtATime(`${caller.tenantId} ${write.idempotencyKey}`, async () => {
    const before = await findAnswer(database, mutation);
    if (before !== undefined) return toAnswer(before);
    const { apply, isRevenueWrite = false } = await prepare();
    return toAnswer(await applyOnce(database, { ...mutation, isRevenueWrite }, apply));
  });
}

function toAnswer({ answer, isReplay }: MutationAnswer): GuardedAnswer {
  return { answer: toText(answer), replayed: isReplay };
}
