import { decodePaymentRequiredHeader } from '@x402/core/http';
import test from 'ava';
import { connectChain, createWallet } from '../../helpers/chain.ts';
import { CONVERT, fundedWallet, headerOf, post, requirementsOf } from '../../helpers/client.ts';
import { useSharedStack } from '../../helpers/shared-stack.ts';
import { createChannelBuyer, MARKDOWN, PRICE, responseOf } from './channel-client.ts';

/** A contract that accepts every signature (ERC-1271). */
const ACCEPTING_CODE = '0x631626ba7e60e01b5f5260205ff3';
const ZERO_ADDRESS = `0x${'0'.repeat(40)}` as const;

const stack = await useSharedStack();
test.after.always(() => stack.stop());

async function connect() {
  const [offer] = requirementsOf(await post(stack.urls[0] + CONVERT, {})).accepts;
  return connectChain(stack.chainUrl, offer.asset);
}

/** A contract wallet with money, and an owner that signs for it. */
const createContractWallet = () =>
  fundedWallet(stack.urls[0], async () => {
    const { address } = createWallet();
    await (await connect()).node.setCode({ address, bytecode: ACCEPTING_CODE });
    return { ...createWallet(), address };
  });

test('a contract wallet pays through a channel whose vouchers an account signs, and gets the rest back', async (t) => {
  const wallet = await createContractWallet();
  const chain = await connect();
  const before = await chain.balanceOf(wallet.address);
  const buyer = await createChannelBuyer(stack.urls[0], { wallet, voucherSigner: createWallet() });
  const first = await buyer.call();
  t.is(first.status, 200, first.text);
  t.is(first.json?.['markdown'], MARKDOWN);
  const { transaction } = responseOf(first);
  t.regex(transaction, /^0x[0-9a-f]{64}$/);
  const second = await buyer.call();
  t.is(second.status, 200, second.text);
  t.like(responseOf(second).extra, { channelState: { chargedCumulativeAmount: `${2n * PRICE}` } });
  t.true((await buyer.refund()).success);
  t.is(await chain.balanceOf(wallet.address), before - 2n * PRICE);
});

test('a channel without an account that signs vouchers is refused before anything is deposited', async (t) => {
  const wallet = await createContractWallet();
  const chain = await connect();
  const before = await chain.balanceOf(wallet.address);
  const buyer = await createChannelBuyer(stack.urls[0], { wallet, payerAuthorizer: ZERO_ADDRESS });
  const answer = await buyer.call();
  t.is(answer.status, 402, answer.text);
  t.is(
    decodePaymentRequiredHeader(headerOf(answer, 'payment-required')).error,
    'invalid_batch_settlement_evm_authorizer_address_mismatch',
  );
  t.is(await chain.balanceOf(wallet.address), before);
});
