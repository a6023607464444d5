import test from 'ava';
import { connectChain, createWallet, encodePayment, signPayment } from '../../helpers/chain.ts';
import { type Answer, CONVERT, codeOf, post, requirementsOf, tryOnce } from '../../helpers/client.ts';
import { until } from '../../helpers/until.ts';
import { answerOf, eventuallyFunded, startFaultyStack, type Victim } from './faulty-stack.ts';
import { findPaymentFault, type PaymentCall, PRICE } from './payment-books.ts';
import { untilQuiet } from './trial-books.ts';

const BODY = { html: '<h1>Fault</h1>' };
const PAYMENT_STEPS = ['verify.before', 'verify.after', 'claim.before', 'claim.after'];
const SETTLE_STEPS = ['settle.before', 'settle.sent', 'settle.after'];
const GATEWAY_STEPS = ['execute', 'keep', 'reply'].flatMap((step) => [`${step}.before`, `${step}.after`]);
const STEPS = [...PAYMENT_STEPS, ...GATEWAY_STEPS, ...SETTLE_STEPS];
/** For a process that only keeps answers, and one that has no part: they are killed before, during and after that. */
const KEEPER_STEPS = ['claim.after', 'keep.before', 'keep.after', 'settle.sent'];
/** Steps at which a kill has the same effect as at a neighboring step. */
const LIKE_ANOTHER: Partial<Readonly<Record<Victim, readonly string[]>>> = {
  gateway: ['verify.after', 'claim.before', 'execute.before', 'keep.before', 'settle.sent'],
  // The payments service takes no part in these steps of the gateway.
  payments: ['execute.before', 'execute.after', 'keep.before', 'keep.after', 'reply.before', 'reply.after'],
};
const stepsOf = (victim: Victim) => STEPS.filter((step) => !LIKE_ANOTHER[victim]?.includes(step));
/** The gateway comes first: its leases expire while the other cases run. */
const CASES: readonly (readonly [Victim, string])[] = [
  ...stepsOf('gateway').map((step) => ['gateway', step] as const),
  ...stepsOf('payments').map((step) => ['payments', step] as const),
  ...[...PAYMENT_STEPS, ...SETTLE_STEPS].map((step) => ['anvil', step] as const),
  ...STEPS.map((step) => ['postgres', step] as const),
  ...KEEPER_STEPS.map((step) => ['redis', step] as const),
  ...KEEPER_STEPS.map((step) => ['backoffice', step] as const),
];

const calls: PaymentCall[] = [];
// A settlement takes milliseconds here, so another process may take it over after seconds.
const stack = await startFaultyStack({ env: { payments: { SETTLE_TIMEOUT_MS: '3000', CLAIM_LEASE_MARGIN_MS: '0' } } });
const [offer] = requirementsOf(await post(stack.url + CONVERT, {})).accepts;
const chain = connectChain(stack.chainUrl, offer.asset as `0x${string}`);
test.after.always(() => stack.stop());

/** Creates a new payer with a payment that stays valid longer than this test takes. */
async function prepare(name: string): Promise<PaymentCall> {
  const wallet = await eventuallyFunded(stack.url);
  const payment = await signPayment(wallet, offer, { validBefore: `${Math.floor(Date.now() / 1000) + 1800}` });
  return { name, payment, answers: [] };
}

async function send(call: PaymentCall): Promise<Answer | undefined> {
  const headers = { 'payment-signature': encodePayment(call.payment) };
  const answer = await answerOf(post(stack.url + CONVERT, BODY, headers));
  call.answers.push(answer);
  return answer;
}

/** Waits until a trial succeeds, which needs every service but payments. The faucet then needs payments. */
const recovered = (): Promise<true> =>
  until(async () => {
    const answer = await tryOnce(stack.url, BODY, createWallet());
    return answer.headers.get('x-trial-accounting-status') === 'confirmed';
  });

for (const [victim, step] of CASES) {
  const name = `${victim} killed at ${step}`;
  test.serial(`payments go on after ${name}`, async (t) => {
    const call = await prepare(name);
    calls.push(call);
    const armed = stack.arm(step, victim);
    // One of the gateway's two channels to the service that was killed before may still wait for its next attempt to connect.
    const answered = until(async () => {
      const answer = await send(call);
      return armed.isHit() ? { answer } : undefined;
    });
    await armed.hit();
    await stack.revive(victim);
    const { answer } = await answered;
    t.log(answer === undefined ? 'no answer' : `${answer.status} ${codeOf(answer) ?? ''}`);
    t.true(answer !== undefined || victim === 'gateway', 'only a dead gateway is silent');
    await recovered();
  });
}

test.serial('every payer gets the result by repeating the request, and pays once', async (t) => {
  await Promise.all(calls.map((call) => until(async () => (await send(call))?.status === 200)));
  for (const call of calls) t.is(await findPaymentFault(chain, offer, call), undefined, call.name);
  const payee = offer.payTo as `0x${string}`;
  t.is(await chain.balanceOf(payee), PRICE * BigInt(calls.length));
});

test.serial('nothing stays open', async (t) => {
  await untilQuiet(stack);
  t.pass();
});
