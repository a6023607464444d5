import { sql } from 'kysely';
import { createBatcher } from '../../platform/batcher.ts';
import type { ClaimDetails, SealedAuthorization } from '../claims/claims.ts';
import type { Context } from '../payment/context.ts';
import { type Payment, type PaymentReader, toPayload } from '../payment/payment.ts';
import type { AuthorizationCipher } from './authorization-cipher.ts';

type KeptClaim = Pick<ClaimDetails, 'claimId'>;

export type KeptAuthorizations = ReturnType<typeof createKeptAuthorizations>;

type SealedClaim = KeptClaim & SealedAuthorization;

const MAX_ROWS = 100;
/** Longest wait for an earlier statement. */
const WINDOW_MS = 20;

/** The signed authorizations of payments that are not final, so that they can be settled, also again. */
export function createKeptAuthorizations(
  options: Pick<Context, 'database' | 'network'> & {
    readonly cipher: AuthorizationCipher;
    readonly readPayment: PaymentReader;
  },
) {
  const { database, network, cipher, readPayment } = options;

  const insertAll = async (kept: readonly SealedClaim[]) => {
    await sql`
      INSERT INTO payment_authorization (claim_id, network, valid_before_s, key_id, sealed)
      SELECT claim_id, network, valid_before_s, kept.key_id, kept.sealed FROM (
        SELECT DISTINCT ON (claim_id) * FROM unnest(
          ${kept.map(({ claimId }) => claimId)}::uuid[], ${kept.map(({ keyId }) => keyId)}::text[],
          ${kept.map(({ sealed }) => sealed)}::bytea[]
        ) AS kept (claim_id, key_id, sealed)
      ) AS kept JOIN ledger.payment_claim AS claim USING (claim_id)
      WHERE claim.state NOT IN ('settled', 'failed') ORDER BY claim_id FOR KEY SHARE OF claim
      ON CONFLICT (claim_id) DO UPDATE SET key_id = excluded.key_id, sealed = excluded.sealed`.execute(database);
    return kept.map(() => undefined);
  };
  const insert = createBatcher({ send: insertAll, maxItems: MAX_ROWS, windowMs: WINDOW_MS });

  const seal = (claimId: string, payment: Payment): SealedAuthorization => ({
    keyId: cipher.keyId,
    sealed: cipher.seal(JSON.stringify(toPayload(payment)), claimId),
  });

  function open({ claimId, amount }: Pick<ClaimDetails, 'claimId' | 'amount'>, kept: SealedAuthorization): Payment {
    const read = readPayment(cipher.open(kept.sealed, kept.keyId, claimId), `${amount}`);
    if (!read.ok) throw new Error(`the authorization of claim ${claimId} is malformed`);
    return read.payment;
  }

  return {
    /** For the statement that opens the claim. */
    seal,
    /** @throws for an unknown key, or for the authorization of another claim */
    open,
    /** Stores the authorization of an open claim again, under the current key. */
    keep: ({ claimId }: KeptClaim, payment: Payment): Promise<void> => insert({ claimId, ...seal(claimId, payment) }),
    /** @returns undefined where none is kept. @throws for a missing key */
    async find(claim: Pick<ClaimDetails, 'claimId' | 'amount'>): Promise<Payment | undefined> {
      const row = await database
        .selectFrom('payment_authorization')
        .select(['key_id', 'sealed'])
        .where('claim_id', '=', claim.claimId)
        .executeTakeFirst();
      return row && open(claim, { keyId: row.key_id, sealed: row.sealed });
    },
    /** Deletes the authorizations that were valid until `untilS` (Unix seconds). */
    async deleteEnded(untilS: bigint): Promise<void> {
      await sql`DELETE FROM payment_authorization WHERE network = ${network} AND valid_before_s <= ${untilS}`.execute(
        database,
      );
    },
  };
}
