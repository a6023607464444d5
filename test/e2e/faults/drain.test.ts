import test from 'ava';
import { isConfirmed, openBuyers } from '../../kit/buyers.ts';
import { CONVERT } from '../../kit/client.ts';
import { withLedger } from '../../kit/stack-ledger.ts';
import { until } from '../../kit/until.ts';
import { findDifferences } from './books.ts';
import { startFaultyStack } from './faulty-stack.ts';

const SLOW = { html: '<p>word <b>bold</b></p>'.repeat(30_000) };
const TOGETHER = 4;

const stack = await startFaultyStack({ env: { content: { CONTENT_THREADS: '1' } } });
test.after.always(() => stack.stop());

test('a gateway that stops first finishes and accounts for its requests', async (t) => {
  const buyers = openBuyers(stack.url);
  const trials = await Promise.all(Array.from({ length: TOGETHER }, () => buyers.trial().sign(CONVERT, SLOW)));
  const payment = await (await buyers.exact()).sign(CONVERT, SLOW);

  // Until all calls have begun, none ends.
  stack.signal('content', 'SIGSTOP');
  const begun = stack.arm('execute.before');
  const paid = payment.send();
  await begun.hit();
  // A busy machine may close the ledger for a while.
  const answers = trials.map((call) => until(() => call.send().then((answer) => answer.status !== 503 && answer)));
  await until(() => withLedger(stack, async (ledger) => (await ledger.audit()).pending === TOGETHER || undefined));
  stack.signal('gateway0', 'SIGTERM');
  stack.signal('content', 'SIGCONT');

  for (const answer of await Promise.all(answers)) t.true(isConfirmed(answer), `${answer.status} ${answer.text}`);
  t.is((await paid).status, 200);
  t.is(await stack.exited('gateway0'), 'exit code 0');
  t.deepEqual(await findDifferences(stack, {}), []);
});
