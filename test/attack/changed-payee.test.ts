import test from 'ava';
import { sql } from 'kysely';
import { SettlementOutcome } from '../../proto/gen/tollhouse/payments/v1/payments.ts';
import { createWallet, signPayment } from '../helpers/chain.ts';
import { until } from '../helpers/until.ts';
import { startChannelStack } from '../services/payments/channels/channel-stack.ts';
import { AMOUNT, expectCase, offerOf, present, startPayments } from '../services/payments/harness.ts';

const stack = await startChannelStack();
test.after.always(() => stack.stop());

test('a payment that was mined to the earlier payee stays paid after a change of X402_PAY_TO', async (t) => {
  const first = await stack.start({ killAt: 'settle.sent' });
  const terms = await first.terms();
  const wallet = createWallet();
  await stack.chain.mint(wallet.address, BigInt(AMOUNT));
  const payment = await signPayment(wallet, offerOf(terms));
  const presented = present(payment);
  const { claimId } = expectCase(await first.begin(presented), 'execute');
  await first.settle(claimId, JSON.stringify(payment)).catch(() => undefined);
  await first.exited;
  await stack.chain.node.mine({ blocks: 5 });
  const second = await startPayments({ env: { ...stack.env, X402_PAY_TO: createWallet().address } });
  t.teardown(() => second.stop());
  const outcome = await second.outcomeOf(claimId);
  const again = await second.begin(presented);
  t.log(outcome, JSON.stringify(again.outcome));
  t.is(outcome, SettlementOutcome.SETTLEMENT_OUTCOME_SETTLED, 'the payer paid, and never gets the answer that is kept');
});

test('a settlement that was answered and not located yet is not lost by a change of X402_PAY_TO', async (t) => {
  const first = await startPayments({ env: { ...stack.env, X402_FINALITY_INTERVAL_MS: '600000' } });
  const wallet = createWallet();
  await stack.chain.mint(wallet.address, BigInt(AMOUNT));
  const payment = await signPayment(wallet, offerOf(await first.terms()));
  const { claimId } = expectCase(await first.begin(present(payment)), 'execute');
  const { outcome } = await first.settle(claimId, JSON.stringify(payment));
  t.is(outcome, SettlementOutcome.SETTLEMENT_OUTCOME_SETTLED);
  await first.stop();
  await stack.chain.node.mine({ blocks: 5 });
  const second = await startPayments({ env: { ...stack.env, X402_PAY_TO: createWallet().address } });
  t.teardown(() => second.stop());
  const read = async () => {
    const { rows } = await sql<{
      lost: string | null;
      located: boolean;
    }>`SELECT lost_reason AS lost, block_number IS NOT NULL AS located
      FROM ledger.payment_claim WHERE claim_id = ${claimId}`.execute(stack.database);
    return rows[0];
  };
  await until(async () => (await read())?.lost !== null || (await read())?.located === true);
  t.like(await read(), { lost: null, located: true });
});
