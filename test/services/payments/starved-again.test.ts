import test from 'ava';
import { sql } from 'kysely';
import { SettlementOutcome } from '../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { until } from '../../helpers/until.ts';
import { startBatchedPayments } from './batched-payments.ts';
import { startPayments } from './harness.ts';

const payments = await startBatchedPayments();
test.after.always(() => payments.stop());

test('a payment whose first attempt has no known end has failed with the first batch that it burns', async (t) => {
  const { stack, execute, settle, hold, release, untilWaiting } = payments;
  const env = { ...stack.env, SETTLE_TIMEOUT_MS: '3000' };
  const doomed = await startPayments({ env, killAt: 'settle.noted' });
  t.teardown(doomed.kill);
  const [bad] = await execute(1, false, doomed);
  const payment = defined(bad);
  await t.throwsAsync(settle(payment, doomed));
  await doomed.exited;
  await until(async () => {
    const { rows } = await sql<{ ended: boolean }>`SELECT lease_until < ledger.clock() AS ended
      FROM ledger.payment_claim WHERE claim_id = ${payment.claimId}`.execute(stack.database);
    return rows[0]?.ended === true;
  });
  const [first, ...honest] = await execute(4);
  await hold(t);
  const others = [settle(defined(first))];
  t.true(await untilWaiting(1));
  const answer = settle(payment);
  others.push(...honest.map((each) => settle(each)));
  t.true(await untilWaiting(5));
  await stack.chain.node.setCode({ address: payment.wallet.address, bytecode: '0xfe' });
  await release();
  t.is(await answer, SettlementOutcome.SETTLEMENT_OUTCOME_FAILED);
  await Promise.all(others);
  t.is(await settle(payment), SettlementOutcome.SETTLEMENT_OUTCOME_FAILED, 'it is not sent again');
});
