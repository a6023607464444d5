import test from 'ava';
import { createChannelBuyer, PRICE } from '../e2e/channels/channel-client.ts';
import { createWallet } from '../helpers/chain.ts';
import { CONVERT, post } from '../helpers/client.ts';
import { startStack } from '../helpers/stack.ts';
import { until } from '../helpers/until.ts';

const stack = await startStack({});
test.after.always(() => stack.stop());
const [origin] = stack.urls;

async function offerExactOnly(): Promise<void> {
  await stack.kill('payments');
  await stack.kill('gateway0');
  await stack.start('payments', { X402_SCHEMES: 'exact' });
  await stack.start('gateway0');
}

test.serial(
  'after X402_SCHEMES=exact, what was paid is answered again and the rest of a channel is refunded',
  async (t) => {
    let sent: Request | undefined;
    const buyer = await createChannelBuyer(origin, {
      fetch: async (input, init) => {
        const request = new Request(input, init);
        if (request.headers.has('payment-signature')) sent = request.clone();
        return fetch(request);
      },
    });
    const first = await buyer.call();
    t.is(first.status, 200);
    t.is((await buyer.call()).status, 200);
    const again = sent?.clone();
    await offerExactOnly();
    t.is((await post(origin + CONVERT, {})).status, 402);
    const repeated = again && (await fetch(again));
    t.log(repeated?.status, repeated?.headers.get('payment-required')?.slice(0, 80));
    t.log('refund endpoint:', (await fetch(`${origin}/api/v1/channels/refund`)).status);
    const refund = await buyer.refund().catch((error: unknown) => error);
    t.log(String(refund), PRICE);
    t.is(repeated?.status, 200, 'a charged call whose answer was lost is refused');
    t.like(refund, { success: true }, 'docs/operations/channels.md: "refunds are still made"');
  },
);

test.serial('a gateway that still offers channels does not call a deposit pending that was never sent', async (t) => {
  await stack.kill('payments');
  await stack.kill('gateway0');
  await stack.start('payments');
  await stack.start('gateway0');
  const buyer = await createChannelBuyer(origin);
  await stack.kill('payments');
  await stack.start('payments', { X402_SCHEMES: 'exact' });
  await until(async () => (await post(`${origin}/sandbox/faucet`, { address: createWallet().address })).status === 200);
  const answer = await buyer.call();
  t.log(answer.status, answer.text);
  t.not(answer.status, 503, 'the client is told to send a deposit again and again that is never made');
});
