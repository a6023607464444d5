import { randomUUID } from 'node:crypto';
import test from 'ava';
import { isRecord } from '../../services/platform/is-record.ts';
import { connectChain, type Wallet } from '../helpers/chain.ts';
import {
  CONVERT,
  codeOf,
  fromBase64,
  fundedWallet,
  pay,
  post,
  requirementsOf,
  settlementOf,
  toBase64,
} from '../helpers/client.ts';
import { useSharedStack } from '../helpers/shared-stack.ts';
import { BODY, createChannelBuyer, MARKDOWN, PRICE, responseOf } from './channels/channel-client.ts';

const stack = await useSharedStack();
test.after.always(() => stack.stop());

const [origin] = stack.urls;
const url = origin + CONVERT;
const newIdentifier = () => `order-${randomUUID()}`;

/** A call with a payment that is signed for it now. */
async function call(wallet: Wallet, identifier: string, body: object = BODY) {
  const asked = requirementsOf(await post(url, body));
  return post(url, body, { 'payment-signature': await pay(asked, wallet, identifier) });
}

async function balanceOf(wallet: Wallet): Promise<bigint> {
  const { accepts } = requirementsOf(await post(url, BODY));
  return connectChain(stack.chainUrl, accepts[0].asset).balanceOf(wallet.address);
}

/** Adds an identifier to each payment that the client sends. */
const fetchNamed =
  (identifier: () => string): typeof fetch =>
  async (input, init) => {
    const request = new Request(input, init);
    const header = request.headers.get('payment-signature');
    const payment = header === null ? undefined : fromBase64(header);
    if (isRecord(payment)) {
      const extensions = { 'payment-identifier': { info: { required: false, id: identifier() } } };
      request.headers.set('payment-signature', toBase64({ ...payment, extensions }));
    }
    return fetch(request);
  };

test('a call with one payment-identifier is charged once, however often it is signed', async (t) => {
  const wallet = await fundedWallet(origin);
  const identifier = newIdentifier();
  const first = await call(wallet, identifier);
  t.is(first.status, 200, first.text);
  const left = await balanceOf(wallet);
  for (const again of await Promise.all([call(wallet, identifier), call(wallet, identifier)])) {
    t.is(again.status, 200, again.text);
    t.is(again.text, first.text);
    t.deepEqual(settlementOf(again), settlementOf(first));
  }
  t.is(await balanceOf(wallet), left);
  const other = await call(wallet, identifier, { html: '<p>another</p>' });
  t.is(other.status, 409);
  t.is(codeOf(other), 'PAYMENT_REUSED');
  t.is((await call(wallet, newIdentifier())).status, 200);
  t.is(await balanceOf(wallet), left - PRICE);
});

test('calls with one payment-identifier that come together are charged once', async (t) => {
  const wallet = await fundedWallet(origin);
  const before = await balanceOf(wallet);
  const identifier = newIdentifier();
  const answers = await Promise.all(Array.from({ length: 5 }, () => call(wallet, identifier)));
  t.deepEqual(
    answers.map(({ status }) => status),
    answers.map(() => 200),
  );
  t.is(await balanceOf(wallet), before - PRICE);
});

test('a channel is charged once for a payment-identifier, and its next call is not confused', async (t) => {
  let identifier = newIdentifier();
  const buyer = await createChannelBuyer(origin, { fetch: fetchNamed(() => identifier) });
  const charged = async () => responseOf(await buyer.call()).extra?.['channelState'];
  const first = await buyer.call();
  t.is(first.status, 200, first.text);
  t.like(await charged(), { chargedCumulativeAmount: `${PRICE}` });
  // A client without memory asks what was charged, and signs the next voucher for the same call.
  const again = await buyer.forget().call();
  t.is(again.text, first.text);
  identifier = newIdentifier();
  t.like(await charged(), { chargedCumulativeAmount: `${2n * PRICE}` });
});

test('no deposit is made for a call whose identifier was used for another request', async (t) => {
  const wallet = await fundedWallet(origin);
  const identifier = newIdentifier();
  t.is((await call(wallet, identifier, { html: '<p>another</p>' })).status, 200);
  const left = await balanceOf(wallet);
  const buyer = await createChannelBuyer(origin, { wallet, fetch: fetchNamed(() => identifier) });
  const refused = await buyer.call();
  t.is(codeOf(refused), 'PAYMENT_REUSED', refused.text);
  t.false(refused.headers.has('payment-response'));
  t.is(await balanceOf(wallet), left);
});

test('an identifier of a channel is not charged again by a single payment of the same wallet, nor the other way round', async (t) => {
  let identifier = newIdentifier();
  const buyer = await createChannelBuyer(origin, { fetch: fetchNamed(() => identifier) });
  const first = await buyer.call();
  t.is(first.json?.['markdown'], MARKDOWN, first.text);
  const left = await balanceOf(buyer.wallet);
  const single = await call(buyer.wallet, identifier);
  t.is(single.json?.['markdown'], MARKDOWN, single.text);
  t.is(await balanceOf(buyer.wallet), left);
  identifier = newIdentifier();
  const paid = await call(buyer.wallet, identifier);
  t.is(paid.status, 200, paid.text);
  const voucher = await buyer.call();
  t.is(voucher.json?.['markdown'], MARKDOWN, voucher.text);
  t.like(responseOf(voucher).extra?.['channelState'], { chargedCumulativeAmount: `${PRICE}` });
});
