import test from 'ava';
import { openBuyers, PRICE, type SignedCall } from '../../kit/buyers.ts';
import { connectChain } from '../../kit/chain.ts';
import { CONVERT, post, requirementsOf } from '../../kit/client.ts';
import { until } from '../../kit/until.ts';
import { describe, findDifferences } from './books.ts';
import { answerOf, BODY, eventuallyConfirmed, startFaultyStack, type Victim } from './faulty-stack.ts';
import { untilQuiet } from './quiet.ts';

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

const calls: SignedCall[] = [];
// A settlement takes milliseconds here, so another process may take it over after seconds.
const stack = await startFaultyStack({ env: { payments: { SETTLE_TIMEOUT_MS: '3000', CLAIM_LEASE_MARGIN_MS: '0' } } });
const buyers = openBuyers(stack.url);
test.after.always(() => stack.stop());

for (const [victim, step] of CASES) {
  test.serial(`payments go on after ${victim} killed at ${step}`, async (t) => {
    // It stays valid longer than this test takes.
    const call = await (await until(() => buyers.exact({ validS: 1800 }))).sign(CONVERT, BODY);
    calls.push(call);
    const armed = stack.arm(step, victim);
    // One of the gateway's two channels to the service that was killed before may still wait for its next attempt to connect.
    const answered = until(async () => {
      const answer = await answerOf(call.send());
      return armed.isHit() ? { answer } : undefined;
    });
    await armed.hit();
    await stack.revive(victim);
    const { answer } = await answered;
    t.log(describe(answer));
    t.true(answer !== undefined || victim === 'gateway', 'only a dead gateway is silent');
    // Trials need every service but payments. The faucet then needs payments.
    await eventuallyConfirmed(stack.url);
  });
}

test.serial('every payer gets the result by repeating the request, and pays once', async (t) => {
  await Promise.all(calls.map((call) => until(async () => (await answerOf(call.send()))?.status === 200)));
  // What was executed and not paid is left to the sweeps.
  await untilQuiet(stack);
  t.deepEqual(await findDifferences(stack, { payments: calls }), []);
  const [offer] = requirementsOf(await post(stack.url + CONVERT, {})).accepts;
  const payee = offer.payTo as `0x${string}`;
  t.is(await connectChain(stack.chainUrl, offer.asset).balanceOf(payee), PRICE * BigInt(calls.length));
});
