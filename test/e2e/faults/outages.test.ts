import { request as httpRequest } from 'node:http';
import test from 'ava';
import { Type } from 'typebox';
import { createReader } from '../../../scripts/launch/parse/json-reader.ts';
import { connectChain, createWallet } from '../../helpers/chain.ts';
import {
  type Answer,
  CONVERT,
  codeOf,
  fundedWallet,
  headerOf,
  pay,
  post,
  requirementsOf,
  signIn,
  toBase64,
} from '../../helpers/client.ts';
import { until } from '../../helpers/until.ts';
import { createChannelPayer, eventuallyAnswered } from './channel-payer.ts';
import { answerOf, eventuallyFunded, startFaultyStack } from './faulty-stack.ts';
import { findContradiction, readBooks, type TrialCall, untilQuiet } from './trial-books.ts';
import { eventuallyConfirmed, isConfirmed, prepareTrial } from './trial-client.ts';

const BODY = { html: '<h1>Outage</h1>' };
const SLOW = { html: '<p>word <b>bold</b></p>'.repeat(20_000) };

const calls: TrialCall[] = [];
const stack = await startFaultyStack({ env: { content: { CONTENT_THREADS: '1', CONTENT_QUEUE: '1' } } });
test.after.always(() => stack.stop());

/**
 * A trial during whose admission the gateway does not know yet that `name` is down. If the gateway notices first, it
 * refuses the trial, so this tries again.
 */
async function trialWithout(name: 'content' | 'payments'): Promise<Answer> {
  for (let attempts = 1; ; attempts += 1) {
    const { wallet, send } = await prepareTrial(stack.url, BODY);
    await stack.kill(name);
    const answer = await send();
    calls.push({ name: `without ${name}`, wallet, answer });
    if (answer.headers.get('x-trial-status') !== 'unavailable' || attempts === 5) return answer;
    await back(name);
  }
}

async function back(name: 'content' | 'backoffice' | 'postgres' | 'payments' | 'redis'): Promise<void> {
  await stack.revive(name);
  await eventuallyConfirmed(stack.url, BODY, calls, name);
}

const posted = (wallet: string) => until(async () => (await readBooks(stack)).fateOf(wallet) === 'posted');

const outcomeOf = (answer: Answer) => [
  answer.status,
  codeOf(answer),
  answer.headers.get('x-trial-status'),
  answer.headers.get('x-trial-balance-atomic'),
];

const ReadyAnswer = Type.Object({
  status: Type.String(),
  trials: Type.String(),
  services: Type.Object({ backoffice: Type.String() }),
});
const readReady = createReader(ReadyAnswer, 'the answer of /health/ready');

/** The answer of `/health/ready` once it reports that the back office and trials are not available. */
async function readDegraded(): Promise<Type.Static<typeof ReadyAnswer> | undefined> {
  const health = readReady(await (await fetch(`${stack.url}/health/ready`)).json());
  const isSeen = health.services.backoffice === 'unavailable' && health.trials !== 'available';
  return isSeen && health.status === 'degraded' ? health : undefined;
}

test.serial('without the content service, a trial is released', async (t) => {
  t.deepEqual(outcomeOf(await trialWithout('content')), [503, 'SERVICE_UNAVAILABLE', 'released', '50000']);
  await back('content');
});

for (const name of ['backoffice', 'postgres'] as const) {
  test.serial(`without ${name}, nothing is reserved and no trial runs`, async (t) => {
    const { wallet, send } = await prepareTrial(stack.url, BODY);
    await stack.kill(name);
    const answer = await send();
    calls.push({ name: `without ${name}`, wallet, answer });
    const health = await until(readDegraded);
    // Restarts it before the assertions, because the other tests need it.
    await back(name);
    t.deepEqual(outcomeOf(answer), [503, 'TRIAL_UNAVAILABLE', 'unavailable', null]);
    t.is(answer.headers.get('x-access-mode'), null);
    t.regex(health.trials, /the (ledger|database) does not answer/);
  });
}

test.serial('without Redis no wallet can be locked, and payments of channels go on', async (t) => {
  const { wallet, send } = await prepareTrial(stack.url, BODY);
  const payer = await createChannelPayer(stack.url, BODY);
  await eventuallyAnswered(await payer.sign());
  await stack.kill('redis');
  const answer = await send();
  calls.push({ name: 'without redis', wallet, answer });
  const paid = await (await payer.sign()).send();
  await back('redis');
  t.deepEqual(outcomeOf(answer), [503, 'TRIAL_UNAVAILABLE', 'unavailable', null]);
  t.is(paid?.status, 200, paid?.text);
});

test.serial('refuses and releases requests beyond the capacity of the workers', async (t) => {
  const trials = await Promise.all(Array.from({ length: 6 }, () => prepareTrial(stack.url, SLOW)));
  const answers = await Promise.all(trials.map(({ send }) => send()));
  for (const [index, { wallet }] of trials.entries()) calls.push({ name: 'overload', wallet, answer: answers[index] });
  const refused = answers.filter((answer) => !isConfirmed(answer));
  t.true(refused.length > 0 && refused.length < answers.length, `${refused.length} refused`);
  for (const answer of refused) {
    t.deepEqual(outcomeOf(answer), [503, 'OVERLOADED', 'released', '50000']);
    t.regex(headerOf(answer, 'retry-after'), /^\d+$/);
  }
});

for (const name of ['content', 'backoffice', 'postgres'] as const) {
  test.serial(`without ${name}, a payment costs nothing, and buys the result later`, async (t) => {
    const wallet = await eventuallyFunded(stack.url);
    const required = requirementsOf(await post(stack.url + CONVERT, BODY));
    const chain = connectChain(stack.chainUrl, required.accepts[0].asset);
    const payment = { 'payment-signature': await pay(required, wallet) };
    await stack.kill(name);
    const refused = await post(stack.url + CONVERT, BODY, payment);
    t.deepEqual(
      [refused.status, codeOf(refused)],
      [503, name === 'content' ? 'SERVICE_UNAVAILABLE' : 'PAYMENT_UNAVAILABLE'],
    );
    t.is(await chain.balanceOf(wallet.address), 10_000_000n);

    await back(name);
    // The first attempts may fail at a broken connection, which costs nothing.
    await until(async () => {
      const { status } = await post(stack.url + CONVERT, BODY, payment);
      return status === 200;
    });
    t.is(await chain.balanceOf(wallet.address), 9_997_000n);
  });
}

test.serial('without the payments service, trials continue and payments are refused', async (t) => {
  const wallet = await fundedWallet(stack.url);
  const required = requirementsOf(await post(stack.url + CONVERT, BODY));
  const payment = { 'payment-signature': await pay(required, wallet) };
  t.true(isConfirmed(await trialWithout('payments')));
  const refused = await post(stack.url + CONVERT, BODY, payment);
  t.deepEqual([refused.status, codeOf(refused)], [503, 'PAYMENT_UNAVAILABLE']);

  await back('payments');
  const paid = await until(async () => {
    const answer = await post(stack.url + CONVERT, BODY, payment);
    return answer.status === 200 ? answer : undefined;
  });
  t.true(paid.headers.has('payment-response'));
});

test.serial('an operation that takes too long is answered with 504, and its trial is released', async (t) => {
  const { wallet, send } = await prepareTrial(stack.url, BODY);
  stack.signal('content', 'SIGSTOP');
  const answer = await send();
  stack.signal('content', 'SIGCONT');
  calls.push({ name: 'a content service that hangs', wallet, answer });
  t.deepEqual(outcomeOf(answer), [504, 'UPSTREAM_TIMEOUT', 'released', '50000']);
  t.is(answer.headers.get('x-access-mode'), 'trial');
});

test.serial('a payment whose chain hangs is answered with 502, and is valid when the chain is back', async (t) => {
  const wallet = await eventuallyFunded(stack.url);
  const payment = { 'payment-signature': await pay(requirementsOf(await post(stack.url + CONVERT, BODY)), wallet) };
  stack.signal('anvil', 'SIGSTOP');
  const answer = await post(stack.url + CONVERT, BODY, payment);
  stack.signal('anvil', 'SIGCONT');
  t.deepEqual([answer.status, codeOf(answer)], [502, 'UPSTREAM_FAILURE']);
  t.false(/127\.0\.0\.1|ECONN|fetch/.test(answer.text));
  t.is((await post(stack.url + CONVERT, BODY, payment)).status, 200);
});

test.serial('charges a client that disconnects after admission, and retains its result', async (t) => {
  const wallet = createWallet();
  const signed = await until(async () => signIn(await post(stack.url + CONVERT, BODY), wallet));
  const proof = toBase64(signed);
  const armed = stack.arm('execute.before');
  const headers = { 'content-type': 'application/json', 'sign-in-with-x': proof };
  const request = httpRequest(stack.url + CONVERT, { method: 'POST', headers, agent: false });
  request.on('error', () => {});
  const closed = new Promise((resolve) => request.once('close', resolve));
  // The operation cannot end before the client has disconnected.
  stack.signal('content', 'SIGSTOP');
  request.end(JSON.stringify(BODY));
  await armed.hit();
  request.destroy();
  await closed;
  stack.signal('content', 'SIGCONT');
  await posted(wallet.address);
  t.true((await readBooks(stack)).isRetained(wallet.address));
});

test.serial('a trial whose charge is not confirmed is delivered as uncertain, and ends', async (t) => {
  const { wallet, send } = await prepareTrial(stack.url, BODY);
  const armed = stack.arm('execute.before');
  stack.signal('content', 'SIGSTOP');
  const answered = answerOf(send());
  await armed.hit();
  stack.signal('backoffice', 'SIGSTOP');
  stack.signal('content', 'SIGCONT');
  const answer = await answered;
  stack.signal('backoffice', 'SIGCONT');
  t.is(answer?.status, 200);
  t.is(answer?.headers.get('x-trial-status'), 'accounting_uncertain');
  t.is(answer?.headers.get('x-trial-accounting-status'), 'uncertain');
  calls.push({ name: 'a stopped back office', wallet, answer });
  await untilQuiet(stack);
  t.not((await readBooks(stack)).fateOf(wallet), 'pending');
});

test.serial("ledger and records agree with every client's answer", async (t) => {
  const books = await readBooks(stack);
  t.deepEqual(books.violations, []);
  for (const call of calls) t.is(findContradiction(call, books), undefined, call.name);
});
