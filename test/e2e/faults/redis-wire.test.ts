import test from 'ava';
import { LEDGER_LIBRARY } from '../../../services/ledger/redis/function-library.ts';
import { functionName } from '../../../services/platform/redis/function-library.ts';
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

const statusOf = ({ headers }: Answer) => [headers.get('x-trial-status'), headers.get('x-trial-accounting-status')];

for (const mode of ['lose', 'hold'] as const) {
  test.serial(`${mode}: without the answer to a reserve, nothing runs and the credit is returned`, async (t) => {
    const trial = await prepareTrial(stack.url, BODY);
    wire.setModeOf(functionName(LEDGER_LIBRARY, 'reserve'), mode);
    const answer = await record(`reserve, ${mode}`, trial);
    wire.setMode('pass');
    t.is(answer.status, 503);
    t.is(codeOf(answer), 'TRIAL_UNAVAILABLE');
    t.is(answer.headers.get('x-access-mode'), null);
    await eventuallyConfirmed(stack.url, BODY, calls, `reserve, ${mode}`);
    t.is((await readBooks(stack, [trial.wallet])).fateOf(trial.wallet), 'voided');
  });

  test.serial(`${mode}: without the answer to a post, the result is delivered with uncertain accounting`, async (t) => {
    const trial = await prepareTrial(stack.url, BODY);
    wire.setModeOf(functionName(LEDGER_LIBRARY, 'post'), mode);
    const answer = await record(`post, ${mode}`, trial);
    wire.setMode('pass');
    t.is(answer.status, 200);
    t.deepEqual(statusOf(answer), ['accounting_uncertain', 'uncertain']);
    t.is(answer.headers.get('x-access-mode'), 'trial');
    t.is(answer.json?.['markdown'], '# Wire\n');
    await eventuallyConfirmed(stack.url, BODY, calls, `post, ${mode}`);
    t.is((await readBooks(stack, [trial.wallet])).fateOf(trial.wallet), 'posted');
  });
}

test.serial('a reserve that arrives twice reserves once', async (t) => {
  const trial = await prepareTrial(stack.url, BODY);
  wire.setModeOf(functionName(LEDGER_LIBRARY, 'reserve'), 'double');
  const answer = await record('double', trial);
  wire.setMode('pass');
  t.deepEqual(statusOf(answer), ['charged', 'confirmed']);
  const books = await readBooks(stack, [trial.wallet]);
  t.is(books.balanceOf(trial.wallet), 47_000n);
  t.deepEqual(books.violations, []);
});

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
  const books = await readBooks(
    stack,
    calls.map(({ wallet }) => wallet),
  );
  t.deepEqual(books.violations, []);
  for (const call of calls) t.is(findContradiction(call, books), undefined, call.name);
});
