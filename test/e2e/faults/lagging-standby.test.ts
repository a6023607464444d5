import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { defined } from '../../../workers/exact/defined.ts';
import { type ChannelBuyer, GRANT, isAnswered } from '../../kit/buyers.ts';
import { CONVERT, codeOf, post } from '../../kit/client.ts';
import { startStandby } from '../../kit/standby.ts';
import { until } from '../../kit/until.ts';
import { readTrials, summaryOf } from './books.ts';
import { assertExact, assertNoticed, startClaimingStack, startLoads } from './lost-commits.ts';
import { untilQuiet } from './quiet.ts';

const stack = await startClaimingStack();
test.after.always(() => stack.stop());

/** A voucher for less than was charged pays for nothing, and does not settle its channel. */
async function assertUnsettled(t: ExecutionContext, { calls }: ChannelBuyer): Promise<void> {
  const { headers } = defined(calls[1]);
  const answer = await post(stack.url + CONVERT, { html: 'another request' }, headers);
  const refusals =
    /^(503 PAYMENT_UNAVAILABLE|402 invalid_batch_settlement_evm_cumulative_(below_claimed|amount_mismatch))$/;
  t.regex(summaryOf(answer), refusals);
}

test.serial(
  'an asynchronous standby that lags is promoted: what it has is exact, and everything goes on',
  async (t) => {
    const standby = await startStandby({ dataDir: join(stack.dataDir, 'postgres'), url: stack.databaseUrl });
    t.teardown(() => standby.stop());
    const load = startLoads(t, stack);
    await load.more();
    const surelyCharged = load.confirmed();
    const known = await until(() => {
      const found = load.channels.buyers.filter(({ calls }) => calls.filter(isAnswered).length > 2);
      return found.length > 0 && found;
    });

    await standby.caughtUp();
    await standby.cutOff();
    const [tried, sent] = [load.trials.sent.map(({ payer }) => payer), load.payments.sent.length];
    // Also of those that were sent after the cut.
    const confirmedLater = () => load.confirmed().filter(({ payer }) => !tried.includes(payer));
    const paidLater = () => load.payments.sent.slice(sent).filter(isAnswered);
    await load.more();
    await until(() => confirmedLater().length > 0 && paidLater().length > 0);
    await stack.kill('postgres');
    await load.stop();
    const sinceMs = performance.now();
    await standby.takeOver();
    await assertNoticed(t, stack, sinceMs);
    // A call that was under way at the cut keeps its channel busy.
    await untilQuiet(stack);
    for (const payer of known) await assertUnsettled(t, payer);
    // Afterwards, payments are sent again.
    const paid = paidLater();
    const lost = await assertExact(t, stack, load, surelyCharged);

    const trials = await readTrials(stack);
    for (const { payer } of confirmedLater()) t.is(trials.balanceOf(payer), GRANT);
    for (const call of paid) {
      t.true(lost.includes(call.payer.toLowerCase()));
      const again = await call.send();
      t.is(`${again.status} ${codeOf(again)}`, '409 PAYMENT_REUSED');
    }
  },
);
