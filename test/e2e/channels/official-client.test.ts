import test from 'ava';
import { createNonce } from '../../helpers/chain.ts';
import { useSharedStack } from '../../helpers/shared-stack.ts';
import { withLedger } from '../../helpers/stack-ledger.ts';
import { BODY, createChannelBuyer, MARKDOWN, PRICE, responseOf } from './channel-client.ts';

const stack = await useSharedStack();
test.after.always(() => stack.stop());

const readAccount = async (channelId: string) => (await withLedger(stack, (ledger) => ledger.channels([channelId])))[0];

test('a client opens a channel with its first call, and pays a hundred calls by voucher', async (t) => {
  const buyer = await createChannelBuyer(stack.urls[0]);
  const first = await buyer.call();
  t.is(first.status, 200, first.text);
  t.is(first.json?.['markdown'], MARKDOWN);
  const deposit = responseOf(first);
  t.true(deposit.success);
  t.regex(deposit.transaction, /^0x[0-9a-f]{64}$/);
  for (let paid = 2n; paid <= 100n; paid += 1n) {
    const answer = await buyer.call({ html: `<p>call ${paid}` });
    t.is(answer.status, 200, answer.text);
    t.is(answer.json?.['markdown'], `call ${paid}\n`);
    const { success, extra } = responseOf(answer);
    t.true(success);
    t.like(extra, { chargedAmount: `${PRICE}`, channelState: { chargedCumulativeAmount: `${paid * PRICE}` } });
  }
  t.like(await readAccount(await buyer.channelId()), { chargedMicroUsd: 100n * PRICE, reservedMicroUsd: 0n });
});

test('a client that lost its state is corrected, and goes on', async (t) => {
  const buyer = await createChannelBuyer(stack.urls[0]);
  for (let calls = 0; calls < 3; calls += 1) t.is((await buyer.call()).status, 200);
  const again = await buyer.forget().call({ html: '<p>after the loss' });
  t.is(again.status, 200, again.text);
  t.is(again.json?.['markdown'], 'after the loss\n');
  t.like(await readAccount(await buyer.channelId()), { chargedMicroUsd: 4n * PRICE });
});

test('one wallet pays through two channels at the same time', async (t) => {
  const one = await createChannelBuyer(stack.urls[0]);
  const two = await createChannelBuyer(stack.urls[0], { wallet: one.wallet, salt: createNonce() });
  const answers = await Promise.all(
    [one, two].map(async (buyer) => {
      const statuses: number[] = [];
      for (let calls = 0; calls < 5; calls += 1) statuses.push((await buyer.call()).status);
      return statuses;
    }),
  );
  t.deepEqual(answers, [
    [200, 200, 200, 200, 200],
    [200, 200, 200, 200, 200],
  ]);
  t.not(await one.channelId(), await two.channelId());
});

test('a failed call costs nothing, and the same voucher pays for the next one', async (t) => {
  const buyer = await createChannelBuyer(stack.urls[0]);
  t.is((await buyer.call()).status, 200);
  const failed = await buyer.call({ html: '<b>'.repeat(100_001) });
  t.is(failed.status, 400, failed.text);
  t.is((await buyer.call()).status, 200);
  t.like(await readAccount(await buyer.channelId()), { chargedMicroUsd: 2n * PRICE, reservedMicroUsd: 0n });
});

test('a part, and then the rest, is refunded', async (t) => {
  const buyer = await createChannelBuyer(stack.urls[0]);
  t.is((await buyer.call()).status, 200);
  const opened = await readAccount(await buyer.channelId());
  const part = await buyer.refund(PRICE);
  t.true(part.success);
  t.is((await readAccount(await buyer.channelId()))?.fundedMicroUsd, (opened?.fundedMicroUsd ?? 0n) - PRICE);
  t.is((await buyer.call(BODY)).status, 200);
  const rest = await buyer.refund();
  t.true(rest.success);
  t.like(await readAccount(await buyer.channelId()), {
    balanceMicroUsd: 0n,
    fundedMicroUsd: 2n * PRICE,
    chargedMicroUsd: 2n * PRICE,
  });
});
