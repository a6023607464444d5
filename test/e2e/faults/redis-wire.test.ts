import test from 'ava';
import { type Answer, CONVERT, codeOf, post } from '../../helpers/client.ts';
import { type RedisProxy, startRedisProxy } from '../../helpers/redis-proxy.ts';
import { until } from '../../helpers/until.ts';
import { type FaultyStack, startFaultyStack } from './faulty-stack.ts';
import { findContradiction, readBooks, type TrialCall, untilQuiet } from './trial-books.ts';
import { eventuallyConfirmed, prepareTrial, type ReadyTrial } from './trial-client.ts';

const BODY = { html: '<h1>Wire</h1>' };

const calls: TrialCall[] = [];
let stack: FaultyStack;
let wire: RedisProxy;
test.before(async () => {
  let realPath = '';
  wire = await startRedisProxy(() => realPath);
  stack = await startFaultyStack({
    redisUrl: (realUrl, name) => {
      realPath = realUrl.slice('unix://'.length);
      return name.startsWith('gateway') ? wire.url : realUrl;
    },
  });
});
test.after.always(async () => {
  await stack?.stop();
  await wire?.close();
});

async function record(name: string, { wallet, send }: ReadyTrial): Promise<Answer> {
  const answer = await send();
  calls.push({ name, wallet, answer });
  return answer;
}

for (const mode of ['lose', 'hold'] as const) {
  test.serial(`${mode}: without the answer to a lock, nothing is reserved and nothing runs`, async (t) => {
    const trial = await prepareTrial(stack.url, BODY);
    wire.setModeOf(`lock:${trial.wallet.toLowerCase()}`, mode);
    const answer = await trial.send();
    wire.setMode('pass');
    t.is(answer.status, 503);
    t.is(codeOf(answer), 'TRIAL_UNAVAILABLE');
    t.is(answer.headers.get('x-access-mode'), null);
    await eventuallyConfirmed(stack.url, BODY, calls, `lock, ${mode}`);
    t.is((await readBooks(stack)).fateOf(trial.wallet), 'never reserved');
    // The proof is as good as before.
    t.is((await record(`lock, ${mode}`, trial)).status, 200);
  });
}

test.serial('while Redis is frozen, requests do not wait for it: trials are neither offered nor run', async (t) => {
  const trials = await Promise.all([1, 2, 3].map(() => prepareTrial(stack.url, BODY)));
  stack.signal('redis', 'SIGSTOP');
  const answers = await Promise.all(trials.map((trial) => record('frozen Redis', trial)));
  t.deepEqual(answers.map(codeOf), ['TRIAL_UNAVAILABLE', 'TRIAL_UNAVAILABLE', 'TRIAL_UNAVAILABLE']);
  const unsigned = await until(async () => {
    const answer = await post(stack.url + CONVERT, BODY);
    return answer.headers.get('x-trial-status') === 'unavailable' ? answer : undefined;
  });
  t.is(unsigned.status, 402);
  stack.signal('redis', 'SIGCONT');
  await eventuallyConfirmed(stack.url, BODY, calls, 'frozen Redis');
});

test.serial("ledger and records agree with every client's answer after the sweeps", async (t) => {
  await untilQuiet(stack);
  const books = await readBooks(stack);
  t.deepEqual(books.violations, []);
  for (const call of calls) t.is(findContradiction(call, books), undefined, call.name);
});
