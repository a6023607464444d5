import { request as httpRequest } from 'node:http';
import { decodePaymentRequiredHeader } from '@x402/core/http';
import test from 'ava';
import { readHealth } from '../../../scripts/launch/health.ts';
import { eventuallyAnswered, FUNDS, isConfirmed, openBuyers, PRICE, type SignedCall } from '../../kit/buyers.ts';
import { connectChain, decodePayment } from '../../kit/chain.ts';
import { type Answer, CONVERT, codeOf, headerOf, post } from '../../kit/client.ts';
import { until } from '../../kit/until.ts';
import { findDifferences, readTrials } from './books.ts';
import { BODY, eventuallyConfirmed, startFaultyStack } from './faulty-stack.ts';

const calls: SignedCall[] = [];
const stack = await startFaultyStack();
const buyers = openBuyers(stack.url);
test.after.always(() => stack.stop());

/** A signed trial, which the books must agree with. */
async function signTrial(): Promise<SignedCall> {
  const call = await buyers.trial().sign(CONVERT, BODY);
  calls.push(call);
  return call;
}
const signPayment = async () => (await until(() => buyers.exact())).sign(CONVERT, BODY);

/**
 * A trial during whose admission the gateway does not know yet that payments are down. If the gateway notices first, it
 * refuses the trial, so this tries again.
 */
async function trialWithoutPayments(): Promise<Answer> {
  for (let attempts = 1; ; attempts += 1) {
    const call = await signTrial();
    await stack.kill('payments');
    const answer = await call.send();
    if (answer.headers.get('x-trial-status') !== 'unavailable' || attempts === 5) return answer;
    await back('payments');
  }
}

async function back(name: 'content' | 'backoffice' | 'postgres' | 'payments'): Promise<void> {
  await stack.revive(name);
  await eventuallyConfirmed(stack.url, calls);
  // The gateway learns last that payments are accepted again.
  await until(async () => (await readHealth(stack.url)).payments === 'available');
}

const outcomeOf = (answer: Answer) => [
  answer.status,
  codeOf(answer),
  answer.headers.get('x-trial-status'),
  answer.headers.get('x-trial-balance-atomic'),
];

const DEGRADED = [/"trials":"the (ledger|database) does not answer/, /"backoffice":"unavailable"/];
/** Whether the gateway reports that the back office and trials are not available. */
async function isDegraded(): Promise<boolean> {
  const text = await (await fetch(`${stack.url}/health/ready`)).text();
  return DEGRADED.every((part) => part.test(text));
}

for (const name of ['backoffice', 'postgres'] as const) {
  test.serial(`without ${name}, nothing is reserved and no trial runs`, async (t) => {
    const call = await signTrial();
    await stack.kill(name);
    const answer = await call.send();
    await until(isDegraded);
    // Restarts it before the assertions, because the other tests need it.
    await back(name);
    t.deepEqual(outcomeOf(answer), [503, 'TRIAL_UNAVAILABLE', 'unavailable', null]);
    t.is(answer.headers.get('x-access-mode'), null);
  });
}

for (const name of ['content', 'backoffice', 'postgres'] as const) {
  test.serial(`without ${name}, a payment costs nothing, and buys the result later`, async (t) => {
    const payment = await signPayment();
    const { asset } = decodePayment(String(payment.headers['payment-signature'])).accepted;
    const balance = () => connectChain(stack.chainUrl, asset).balanceOf(payment.payer);
    await stack.kill(name);
    const refused = await payment.send();
    t.deepEqual(
      [refused.status, codeOf(refused)],
      [503, name === 'content' ? 'SERVICE_UNAVAILABLE' : 'PAYMENT_UNAVAILABLE'],
    );
    t.is(await balance(), FUNDS);

    await back(name);
    // The first attempts may fail at a broken connection, which costs nothing.
    await eventuallyAnswered(payment);
    t.is(await balance(), FUNDS - PRICE);
  });
}

test.serial('without the payments service, trials continue and payments are refused', async (t) => {
  const payment = await signPayment();
  t.true(isConfirmed(await trialWithoutPayments()));
  const refused = await payment.send();
  t.deepEqual([refused.status, codeOf(refused)], [503, 'PAYMENT_UNAVAILABLE']);
  await back('payments');
  t.true((await eventuallyAnswered(payment)).headers.has('payment-response'));
});

test.serial('an operation that takes too long is answered with 504, and its trial is released', async (t) => {
  const call = await signTrial();
  stack.signal('content', 'SIGSTOP');
  const answer = await call.send();
  stack.signal('content', 'SIGCONT');
  t.deepEqual(outcomeOf(answer), [504, 'UPSTREAM_TIMEOUT', 'released', '50000']);
  t.is(answer.headers.get('x-access-mode'), 'trial');
});

test.serial('a payment whose chain hangs is answered with 502, and is valid when the chain is back', async (t) => {
  const payment = await signPayment();
  stack.signal('anvil', 'SIGSTOP');
  const answer = await payment.send();
  stack.signal('anvil', 'SIGCONT');
  t.deepEqual([answer.status, codeOf(answer)], [502, 'UPSTREAM_FAILURE']);
  t.false(/127\.0\.0\.1|ECONN|fetch/.test(answer.text));
  t.is((await payment.send()).status, 200);
});

test.serial('charges a client that disconnects after admission, and retains its result', async (t) => {
  const { payer, headers: proof } = await signTrial();
  const armed = stack.arm('execute.before');
  const headers = { 'content-type': 'application/json', ...proof };
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
  await until(async () => (await readTrials(stack)).fateOf(payer) === 'posted');
  t.is((await readTrials(stack)).countOf(payer).retained, 1);
});

test.serial(
  'with X402_SCHEMES=exact, channels are not offered, and have their answers, corrections and refunds',
  async (t) => {
    const buyer = await buyers.channel();
    for (let paid = 0; paid < 3; paid += 1) await eventuallyAnswered(await buyer.sign(CONVERT, BODY));
    await Promise.all([stack.kill('payments'), stack.kill('gateway0')]);
    await stack.start('payments', { X402_SCHEMES: 'exact' });
    await stack.start('gateway0');
    const schemesOf = (answer: Answer) =>
      decodePaymentRequiredHeader(headerOf(answer, 'payment-required')).accepts.map(({ scheme }) => scheme);
    t.deepEqual(schemesOf(await post(stack.url + CONVERT, BODY)), ['exact']);
    const [, earlier, latest] = buyer.calls;
    t.is((await latest?.send())?.status, 200);
    const corrected = await earlier?.send();
    t.deepEqual(corrected && schemesOf(corrected), ['exact', 'batch-settlement']);
    t.like(await buyer.forget().refund(PRICE), { success: true, amount: `${PRICE}` });
  },
);

test.serial("ledger and records agree with every client's answer", async (t) => {
  t.deepEqual(await findDifferences(stack, { trials: calls }), []);
});
