import { sql } from 'kysely';
import type { Hex } from 'viem';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { createWindowedBatch } from '../../platform/windowed-batch.ts';
import type { Database } from '../../store/database.ts';
import type { PaymentClaimTable } from '../../store/payment-tables.ts';
import { isBytes32, isHexAddress } from '../payment/hex.ts';
import type { ClaimRecord, ClaimRecords, RecordedOutcome, RecordedResult } from './claim-records.ts';
import type { PaymentKey } from './claims.ts';

export interface ClaimRecordsOptions {
  readonly database: Database;
  /** CAIP-2. */
  readonly network: string;
  readonly asset: Hex;
}

interface SentTransaction {
  readonly claimId: string;
  readonly transaction: Hex;
}

export function createPostgresClaimRecords({ database, network, asset }: ClaimRecordsOptions): ClaimRecords {
  const select = () => database.selectFrom('payment_claim').selectAll().where('network', '=', network);

  const find = grouped(async (keys: readonly PaymentKey[]) => {
    const { rows } = await sql<PaymentClaimTable>`
      SELECT payment_claim.* FROM payment_claim
      JOIN unnest(${keys.map(({ payer }) => payer)}::text[], ${keys.map(({ nonce }) => nonce)}::text[])
        AS wanted (payer, nonce) USING (payer, nonce)
      WHERE network = ${network} AND asset = ${asset}`.execute(database);
    const found = new Map(rows.map((row) => [`${row.payer} ${row.nonce}`, row]));
    return keys.map(({ payer, nonce }) => found.get(`${payer} ${nonce}`));
  });

  /** A group is one transaction: a commit costs more than its writes. */
  const note = grouped(async (sent: readonly SentTransaction[]) => {
    await sql`
      UPDATE payment_claim SET transaction = sent.transaction
      FROM unnest(${sent.map(({ claimId }) => claimId)}::uuid[], ${sent.map(({ transaction }) => transaction)}::text[])
        AS sent (claim_id, transaction)
      WHERE payment_claim.claim_id = sent.claim_id AND outcome IS NULL`.execute(database);
    return sent.map(() => undefined);
  });

  const close = grouped(async (recorded: readonly RecordedOutcome[]) => {
    const column = <T>(pick: (one: RecordedOutcome) => T) => recorded.map(pick);
    const final = recorded.filter(({ outcome }) => isFinal(outcome)).map(({ claimId }) => claimId);
    await sql`
      WITH closed AS (
        UPDATE payment_claim SET outcome = known.outcome, is_final = known.is_final,
          payment_response = known.payment_response, transaction = coalesce(known.transaction, payment_claim.transaction)
        FROM unnest(
          ${column(({ claimId }) => claimId)}::uuid[], ${column(({ outcome }) => outcome.state)}::text[],
          ${column(({ outcome }) => isFinal(outcome))}::boolean[],
          ${column(({ outcome }) => outcome.paymentResponseJson)}::text[],
          ${column(({ transaction }) => transaction ?? null)}::text[]
        ) AS known (claim_id, outcome, is_final, payment_response, transaction)
        WHERE payment_claim.claim_id = known.claim_id AND payment_claim.is_final IS NOT TRUE)
      DELETE FROM obligation WHERE record_id = ANY(${final}::uuid[])`.execute(database);
    return recorded.map(() => undefined);
  });

  return {
    find: (key) => answered(find(key).then(toRecord)),
    findById: (claimId) => answered(select().where('claim_id', '=', claimId).executeTakeFirst().then(toRecord)),
    noteTransaction: (claimId, transaction) => answered(note({ claimId, transaction })),
    close: (recorded) => answered(close(recorded)),
  };
}

const MAX_ROWS = 100;
/** Longest wait for an earlier statement. */
const WINDOW_MS = 20;

/** Statements that wait at the same time are one: most of the cost of a small statement is around it. */
const grouped = <Item, Answer>(send: (items: readonly Item[]) => Promise<readonly Answer[]>) =>
  createWindowedBatch<Item, Answer>({ send, maxItems: MAX_ROWS, windowMs: WINDOW_MS });

async function answered<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    throw new ServiceError('PAYMENT_UNAVAILABLE', 'the records of claims do not answer', { cause });
  }
}

const isFinal = (outcome: RecordedResult) => outcome.state === 'settled' || outcome.final;

/** @throws {Error} for a row that this service cannot have written */
function toRecord(row: PaymentClaimTable | undefined): ClaimRecord | undefined {
  if (row === undefined) return undefined;
  const { payer, nonce, transaction } = row;
  if (!isHexAddress(payer) || !isBytes32(nonce) || (transaction !== null && !isBytes32(transaction))) {
    throw new Error(`the record of claim ${row.claim_id} is malformed`);
  }
  return {
    payer,
    nonce,
    claimId: row.claim_id,
    digest: row.digest,
    fingerprint: row.fingerprint,
    offerSecretHash: row.offer_secret_hash,
    paymentIdentifierHash: row.payment_identifier_hash ?? undefined,
    amount: row.amount,
    validBeforeS: Number(row.valid_before_s),
    fromBlock: row.from_block ?? undefined,
    transaction: transaction ?? undefined,
    outcome: toOutcome(row),
  };
}

/** The three columns are null until the settlement has ended. */
function toOutcome(row: PaymentClaimTable): RecordedResult | undefined {
  const { outcome, is_final: final, payment_response: paymentResponseJson } = row;
  if (outcome === null && final === null && paymentResponseJson === null) return undefined;
  if (outcome === null || final === null || paymentResponseJson === null) {
    throw new Error(`the record of claim ${row.claim_id} has only a part of its outcome`);
  }
  if (outcome === 'settled') return { state: outcome, paymentResponseJson };
  if (outcome === 'failed') return { state: outcome, final, paymentResponseJson };
  // A later release may have outcomes of other names. None of them may count as a failure here.
  throw new Error(`the record of claim ${row.claim_id} has the unknown outcome ${String(outcome)}`);
}
