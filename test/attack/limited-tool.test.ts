import { randomUUID } from 'node:crypto';
import { decodePaymentRequiredHeader } from '@x402/core/http';
import { toClientEvmSigner } from '@x402/evm';
import { BatchSettlementEvmScheme, InMemoryClientChannelStorage } from '@x402/evm/batch-settlement/client';
import { x402Client } from '@x402/fetch';
import test from 'ava';
import { type Abi, createPublicClient, http } from 'viem';
import { defined } from '../../workers/exact/defined.ts';
import { BODY } from '../e2e/channels/channel-client.ts';
import { connectChain, createNonce } from '../helpers/chain.ts';
import { CONVERT, fundedWallet, headerOf, pay, post, requirementsOf, toBase64 } from '../helpers/client.ts';
import { startStack } from '../helpers/stack.ts';

const stack = await startStack({ env: { gateway: { RATE_LIMIT_PER_MINUTE: '8' } } });
test.after.always(() => stack.stop());
const [origin] = stack.urls;
const url = origin + CONVERT;
const OTHER = { html: '<h1>Another call</h1>' };

test('over the limit of its address, a tool still tells what became of a call with a deposit', async (t) => {
  const wallet = await fundedWallet(origin);
  const id = `order-${randomUUID()}`;
  const asked = requirementsOf(await post(url, BODY));
  t.is((await post(url, BODY, { 'payment-signature': await pay(asked, wallet, id) })).status, 200);
  const required = decodePaymentRequiredHeader(headerOf(await post(url, {}), 'payment-required'));
  const node = createPublicClient({ transport: http(stack.chainUrl) });
  const signer = toClientEvmSigner(wallet, {
    readContract: ({ abi, ...args }) => node.readContract({ ...args, abi: abi as Abi }),
  });
  const newDeposit = async () => {
    const scheme = new BatchSettlementEvmScheme(signer, {
      salt: createNonce(),
      storage: new InMemoryClientChannelStorage(),
    });
    const client = new x402Client().register('eip155:31337', scheme).setSpendControls({ allowedAssets: true });
    const payment = await client.createPaymentPayload({ ...required, accepts: [defined(required.accepts[1])] });
    return { ...payment, extensions: { 'payment-identifier': { info: { required: false, id } } } };
  };
  const [one, other] = [await newDeposit(), await newDeposit()];
  // Somebody behind the same proxy.
  for (let n = 0; n < 8; n += 1) await post(url, {});
  const overHttp = await post(url, OTHER, { 'payment-signature': toBase64(one) });
  t.deepEqual([overHttp.status, overHttp.headers.has('payment-response')], [409, true]);
  const chain = connectChain(stack.chainUrl, asked.accepts[0].asset);
  const before = await chain.balanceOf(wallet.address);
  const answer = await post(`${origin}/mcp`, {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'html_to_markdown', arguments: OTHER, _meta: { 'x402/payment': other } },
  });
  t.true((await chain.balanceOf(wallet.address)) < before, 'the deposit was made');
  t.log(answer.status, answer.text);
  t.not(answer.status, 429, 'the outcome of the call is replaced by that of the limit');
});
