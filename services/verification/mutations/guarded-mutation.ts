import { channel } from 'node:diagnostics_channel';
import { canonicalText } from '../../../workers/exact/canonical-json.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import type { Database } from '../../store/database.ts';
import { digestRecord } from '../proof/digests.ts';
import { inTenant, type TenantTransaction } from '../tenants/transaction.ts';
import { assertNotFrozen } from './revenue-freeze.ts';

const step = channel('tollhouse:step');

export interface MutationKey {
  readonly tenantId: string;
  /** 1 to 255 printable ASCII characters, chosen by the caller. */
  readonly idempotencyKey: string;
}

export interface MutationRequest extends MutationKey {
  /** Group of the caller's key. A request of another group under the same idempotency key is another request. */
  readonly group: string;
  /** Name of the operation, the same over HTTP and as a tool. */
  readonly operation: string;
  /** Ids of the path, and the arguments. */
  readonly request: unknown;
  /** Whether it is refused while revenue writes are frozen. */
  readonly isRevenueWrite: boolean;
}

export interface MutationAnswer {
  readonly answer: unknown;
  /** Whether it is the stored answer of an earlier request. */
  readonly isReplay: boolean;
}

/**
 * Applies a write once, regardless of how often it is requested. The row of the key is written in the same transaction,
 * so the second of two concurrent requests waits for the first, and finds its answer or its failure.
 * @throws {ServiceError} IDEMPOTENCY_KEY_REUSED, ALREADY_DONE, REVENUE_WRITES_FROZEN
 * @throws what `apply` throws; then nothing is stored, and the key may be used again
 */
export async function applyOnce(
  database: Database,
  mutation: MutationRequest,
  apply: (transaction: TenantTransaction) => Promise<unknown>,
): Promise<MutationAnswer> {
  const { tenantId, isRevenueWrite } = mutation;
  const requestHash = hashRequest(mutation);
  const answer = await inTenant(database, tenantId, async (transaction) => {
    if (!(await takeKey(transaction, mutation, requestHash))) {
      return { answer: answerOf(await findKey(transaction, mutation), requestHash), isReplay: true };
    }
    if (isRevenueWrite) await assertNotFrozen(transaction);
    const applied = await apply(transaction);
    await storeAnswer(transaction, mutation, canonicalText(applied));
    step.publish('mutation.applied');
    return { answer: applied, isReplay: false };
  });
  step.publish('mutation.committed');
  return answer;
}

/**
 * Finds the answer of an applied mutation, without waiting for a running one. Call it before expensive work.
 * @throws {ServiceError} IDEMPOTENCY_KEY_REUSED, ALREADY_DONE
 */
export function findAnswer(
  database: Database,
  mutation: Omit<MutationRequest, 'isRevenueWrite'>,
): Promise<MutationAnswer | undefined> {
  const requestHash = hashRequest(mutation);
  return inTenant(database, mutation.tenantId, async (transaction) => {
    const row = await findKey(transaction, mutation);
    return row && { answer: answerOf(row, requestHash), isReplay: true };
  });
}

function hashRequest({ group, operation, request }: Pick<MutationRequest, 'group' | 'operation' | 'request'>): string {
  return digestRecord('request', { group, operation, request });
}

/** Takes the key. Waits for a transaction that has it. @returns whether this transaction has taken it */
export async function takeKey(
  transaction: TenantTransaction,
  { tenantId, idempotencyKey }: MutationKey,
  requestHash: string,
): Promise<boolean> {
  const row = await transaction
    .insertInto('verification.guarded_mutation')
    .values({ tenant_id: tenantId, idempotency_key: idempotencyKey, request_hash: requestHash, answer: null })
    .onConflict((conflict) => conflict.doNothing())
    .returning('idempotency_key')
    .executeTakeFirst();
  return row !== undefined;
}

interface KeyRow {
  readonly request_hash: string;
  readonly answer: string | null;
}

export async function findKey(
  transaction: TenantTransaction,
  { idempotencyKey }: Pick<MutationKey, 'idempotencyKey'>,
): Promise<KeyRow | undefined> {
  return transaction
    .selectFrom('verification.guarded_mutation')
    .select(['request_hash', 'answer'])
    .where('idempotency_key', '=', idempotencyKey)
    .executeTakeFirst();
}

/** Whoever finds a key finds it committed, with its answer: one that is missing was deleted. */
function answerOf(row: KeyRow | undefined, requestHash: string): unknown {
  if (row === undefined) throw new Error('the key of a mutation is gone');
  if (row.request_hash !== requestHash) {
    throw new ServiceError('IDEMPOTENCY_KEY_REUSED', 'the idempotency key was used for another request');
  }
  if (row.answer === null) throw new ServiceError('ALREADY_DONE', 'the check was done, and its answer is deleted');
  return JSON.parse(row.answer);
}

/** Stores an answer and reads it back. @throws {Error} if it was not stored as given */
export async function storeAnswer(
  transaction: TenantTransaction,
  { idempotencyKey }: Pick<MutationKey, 'idempotencyKey'>,
  answer: string,
): Promise<void> {
  await transaction
    .updateTable('verification.guarded_mutation')
    .set({ answer })
    .where('idempotency_key', '=', idempotencyKey)
    .execute();
  const stored = await transaction
    .selectFrom('verification.guarded_mutation')
    .select('answer')
    .where('idempotency_key', '=', idempotencyKey)
    .executeTakeFirstOrThrow();
  if (stored.answer !== answer) throw new Error('the answer was not stored as it was given');
}
