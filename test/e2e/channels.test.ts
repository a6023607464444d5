import test from 'ava';
import { type ChannelBuyer, openBuyers, PRICE, responseOf } from '../kit/buyers.ts';
import { connectChain, createWallet } from '../kit/chain.ts';
import { type Answer, CONVERT, fromBase64, fundedWallet, post, requirementsOf } from '../kit/client.ts';
import { useSharedStack } from '../kit/shared-stack.ts';

/** A contract that accepts every signature (ERC-1271). */
const ACCEPTING_CODE = '0x631626ba7e60e01b5f5260205ff3';
const BODY = { html: '<h1>Channel</h1>' };
const MARKDOWN = '# Channel\n';

const stack = await useSharedStack();
const [origin] = stack.urls;
const buyers = openBuyers(origin);
const [{ asset }] = requirementsOf(await post(origin + CONVERT, {})).accepts;
const chain = connectChain(stack.chainUrl, asset);
test.after.always(() => stack.stop());

const buy = (buyer: ChannelBuyer): Promise<Answer> => buyer.call(CONVERT, BODY);

test('a tool is paid by a voucher', async (t) => {
  const buyer = await buyers.channel();
  t.is((await (await buyer.sign(CONVERT, BODY)).send()).status, 200);
  const { headers } = await buyer.sign(CONVERT, BODY);
  const payment = fromBase64(String(headers['payment-signature']));
  const params = { name: 'html_to_markdown', arguments: BODY, _meta: { 'x402/payment': payment } };
  const answer = await post(`${origin}/mcp`, { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  t.like(answer.json?.['result'], {
    structuredContent: { markdown: MARKDOWN },
    _meta: { 'x402/payment-response': { success: true, transaction: '', extra: { chargedAmount: String(PRICE) } } },
  });
});

test('a contract wallet pays through a channel whose vouchers an account signs, and gets the rest back', async (t) => {
  const wallet = await fundedWallet(origin, async () => {
    const { address } = createWallet();
    await chain.node.setCode({ address, bytecode: ACCEPTING_CODE });
    return { ...createWallet(), address };
  });
  const before = await chain.balanceOf(wallet.address);
  const buyer = await buyers.channel({ wallet, voucherSigner: createWallet() });
  t.not(responseOf(await buy(buyer)).transaction, '');
  t.like(responseOf(await buy(buyer)).extra, { channelState: { chargedCumulativeAmount: `${2n * PRICE}` } });
  t.true((await buyer.refund()).success);
  t.is(await chain.balanceOf(wallet.address), before - 2n * PRICE);
});
