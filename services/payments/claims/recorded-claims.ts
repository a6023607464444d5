import { defined } from '../../../workers/exact/defined.ts';
import type { Logger } from '../../platform/process/logger.ts';
import type { ClaimRecord, ClaimRecords, RecordedOutcome, RecordedResult } from './claim-records.ts';
import type { Claim, Claims, PaymentKey } from './claims.ts';
import type { RedisClaims } from './redis-claims.ts';

export interface RecordedClaims extends Claims {
  /** Resolves when all records that are being written are written. */
  drain(): Promise<void>;
}

/**
 * Claims that survive the loss of Redis. A claim that Redis does not have, or has as still executing, is looked up among
 * the records of retained results. A record proves that the operation was executed, even if its gateway died.
 */
export function createRecordedClaims(options: RecordedClaimsOptions): RecordedClaims {
  const { claims, records } = options;
  const writes = createWrites(options.logger);
  return {
    ...claims,
    find: (key) => find(options, key),
    findById: (claimId) => findById(options, claimId),
    async noteTransaction(ref, attemptId, transaction) {
      const isNoted = await claims.noteTransaction(ref, attemptId, transaction);
      if (isNoted) writes.start(ref.claimId, records.noteTransaction(ref.claimId, transaction));
      return isNoted;
    },
    async finish(ref, attemptId, result) {
      const { claimId } = ref;
      let outcome = await claims.finish(ref, attemptId, result);
      // Redis has lost the claim since. A proven result applies to the rebuilt claim too.
      const lost = outcome === 'gone' ? await records.findById(claimId) : undefined;
      if (lost !== undefined) {
        await claims.restore(lost);
        outcome = await claims.finish(ref, attemptId, result);
      }
      if (result.state !== 'settled' && result.state !== 'failed') return outcome === 'finished';
      if (outcome === 'finished') {
        const transaction = result.state === 'settled' ? result.transaction : undefined;
        writes.start(claimId, records.close({ claimId, transaction, outcome: result }));
        return true;
      }
      // A result that another attempt has proven is not replaced.
      const claim = await claims.findById(claimId);
      const recorded = claim && toRecorded(claim);
      if (recorded) writes.start(claimId, records.close(recorded));
      return false;
    },
    async recordOutcome(claim) {
      const recorded = toRecorded(claim);
      if (recorded) await records.close(recorded);
    },
    drain: writes.drain,
  };
}

interface RecordedClaimsOptions {
  readonly claims: RedisClaims;
  readonly records: ClaimRecords;
  readonly logger: Logger;
}

/** Writes that the caller does not wait for. Until a claim is recorded, the back office asks again. */
function createWrites(logger: Logger) {
  const writing = new Set<Promise<void>>();
  return {
    start(claimId: string, write: Promise<void>): void {
      const written = write
        .catch((err: unknown) => logger.warn({ err, claimId }, 'a claim was not recorded now'))
        .finally(() => writing.delete(written));
      writing.add(written);
    },
    async drain(): Promise<void> {
      await Promise.all(writing);
    },
  };
}

async function rebuild(
  { claims, logger }: RecordedClaimsOptions,
  record: ClaimRecord,
  was: Claim | undefined,
): Promise<Claim | undefined> {
  await claims.restore(record);
  const { claimId } = record;
  // Every claim learns in this way that its result is retained.
  const isUsual = was?.state === 'executing' && was.claimId === claimId;
  if (!isUsual) logger.info({ claimId, was: was?.state }, 'a claim was rebuilt from its record');
  return claims.find(record);
}

/** A record is newer than a claim that is executing or, where Redis has lost writes, no longer resolved. */
const find = async (options: RecordedClaimsOptions, key: PaymentKey): Promise<Claim | undefined> =>
  complete(options, key, await options.claims.find(key));

/** Adds to a claim what its record knows. */
async function complete(
  options: RecordedClaimsOptions,
  key: PaymentKey,
  claim: Claim | undefined,
): Promise<Claim | undefined> {
  if (claim !== undefined && isResolved(claim)) return claim;
  const record = await options.records.find(key);
  const isNews = claim === undefined || claim.state === 'executing' || record?.outcome !== undefined;
  return record !== undefined && isNews ? rebuild(options, record, claim) : claim;
}

async function findById(options: RecordedClaimsOptions, claimId: string): Promise<Claim | undefined> {
  const known = await options.claims.findById(claimId);
  if (known === undefined) {
    const record = await options.records.findById(claimId);
    return record && rebuild(options, record, known);
  }
  // The result of another execution of the same payment may be retained.
  const current = await complete(options, known, known);
  return current?.claimId === claimId ? current : undefined;
}

const isResolved = ({ state, final }: Claim) => state === 'settled' || (state === 'failed' && final);

/** @returns undefined for a claim that is not resolved */
function toRecorded({
  claimId,
  state,
  transaction,
  final,
  paymentResponseJson: json,
}: Claim): RecordedOutcome | undefined {
  if (state !== 'settled' && state !== 'failed') return undefined;
  const paymentResponseJson = defined(json);
  const outcome: RecordedResult =
    state === 'settled' ? { state, paymentResponseJson } : { state, final, paymentResponseJson };
  return { claimId, transaction, outcome };
}
