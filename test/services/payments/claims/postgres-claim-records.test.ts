import test from 'ava';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { createPostgresClaimRecords } from '../../../../services/payments/claims/postgres-claim-records.ts';
import { createNonce, createWallet } from '../../../helpers/chain.ts';
import { createTestDatabase } from '../../../helpers/test-database.ts';

const NETWORK = 'eip155:31337';
const ASSET = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';

test('a claim with an outcome that a later release wrote is unavailable, and never a failure', async (t) => {
  const { database, stop } = await createTestDatabase();
  t.teardown(stop);
  const claimId = uuidv7();
  const payer = createWallet().address;
  await sql`
    INSERT INTO payment_claim (claim_id, network, asset, payer, nonce, amount, valid_before_s, digest, fingerprint,
      offer_secret_hash, outcome, is_final, payment_response)
    VALUES (${claimId}, ${NETWORK}, ${ASSET}, ${payer}, ${createNonce()}, 3000, 1800000000, 'd', 'f', 'h', 'failed', true,
      '{}')`.execute(database);
  const records = createPostgresClaimRecords({ database, network: NETWORK, asset: ASSET });
  t.like(await records.findById(claimId), { claimId, outcome: { state: 'failed' } });
  // What a later release does that adds an outcome.
  await sql`ALTER TABLE payment_claim DROP CONSTRAINT payment_claim_outcome_check`.execute(database);
  await sql`UPDATE payment_claim SET outcome = 'paid_later'`.execute(database);
  await t.throwsAsync(records.findById(claimId), { code: 'PAYMENT_UNAVAILABLE' });
});
