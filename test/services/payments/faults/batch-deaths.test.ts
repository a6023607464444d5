import test, { type ExecutionContext } from 'ava';
import { SettlementOutcome } from '../../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { all, type Executed, startBatchedPayments } from '../batched-payments.ts';
import { startPayments } from '../harness.ts';

const MEMBERS = 3;

const payments = await startBatchedPayments();
test.after.always(() => payments.stop());

/** Executes payments with a process that dies at a step of their settlement in a batch. */
async function crashAt(t: ExecutionContext, killAt: string, killAtTime: number): Promise<readonly Executed[]> {
  const { stack, execute, settle, hold, release, untilWaiting } = payments;
  const doomed = await startPayments({ env: stack.env, killAt, killAtTime });
  t.teardown(doomed.kill);
  const executed = await execute(1 + MEMBERS, doomed);
  await hold(t);
  const [first, ...others] = executed;
  const died: Promise<unknown>[] = [Promise.allSettled([settle(defined(first), doomed)])];
  t.true(await untilWaiting(1));
  died.push(Promise.allSettled(others.map((each) => settle(each, doomed))));
  if (killAt === 'settle.mined') {
    t.true(await untilWaiting(executed.length));
    await release();
  }
  await Promise.all([doomed.exited, ...died]);
  await release();
  return executed;
}

test('after a crash at any step of a batch, every payment is charged once', async (t) => {
  // The first payment passes a step alone, and the others pass it as a batch.
  const executed = [
    ...(await crashAt(t, 'settle.noted', 2)),
    ...(await crashAt(t, 'settle.sent', 2)),
    ...(await crashAt(t, 'settle.mined', 1)),
  ];
  t.deepEqual(await payments.settleAll(executed), all(executed.length, SettlementOutcome.SETTLEMENT_OUTCOME_SETTLED));
  t.deepEqual(await payments.allUnpaid(executed), all(executed.length, 0n));
});
