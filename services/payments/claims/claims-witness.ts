import { sql } from 'kysely';
import type { StorePosition } from '../../platform/redis/redis-guard.ts';
import type { Database } from '../../store/database.ts';
import { onlyRow } from '../../store/rows.ts';

/** Records outside Redis how far the claims of a network are, and which epoch is valid. */
export interface ClaimsWitness {
  /** Records the position. Returns the farthest recorded position of the valid epoch. */
  attest(position: StorePosition): Promise<StorePosition>;
  /**
   * Makes another epoch valid, and makes every open payment due for the back office now. Does nothing if `from` is no
   * longer the valid epoch.
   */
  accept(position: StorePosition, from: string): Promise<void>;
}

/** @param network CAIP-2 */
export function createClaimsWitness(database: Database, network: string): ClaimsWitness {
  return {
    async attest({ epoch, sequence }) {
      const { rows } = await sql<StorePosition>`
        INSERT INTO claims_witness (network, epoch, sequence) VALUES (${network}, ${epoch}, ${sequence})
        ON CONFLICT (network) DO UPDATE SET sequence = CASE WHEN claims_witness.epoch = excluded.epoch
          THEN greatest(claims_witness.sequence, excluded.sequence) ELSE claims_witness.sequence END
        RETURNING epoch, sequence`.execute(database);
      return onlyRow(rows);
    },
    async accept({ epoch, sequence }, from) {
      await database.transaction().execute(async (transaction) => {
        const accepted = await transaction
          .updateTable('claims_witness')
          .set({ epoch, sequence })
          .where('network', '=', network)
          .where('epoch', '=', from)
          .returning('epoch')
          .executeTakeFirst();
        if (accepted === undefined) return;
        await sql`UPDATE obligation SET due_at = clock_timestamp() FROM payment_claim
          WHERE obligation.record_id = payment_claim.claim_id AND payment_claim.network = ${network}`.execute(
          transaction,
        );
      });
    },
  };
}
