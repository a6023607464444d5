import test from 'ava';
import { openBuyers, type SignedCall } from '../../kit/buyers.ts';
import { CONVERT, codeOf, post } from '../../kit/client.ts';
import { startRedisProxy } from '../../kit/redis-proxy.ts';
import { until } from '../../kit/until.ts';
import { findDifferences, readTrials } from './books.ts';
import { BODY, eventuallyConfirmed, startFaultyStack } from './faulty-stack.ts';
import { untilQuiet } from './quiet.ts';

let realPath = '';
const wire = await startRedisProxy(() => realPath);
const stack = await startFaultyStack({
  redisUrl: (realUrl, name) => {
    realPath = realUrl.slice('unix://'.length);
    return name.startsWith('gateway') ? wire.url : realUrl;
  },
});
const calls: SignedCall[] = [];
const sign = () => openBuyers(stack.url).trial().sign(CONVERT, BODY);
test.after.always(async () => {
  await stack.stop();
  await wire.close();
});

for (const mode of ['lose', 'hold'] as const) {
  test.serial(`${mode}: without the answer to a lock, nothing is reserved and nothing runs`, async (t) => {
    const call = await sign();
    wire.setModeOf(`lock:${call.payer.toLowerCase()}`, mode);
    const answer = await call.send();
    wire.setMode('pass');
    t.deepEqual([answer.status, codeOf(answer)], [503, 'TRIAL_UNAVAILABLE']);
    t.is(answer.headers.get('x-access-mode'), null);
    await eventuallyConfirmed(stack.url, calls);
    t.is((await readTrials(stack)).fateOf(call.payer), 'never reserved');
    // The proof is as good as before.
    t.is((await call.send()).status, 200);
    t.is((await readTrials(stack)).fateOf(call.payer), 'posted');
  });
}

test.serial('while Redis is frozen, requests do not wait for it: trials are neither offered nor run', async (t) => {
  const trials = await Promise.all([1, 2, 3].map(sign));
  calls.push(...trials);
  stack.signal('redis', 'SIGSTOP');
  const answers = await Promise.all(trials.map((call) => call.send()));
  t.deepEqual(answers.map(codeOf), ['TRIAL_UNAVAILABLE', 'TRIAL_UNAVAILABLE', 'TRIAL_UNAVAILABLE']);
  const unsigned = await until(async () => {
    const answer = await post(stack.url + CONVERT, BODY);
    return answer.headers.get('x-trial-status') === 'unavailable' && answer;
  });
  t.is(unsigned.status, 402);
  stack.signal('redis', 'SIGCONT');
  await eventuallyConfirmed(stack.url, calls);
});

test.serial("ledger and records agree with every client's answer after the sweeps", async (t) => {
  await untilQuiet(stack);
  t.deepEqual(await findDifferences(stack, { trials: calls }), []);
});
