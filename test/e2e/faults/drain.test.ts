import test from 'ava';
import { CONVERT, fundedWallet, pay, post, requirementsOf } from '../../helpers/client.ts';
import { withLedger } from '../../helpers/stack-ledger.ts';
import { until } from '../../helpers/until.ts';
import { startFaultyStack } from './faulty-stack.ts';
import { isConfirmed, prepareTrial } from './trial-client.ts';

const SLOW = { html: '<p>word <b>bold</b></p>'.repeat(30_000) };
const TOGETHER = 4;

const stack = await startFaultyStack({ env: { content: { CONTENT_THREADS: '1' } } });
test.after.always(() => stack.stop());

test('a gateway that stops first finishes and accounts for its requests', async (t) => {
  const trials = await Promise.all(Array.from({ length: TOGETHER }, () => prepareTrial(stack.url, SLOW)));
  const wallet = await fundedWallet(stack.url);
  const payment = await pay(requirementsOf(await post(stack.url + CONVERT, SLOW)), wallet);

  // Until all calls have begun, none ends.
  stack.signal('content', 'SIGSTOP');
  const begun = stack.arm('execute.before');
  const paid = post(stack.url + CONVERT, SLOW, { 'payment-signature': payment });
  await begun.hit();
  // A busy machine may close the ledger for a while.
  const answers = trials.map(({ send }) => until(() => send().then((answer) => answer.status !== 503 && answer)));
  await until(() => withLedger(stack, async (ledger) => (await ledger.audit()).pending === TOGETHER || undefined));
  stack.signal('gateway0', 'SIGTERM');
  stack.signal('content', 'SIGCONT');

  for (const answer of await Promise.all(answers)) t.true(isConfirmed(answer), `${answer.status} ${answer.text}`);
  t.is((await paid).status, 200);
  t.is(await stack.exited('gateway0'), 'exit code 0');
  const report = await withLedger(stack, (ledger) => ledger.audit());
  t.is(report.pending, 0);
  t.deepEqual(report.violations, []);
});
