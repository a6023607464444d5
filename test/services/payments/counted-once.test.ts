import test from 'ava';
import { sql } from 'kysely';
import { SettlementOutcome } from '../../../proto/gen/tollhouse/payments/v1/payments.ts';
import type { Wallet } from '../../helpers/chain.ts';
import { until } from '../../helpers/until.ts';
import { CONFIRMATIONS, startOwnPayee } from './own-payee.ts';

const stack = await startOwnPayee({ SETTLE_TIMEOUT_MS: '3000' });
const { chain, database } = stack;
test.after.always(() => stack.stop());

async function failuresOf({ address }: Wallet): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT cardinality(failures)::integer AS count FROM ledger.payer WHERE address = ${address.toLowerCase()}`.execute(
    database,
  );
  return rows[0]?.count ?? 0;
}

const settle = ({ claimId, payment }: { claimId: string; payment: unknown }, timeoutMs?: number) =>
  stack.service().settle(claimId, JSON.stringify(payment), timeoutMs);

test.serial('a payment whose authorization was cancelled is one failure of its payer', async (t) => {
  const executed = await stack.executed();
  const { wallet, payment, claimId } = executed;
  await chain.cancel(wallet, stack.offer, payment.payload.authorization.nonce);
  t.is((await settle(executed)).outcome, SettlementOutcome.SETTLEMENT_OUTCOME_FAILED);
  t.is(await failuresOf(wallet), 1);
  await chain.node.mine({ blocks: CONFIRMATIONS });
  t.true(
    await until(async () => {
      // The service asks the chain about it when it is due.
      await sql`UPDATE ledger.payment_claim SET due_at = ledger.clock() WHERE claim_id = ${claimId} AND NOT is_final`.execute(
        database,
      );
      const { rows } = await sql<{
        is_final: boolean;
      }>`SELECT is_final FROM ledger.payment_claim WHERE claim_id = ${claimId}`.execute(database);
      return rows[0]?.is_final === true;
    }),
  );
  t.is(await failuresOf(wallet), 1, 'after the cancellation is final');
});
