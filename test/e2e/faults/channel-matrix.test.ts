import test from 'ava';
import { connectChain } from '../../helpers/chain.ts';
import { CONVERT, post, requirementsOf } from '../../helpers/client.ts';
import { withLedger } from '../../helpers/stack-ledger.ts';
import { until } from '../../helpers/until.ts';
import { findBrokenRule, findChannelFault, readChannelBooks, summaryOf } from './channel-books.ts';
import { eventuallyClaimed } from './channel-load.ts';
import { type ChannelPayer, createChannelPayer, eventuallyAnswered } from './channel-payer.ts';
import { type FaultyStack, startFaultyStack, type Victim } from './faulty-stack.ts';
import { PRICE } from './payment-books.ts';
import { untilQuiet } from './trial-books.ts';

const BODY = { html: '<h1>Fault</h1>' };
/** Steps of a first call with its deposit, of a call by voucher, and of the claim after each call. */
const CASES: readonly (readonly [Victim, readonly string[]])[] = [
  // The gateway comes first: what it leaves reserved is swept while the other cases run.
  ['gateway', ['deposit.after', 'reserve.after', 'post.before', 'post.after']],
  ['payments', ['channel-deposit.recorded', 'channel-deposit.sent']],
  ['payments', ['channel-claim.recorded', 'channel-claim.sent', 'channel-claim.mined', 'channel-claim.ended']],
  ['anvil', ['channel-deposit.sent', 'channel-claim.before', 'channel-claim.sent']],
  ['redis', ['channel-deposit.sent', 'reserve.before', 'post.before']],
  [
    'postgres',
    [
      'channel-deposit.before',
      'reserve.before',
      'reserve.after',
      'post.before',
      'post.after',
      'channel-claim.before',
      'channel-claim.mined',
    ],
  ],
  ['backoffice', ['reserve.before', 'post.before', 'channel-claim.sent']],
  ['content', ['execute.before']],
];
const isDeposit = (step: string) => /^(channel-)?deposit\./.test(step);

const payers: ChannelPayer[] = [];
let stack: FaultyStack;
/** Payers with an open channel, one for each case that does not begin with a deposit. */
let ready: ChannelPayer[];
test.before(async () => {
  const backoffice = { CHANNEL_CLAIM_ABOVE: '1', CHANNEL_CLAIM_INTERVAL_MS: '100', CHANNEL_WATCH_INTERVAL_MS: '500' };
  stack = await startFaultyStack({ env: { backoffice } });
  const later = CASES.flatMap(([, steps]) => steps).filter((step) => !isDeposit(step));
  ready = await Promise.all(
    later.map(async () => {
      const payer = await createChannelPayer(stack.url, BODY);
      await eventuallyAnswered(await payer.sign());
      return payer;
    }),
  );
});
test.after.always(() => stack?.stop());

for (const [victim, steps] of CASES) {
  for (const step of steps) {
    const name = `${victim} killed at ${step}`;
    test.serial(`channels go on after ${name}`, async (t) => {
      const payer = (isDeposit(step) ? undefined : ready.pop()) ?? (await createChannelPayer(stack.url, BODY));
      payers.push(payer);
      const call = await payer.sign();
      const armed = stack.arm(step, victim);
      // A process that was killed before may still be connecting.
      const sent = until(async () => {
        const answer = await call.send();
        return armed.isHit() || answer?.status === 200 ? { answer } : undefined;
      });
      await armed.hit();
      await stack.revive(victim);
      const { answer } = await sent;
      t.log(answer === undefined ? 'no answer' : summaryOf(answer));
      t.true(answer !== undefined || victim === 'gateway', 'only a dead gateway is silent');
      // A deposit is signed for a minute. Repeated at once, the request gets its result on a slow machine too.
      if (isDeposit(step)) await eventuallyAnswered(call);
      const [books] = await until(() => readChannelBooks(stack, [payer.channelId]));
      t.is(books && findBrokenRule(books), undefined);
    });
  }
}

test.serial('every payer gets the result by repeating the request, and can go on', async (t) => {
  await untilQuiet(stack);
  await Promise.all(
    payers.map(async (payer) => {
      const last = payer.calls.at(-1);
      if (last !== undefined) await eventuallyAnswered(last);
      await eventuallyAnswered(await payer.sign());
    }),
  );
  t.is(payers.length, CASES.flatMap(([, steps]) => steps).length);
});

test.serial('after the claims, the chain, the ledger and the retained results agree with every answer', async (t) => {
  await untilQuiet(stack);
  const all = [...payers, ...ready];
  const books = await eventuallyClaimed(stack, all);
  for (const [i, payer] of all.entries()) {
    const found = books[i];
    t.is(found && findChannelFault(payer, found), undefined, payer.channelId);
    t.is(found?.claimedMicroUsd, BigInt(payer.calls.length - 1) * PRICE, 'all but the latest call');
  }
  const { violations } = await withLedger(stack, (ledger) => ledger.audit());
  t.deepEqual(violations, []);
  const [offer] = requirementsOf(await post(stack.url + CONVERT, {})).accepts;
  const chain = connectChain(stack.chainUrl, offer.asset);
  const claimed = books.reduce((sum, { claimedMicroUsd }) => sum + claimedMicroUsd, 0n);
  t.is(await chain.balanceOf(offer.payTo as `0x${string}`), claimed, 'the payee has what was claimed');
});
