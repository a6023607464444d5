import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { defined } from '../../../workers/exact/defined.ts';
import { CONVERT, codeOf, post } from '../../helpers/client.ts';
import { withLedger } from '../../helpers/stack-ledger.ts';
import { startStandby } from '../../helpers/standby.ts';
import { until } from '../../helpers/until.ts';
import { summaryOf } from './channel-books.ts';
import { type ChannelPayer, isAnswered } from './channel-payer.ts';
import { assertExact, assertNoticed, BODY, startClaimingStack, startLoad } from './lost-commits.ts';
import { untilQuiet } from './trial-books.ts';

const GRANT = 50_000n;

const stack = await startClaimingStack();
test.after.always(() => stack.stop());

/** A voucher for less than was charged pays for nothing, and does not settle its channel. */
async function assertUnsettled(t: ExecutionContext, { calls }: ChannelPayer): Promise<void> {
  const { header } = defined(calls[1]);
  const answer = await post(stack.url + CONVERT, { html: 'another request' }, { 'payment-signature': header });
  const refusals =
    /^(503 PAYMENT_UNAVAILABLE|402 invalid_batch_settlement_evm_cumulative_(below_claimed|amount_mismatch))$/;
  t.regex(summaryOf(answer), refusals);
}

test.serial(
  'an asynchronous standby that lags is promoted: what it has is exact, and everything goes on',
  async (t) => {
    const standby = await startStandby({ dataDir: join(stack.dataDir, 'postgres'), url: stack.databaseUrl });
    t.teardown(() => standby.stop());
    const load = startLoad(t, stack);
    await load.more();
    const surelyCharged = load.trials.confirmed();
    const known = await until(() => {
      const found = load.channels.payers.filter(({ calls }) => calls.filter(isAnswered).length > 2);
      return found.length > 0 && found;
    });

    await standby.caughtUp();
    await standby.cutOff();
    const [tried, sent] = [load.trials.sent.map(({ wallet }) => wallet), load.payments.sent.length];
    // Also of those that were sent after the cut.
    const confirmedLater = () => load.trials.confirmed().filter(({ wallet }) => !tried.includes(wallet));
    const paidLater = () => load.payments.sent.slice(sent).filter(({ answer }) => answer?.status === 200);
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
    const lost = await assertExact(t, stack, { load, surelyCharged });

    await withLedger(stack, async (ledger) => {
      for (const { wallet } of confirmedLater()) t.is(await ledger.balance(wallet), GRANT);
    });
    for (const { payer, header } of paidLater()) {
      t.true(lost.includes(payer.toLowerCase()));
      const again = await post(stack.url + CONVERT, BODY, { 'payment-signature': header });
      t.is(`${again.status} ${codeOf(again)}`, '409 PAYMENT_REUSED');
    }
  },
);
