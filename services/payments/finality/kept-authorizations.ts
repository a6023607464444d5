import { sql } from 'kysely';
import { createBatcher } from '../../platform/batcher.ts';
import type { Database } from '../../store/database.ts';
import type { ClaimDetails } from '../claims/claims.ts';
import { type Payment, type ReadPayment, toPayload } from '../payment/payment.ts';
import type { AuthorizationCipher } from './authorization-cipher.ts';

type KeptClaim = Pick<ClaimDetails, 'claimId' | 'validBeforeS'>;

/** The signed authorizations of payments that are not final, so that a settlement can be sent again. */
export interface KeptAuthorizations {
  /** Keeps the authorization of a claim. */
  keep(claim: KeptClaim, payment: Payment): Promise<void>;
  /** @returns undefined where none is kept. @throws for a missing key */
  find(claim: Pick<ClaimDetails, 'claimId' | 'amount'>): Promise<Payment | undefined>;
  /** Deletes the authorizations that were valid until `untilS` (Unix seconds), and those of failed payments. */
  deleteEnded(untilS: bigint): Promise<void>;
}

type SealedClaim = KeptClaim & { readonly sealed: Buffer };

const MAX_ROWS = 100;
/** Longest wait for an earlier statement. */
const WINDOW_MS = 20;

export interface KeptAuthorizationsOptions {
  readonly database: Database;
  /** CAIP-2. */
  readonly network: string;
  readonly cipher: AuthorizationCipher;
  readonly readPayment: (paymentJson: string, amount: string) => ReadPayment;
}

export function createKeptAuthorizations(options: KeptAuthorizationsOptions): KeptAuthorizations {
  const { database, network, cipher, readPayment } = options;

  const insertAll = async (kept: readonly SealedClaim[]) => {
    await sql`
      INSERT INTO payment_authorization (claim_id, network, valid_before_s, key_id, sealed)
      SELECT claim_id, ${network}, kept.valid_before_s, ${cipher.keyId}, kept.sealed FROM unnest(
        ${kept.map(({ claimId }) => claimId)}::uuid[], ${kept.map(({ validBeforeS }) => validBeforeS)}::bigint[],
        ${kept.map(({ sealed }) => sealed)}::bytea[]
      ) AS kept (claim_id, valid_before_s, sealed)
      ON CONFLICT DO NOTHING`.execute(database);
    return kept.map(() => undefined);
  };
  const insert = createBatcher({ send: insertAll, maxItems: MAX_ROWS, windowMs: WINDOW_MS });

  return {
    async keep({ claimId, validBeforeS }, payment) {
      const sealed = cipher.seal(JSON.stringify(toPayload(payment)), claimId);
      await insert({ claimId, validBeforeS, sealed });
    },
    async find({ claimId, amount }) {
      const row = await database
        .selectFrom('payment_authorization')
        .select(['key_id', 'sealed'])
        .where('claim_id', '=', claimId)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const read = readPayment(cipher.open(row.sealed, row.key_id, claimId), `${amount}`);
      if (!read.ok) throw new Error(`the authorization of claim ${claimId} is malformed`);
      return read.payment;
    },
    async deleteEnded(untilS) {
      await sql`
        DELETE FROM payment_authorization kept WHERE network = ${network} AND (valid_before_s <= ${untilS}
          OR EXISTS (SELECT FROM ledger.payment_claim c
            WHERE c.claim_id = kept.claim_id AND c.state = 'failed' AND c.is_final))`.execute(database);
    },
  };
}
