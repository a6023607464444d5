import test from 'ava';
import { type ChannelBuyer, eventuallyAnswered, openBuyers, PRICE } from '../../kit/buyers.ts';
import { connectChain } from '../../kit/chain.ts';
import { CONVERT, post, requirementsOf } from '../../kit/client.ts';
import { until } from '../../kit/until.ts';
import { describe, eventuallyClaimed, findBrokenRule, findDifferences, readChannelBooks } from './books.ts';
import { answerOf, BODY, startFaultyStack, type Victim } from './faulty-stack.ts';
import { untilQuiet } from './quiet.ts';

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

const opened: ChannelBuyer[] = [];
const backoffice = { CHANNEL_CLAIM_ABOVE: '1', CHANNEL_CLAIM_INTERVAL_MS: '100', CHANNEL_WATCH_INTERVAL_MS: '500' };
const stack = await startFaultyStack({ env: { backoffice } });
const buyers = openBuyers(stack.url);
/** Payers with an open channel, one for each case that does not begin with a deposit. */
const ready = await Promise.all(
  CASES.flatMap(([, steps]) => steps)
    .filter((step) => !isDeposit(step))
    .map(async () => {
      const buyer = await buyers.channel();
      await eventuallyAnswered(await buyer.sign(CONVERT, BODY));
      return buyer;
    }),
);
test.after.always(() => stack.stop());

for (const [victim, steps] of CASES) {
  for (const step of steps) {
    test.serial(`channels go on after ${victim} killed at ${step}`, async (t) => {
      const buyer = (isDeposit(step) ? undefined : ready.pop()) ?? (await buyers.channel());
      opened.push(buyer);
      const call = await buyer.sign(CONVERT, BODY);
      const armed = stack.arm(step, victim);
      // A process that was killed before may still be connecting.
      const sent = until(async () => {
        const answer = await answerOf(call.send());
        return armed.isHit() || answer?.status === 200 ? { answer } : undefined;
      });
      await armed.hit();
      await stack.revive(victim);
      const { answer } = await sent;
      t.log(describe(answer));
      t.true(answer !== undefined || victim === 'gateway', 'only a dead gateway is silent');
      // A deposit is signed for a minute. Repeated at once, the request gets its result on a slow machine too.
      if (isDeposit(step)) await eventuallyAnswered(call);
      const [books] = await until(() => readChannelBooks(stack, [buyer.channelId]));
      t.is(books && findBrokenRule(books), undefined);
    });
  }
}

test.serial('every payer gets the result by repeating the request, and can go on', async (t) => {
  await untilQuiet(stack);
  await Promise.all(
    opened.map(async (buyer) => {
      await Promise.all(buyer.calls.slice(-1).map(eventuallyAnswered));
      await eventuallyAnswered(await buyer.sign(CONVERT, BODY));
    }),
  );
  t.is(opened.length, CASES.flatMap(([, steps]) => steps).length);
});

test.serial('after the claims, the chain, the ledger and the retained results agree with every answer', async (t) => {
  await untilQuiet(stack);
  const all = [...opened, ...ready];
  t.deepEqual(await findDifferences(stack, { channels: all }), []);
  const claimed = (await eventuallyClaimed(stack, all)).map(({ claimedMicroUsd }) => claimedMicroUsd);
  t.deepEqual(
    claimed,
    all.map(({ calls }) => BigInt(calls.length - 1) * PRICE),
    'all but the latest call',
  );
  const [offer] = requirementsOf(await post(stack.url + CONVERT, {})).accepts;
  const paid = await connectChain(stack.chainUrl, offer.asset).balanceOf(offer.payTo as `0x${string}`);
  t.is(
    paid,
    claimed.reduce((sum, each) => sum + each),
    'the payee has what was claimed',
  );
});

test.serial('a payer who lost the state is corrected after a claim, and then refunded', async (t) => {
  const forgetful = opened[0]?.forget();
  t.is((await forgetful?.call(CONVERT, { html: '<p>after the loss' }))?.status, 200);
  t.true((await forgetful?.refund())?.success);
});
