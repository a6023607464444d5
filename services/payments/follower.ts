import { type RawBuilder, sql } from 'kysely';
import { createRepeatedErrorLog } from '../platform/process/repeated-errors.ts';
import { IS_OPEN, IS_UNFINAL } from '../store/payment-claims.ts';
import { onlyRow } from '../store/rows.ts';
import type { Context } from './payment/context.ts';
import { toLowerHex } from './payment/hex.ts';

/**
 * What waits for the chain.
 * - `due`: payments without an outcome that it is time to ask about.
 * - `claims`: settlements that are sent or not final, and authorizations that have ended.
 * - `channels`: deposits, claims and refunds of channels without an ending.
 * - `signed`: signed transactions that may still be mined, or whose costs are not known.
 */
export type Followed = 'due' | 'claims' | 'channels' | 'signed';

/**
 * Creates the work that follows all that waits for the chain, once. While nothing waits, it is one statement, which reads
 * small indexes.
 */
export function createFollower(
  { database, network, terms: { asset }, logger }: Context,
  /** The work on each kind. A run that is cut off loses nothing. */
  work: Readonly<Partial<Record<Followed, (signal: AbortSignal) => Promise<void>>>>,
) {
  const logError = createRepeatedErrorLog({ logger, message: 'what waits for the chain could not be followed' });
  const exists = (rows: RawBuilder<unknown>, condition: RawBuilder<unknown>) =>
    sql`EXISTS (SELECT FROM ${rows} WHERE network = ${network} AND ${condition})`;
  const claimExists = (condition: RawBuilder<unknown>) =>
    exists(sql`ledger.payment_claim AS payment_claim`, sql`asset = ${toLowerHex(asset)} AND ${condition}`);
  const waiting = sql<Record<Followed, boolean>>`
    SELECT ${exists(sql`ledger.payment_claim`, sql`due_at <= ledger.clock()`)} AS due,
      ${claimExists(IS_UNFINAL)} OR ${claimExists(sql`${IS_OPEN} AND transaction IS NOT NULL`)}
        OR ${exists(sql`payment_authorization`, sql`valid_before_s <= extract(epoch FROM ledger.clock())`)} AS claims,
      ${exists(sql`channel_transaction`, sql`state = 'open'`)} AS channels,
      ${exists(sql`signer_transaction`, sql`known_at IS NULL`)} AS signed`;
  return async (signal: AbortSignal): Promise<void> => {
    const found = onlyRow((await waiting.execute(database)).rows);
    await Promise.all(
      Object.entries(work).map(async ([kind, follow]) => {
        if (!found[kind as Followed]) return;
        await follow(signal).catch((error: unknown) => {
          if (!signal.aborted) logError(error, { fields: { kind } });
        });
      }),
    );
  };
}
