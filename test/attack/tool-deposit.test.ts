import { randomUUID } from 'node:crypto';
import { decodePaymentRequiredHeader } from '@x402/core/http';
import { toClientEvmSigner } from '@x402/evm';
import { BatchSettlementEvmScheme, InMemoryClientChannelStorage } from '@x402/evm/batch-settlement/client';
import { x402Client } from '@x402/fetch';
import test from 'ava';
import { type Abi, createPublicClient, http } from 'viem';
import { isRecord } from '../../services/platform/is-record.ts';
import { defined } from '../../workers/exact/defined.ts';
import { BODY } from '../e2e/channels/channel-client.ts';
import { connectChain, createNonce, type Wallet } from '../helpers/chain.ts';
import { CONVERT, fundedWallet, headerOf, pay, post, requirementsOf, toBase64 } from '../helpers/client.ts';
import { useSharedStack } from '../helpers/shared-stack.ts';

const stack = await useSharedStack();
test.after.always(() => stack.stop());
const [origin] = stack.urls;
const url = origin + CONVERT;
const OTHER = { html: '<h1>Another call</h1>' };

async function offers() {
  return decodePaymentRequiredHeader(headerOf(await post(url, {}), 'payment-required'));
}

/** A payment with the first deposit of a new channel. */
async function newDeposit(wallet: Wallet, id: string) {
  const node = createPublicClient({ transport: http(stack.chainUrl) });
  const signer = toClientEvmSigner(wallet, {
    readContract: ({ abi, ...args }) => node.readContract({ ...args, abi: abi as Abi }),
  });
  const scheme = new BatchSettlementEvmScheme(signer, {
    salt: createNonce(),
    storage: new InMemoryClientChannelStorage(),
  });
  const client = new x402Client().register('eip155:31337', scheme).setSpendControls({ allowedAssets: true });
  const required = await offers();
  const payment = await client.createPaymentPayload({ ...required, accepts: [defined(required.accepts[1])] });
  return { ...payment, extensions: { 'payment-identifier': { info: { required: false, id } } } };
}

const callTool = (payment: object) =>
  post(`${origin}/mcp`, {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'html_to_markdown', arguments: OTHER, _meta: { 'x402/payment': payment } },
  });

test('a tool whose call fails after a deposit tells of the deposit, as HTTP does', async (t) => {
  const wallet = await fundedWallet(origin);
  const id = `order-${randomUUID()}`;
  const asked = requirementsOf(await post(url, BODY));
  t.is((await post(url, BODY, { 'payment-signature': await pay(asked, wallet, id) })).status, 200);
  const chain = connectChain(stack.chainUrl, asked.accepts[0].asset);

  const overHttp = await post(url, OTHER, { 'payment-signature': toBase64(await newDeposit(wallet, id)) });
  t.is(overHttp.status, 409);
  t.true(overHttp.headers.has('payment-response'), 'HTTP tells of the deposit');

  const before = await chain.balanceOf(wallet.address);
  const result = defined((await callTool(await newDeposit(wallet, id))).json)['result'];
  t.true((await chain.balanceOf(wallet.address)) < before, 'the deposit was made');
  const meta = isRecord(result) ? result['_meta'] : undefined;
  t.log(JSON.stringify(result));
  t.true(isRecord(meta) && 'x402/payment-response' in meta, 'the tool does not tell of the deposit');
});

test('no deposit is made for a call whose identifier was used for another request', async (t) => {
  const wallet = await fundedWallet(origin);
  const id = `order-${randomUUID()}`;
  const asked = requirementsOf(await post(url, BODY));
  t.is((await post(url, BODY, { 'payment-signature': await pay(asked, wallet, id) })).status, 200);
  const chain = connectChain(stack.chainUrl, asked.accepts[0].asset);
  const before = await chain.balanceOf(wallet.address);
  const refused = await post(url, OTHER, { 'payment-signature': toBase64(await newDeposit(wallet, id)) });
  t.is(refused.status, 409);
  t.is(
    await chain.balanceOf(wallet.address),
    before,
    'a deposit was made, and we paid its gas, for a call that is refused',
  );
});
