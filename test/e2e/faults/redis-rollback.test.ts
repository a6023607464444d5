import { readdirSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { Type } from 'typebox';
import { createReader } from '../../../scripts/launch/parse/json-reader.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { CONVERT, codeOf, fundedWallet, pay, post, requirementsOf } from '../../helpers/client.ts';
import { until } from '../../helpers/until.ts';
import { startFaultyStack } from './faulty-stack.ts';
import { isConfirmed, prepareTrial } from './trial-client.ts';

const BODY = { html: '<h1>Rollback</h1>' };
const readReady = createReader(
  Type.Object({ status: Type.String(), trials: Type.String() }),
  'the answer of /health/ready',
);

const stack = await startFaultyStack();
test.after.always(() => stack.stop());

/** Truncates the append-only file before the first mention of a wallet, as a disk that lost writes does. */
function forget(dataDir: string, wallet: string): void {
  const folder = join(dataDir, 'redis', 'appendonlydir');
  const name = defined(readdirSync(folder).find((each) => each.endsWith('.incr.aof')));
  const at = readFileSync(join(folder, name)).indexOf(wallet.toLowerCase());
  if (at < 0) throw new Error('the file does not mention the wallet');
  truncateSync(join(folder, name), at);
}

test.serial('after Redis lost a confirmed trial, trials stop and payments continue', async (t) => {
  const [lost, waiting] = [await prepareTrial(stack.url, BODY), await prepareTrial(stack.url, BODY)];
  t.true(isConfirmed(await lost.send()));
  await stack.kill('redis');
  forget(stack.dataDir, lost.wallet);
  await stack.start('redis');

  const signed = await waiting.send();
  t.is(signed.status, 503);
  t.is(codeOf(signed), 'TRIAL_UNAVAILABLE');
  // The payment takes long enough for a gateway to offer trials again if it wrongly would.
  const paid = await until(async () => {
    const wallet = await fundedWallet(stack.url);
    const payment = await pay(requirementsOf(await post(stack.url + CONVERT, BODY)), wallet);
    const answer = await post(stack.url + CONVERT, BODY, { 'payment-signature': payment });
    return answer.status === 200 ? answer : undefined;
  });
  t.true(paid.headers.has('payment-response'));
  const unsigned = await post(stack.url + CONVERT, BODY);
  t.is(unsigned.status, 402);
  t.is(unsigned.headers.get('x-trial-status'), 'unavailable');
  t.is(requirementsOf(unsigned).extensions['sign-in-with-x'], undefined);
});

test.serial('a newly started gateway learns about the loss from the back office', async (t) => {
  await stack.kill('gateway0');
  // The gateway gets ready for payments but not for trials, so `start` fails.
  const started = stack.start('gateway0').then(
    () => 'offers trials',
    () => 'offers none',
  );
  const health = await until(async () => {
    const response = await fetch(`${stack.url}/health/ready`);
    return response.ok ? readReady(await response.json()) : undefined;
  });
  t.regex(health.trials, /^rolled_back/);
  t.is(health.status, 'degraded');
  await stack.kill('gateway0');
  t.is(await started, 'offers none');
});
