import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from '@x402/core/http';
import { toClientEvmSigner } from '@x402/evm';
import {
  BatchSettlementEvmScheme,
  computeChannelId,
  InMemoryClientChannelStorage,
} from '@x402/evm/batch-settlement/client';
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch';
import test from 'ava';
import { type Abi, createPublicClient, http } from 'viem';
import { REFUND_PATH } from '../../../gateway/access/offer/refund-offer.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { connectChain, createNonce, type Wallet } from '../../helpers/chain.ts';
import { CONVERT, fundedWallet, headerOf, post, rawRequest } from '../../helpers/client.ts';
import { useSharedStack } from '../../helpers/shared-stack.ts';

const stack = await useSharedStack();
test.after.always(() => stack.stop());

const NETWORK = 'eip155:31337';
const PRICE = 3000n;
const BODY = { html: '<h1>Channel</h1>' };
const MARKDOWN = '# Channel\n';

async function offers() {
  const answer = await post(stack.urls[0] + CONVERT, {});
  return decodePaymentRequiredHeader(headerOf(answer, 'payment-required'));
}

/** The official client, which remembers nothing of earlier channels. */
function createBuyer(wallet: Wallet, salt = createNonce()) {
  const node = createPublicClient({ transport: http(stack.chainUrl) });
  const signer = toClientEvmSigner(wallet, {
    // The package types ABIs as lists of unknown values.
    readContract: ({ abi, ...args }) => node.readContract({ ...args, abi: abi as Abi }),
  });
  const storage = new InMemoryClientChannelStorage();
  const scheme = new BatchSettlementEvmScheme(signer, { salt, storage });
  const client = new x402Client().register(NETWORK, scheme).setSpendControls({ allowedAssets: true });
  let sent: Request | undefined;
  const paidFetch = wrapFetchWithPayment(async (input, init) => {
    const request = new Request(input, init);
    if (request.headers.has('payment-signature')) sent = request.clone();
    return fetch(request);
  }, client);
  const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(BODY) };
  return {
    salt,
    storage,
    scheme,
    client,
    pay: () => paidFetch(stack.urls[0] + CONVERT, request),
    again: () => fetch(defined(sent).clone()),
    refund: () => scheme.refund(stack.urls[0] + REFUND_PATH),
  };
}

async function settlementOf(response: Response) {
  const text = await response.text();
  if (response.status !== 200)
    throw new Error(`${response.status}: ${text} ${response.headers.get('payment-required')}`);
  return { text, ...decodePaymentResponseHeader(headerOf(response, 'payment-response')) };
}

test('channels are offered after the exact payment', async (t) => {
  const { accepts } = await offers();
  t.deepEqual(
    accepts.map(({ scheme }) => scheme),
    ['exact', 'batch-settlement'],
  );
  const again = (await offers()).accepts[1];
  t.is(again?.extra['receiverAuthorizer'], accepts[1]?.extra['receiverAuthorizer']);
});

test('the official client deposits, pays by vouchers, loses its state, and gets the rest back', async (t) => {
  const wallet = await fundedWallet(stack.urls[0]);
  const [exact, offer] = (await offers()).accepts;
  const chain = connectChain(stack.chainUrl, defined(exact).asset);
  const before = await chain.balanceOf(wallet.address);
  const buyer = createBuyer(wallet);
  const first = await settlementOf(await buyer.pay());
  t.like(JSON.parse(first.text), { markdown: MARKDOWN });
  t.regex(first.transaction, /^0x[0-9a-f]{64}$/);
  const deposit = BigInt(defined(first.amount));
  t.true(deposit >= BigInt(String(defined(offer).extra['minDeposit'])));
  t.is(await chain.balanceOf(wallet.address), before - deposit);

  const second = await settlementOf(await buyer.pay());
  t.is(second.transaction, '');
  t.like(second.extra, {
    chargedAmount: String(PRICE),
    channelState: { balance: String(deposit), totalClaimed: '0', chargedCumulativeAmount: String(2n * PRICE) },
  });
  const { text, extra } = await settlementOf(await buyer.again());
  t.deepEqual([text, extra], [second.text, second.extra]);

  const forgetful = createBuyer(wallet, buyer.salt);
  t.like((await settlementOf(await forgetful.pay())).extra, {
    channelState: { chargedCumulativeAmount: String(3n * PRICE) },
  });

  const refund = await forgetful.refund();
  t.like(refund, { success: true, amount: String(deposit - 3n * PRICE) });
  t.like(refund.extra, { channelState: { totalClaimed: String(3n * PRICE), balance: String(3n * PRICE) } });
  t.is(await chain.balanceOf(wallet.address), before - 3n * PRICE);
  // The channel is used again.
  t.not((await settlementOf(await forgetful.pay())).transaction, '');
});

test('a tool is paid by a voucher', async (t) => {
  const wallet = await fundedWallet(stack.urls[0]);
  const buyer = createBuyer(wallet);
  await settlementOf(await buyer.pay());
  const required = await offers();
  const payment = await buyer.client.createPaymentPayload({ ...required, accepts: [defined(required.accepts[1])] });
  const params = { name: 'html_to_markdown', arguments: BODY, _meta: { 'x402/payment': payment } };
  const answer = await post(`${stack.urls[0]}/mcp`, { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  t.like(answer.json?.['result'], {
    structuredContent: { markdown: MARKDOWN },
    _meta: { 'x402/payment-response': { success: true, transaction: '', extra: { chargedAmount: String(PRICE) } } },
  });
});

test('a voucher of a channel without a deposit is refused', async (t) => {
  const wallet = await fundedWallet(stack.urls[0]);
  const { scheme, client, storage } = createBuyer(wallet);
  const required = await offers();
  const offer = defined(required.accepts[1]);
  const id = computeChannelId(scheme.buildChannelConfig(offer), NETWORK);
  await storage.set(id, { balance: '1000000', chargedCumulativeAmount: '0' });
  const payment = await client.createPaymentPayload({ ...required, accepts: [offer] });
  const answer = await post(stack.urls[0] + CONVERT, BODY, {
    'payment-signature': encodePaymentSignatureHeader(payment),
  });
  t.is(answer.status, 402);
  const { error } = decodePaymentRequiredHeader(headerOf(answer, 'payment-required'));
  t.is(error, 'invalid_batch_settlement_evm_channel_not_found');
  t.is((await rawRequest(stack.urls[0] + REFUND_PATH, { method: 'HEAD' })).status, 405);
});
