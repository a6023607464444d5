import { decodePaymentRequiredHeader } from '@x402/core/http';
import { toClientEvmSigner } from '@x402/evm';
import {
  BatchSettlementEvmScheme,
  computeChannelId,
  InMemoryClientChannelStorage,
} from '@x402/evm/batch-settlement/client';
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch';
import test from 'ava';
import type { Abi } from 'viem';
import { defined } from '../../../../workers/exact/defined.ts';
import { createNonce, createWallet, type Wallet } from '../../../kit/chain.ts';
import { headerOf } from '../../../kit/client.ts';
import { CHAIN_ID, startChannelChain } from './channel-chain.ts';
import { createOfficialSeller, NETWORK, PRICE } from './official-seller.ts';

const chain = await startChannelChain();
test.after.always(() => chain.stop());

const FUNDS = 10_000_000n;
/** The official server announces ten prices as the least deposit. */
const DEPOSIT = 10n * PRICE;

type Seller = Awaited<ReturnType<typeof createOfficialSeller>>;

async function fundedWallet(): Promise<Wallet> {
  const wallet = createWallet();
  await chain.mint(wallet.address, FUNDS);
  return wallet;
}

/** The official client with no memory of earlier channels. */
function createBuyer(seller: Seller, wallet: Wallet, salt = createNonce()) {
  const readContract: Parameters<typeof toClientEvmSigner>[1] = {
    // The package types ABIs as lists of unknown values.
    readContract: ({ abi, ...args }) => chain.node.readContract({ ...args, abi: abi as Abi }),
  };
  const scheme = new BatchSettlementEvmScheme(toClientEvmSigner(wallet, readContract), {
    salt,
    storage: new InMemoryClientChannelStorage(),
  });
  const client = new x402Client().register(NETWORK, scheme).setSpendControls({ allowedAssets: true });
  const paidFetch = wrapFetchWithPayment(seller.fetch, client);
  const config = async () => {
    const answer = await seller.fetch(seller.url);
    const [offer] = decodePaymentRequiredHeader(headerOf(answer, 'payment-required')).accepts;
    return scheme.buildChannelConfig(defined(offer));
  };
  return {
    config,
    salt,
    async pay() {
      const answer = await paidFetch(seller.url);
      if (answer.status !== 200)
        throw new Error(decodePaymentRequiredHeader(headerOf(answer, 'payment-required')).error);
      return decodePaymentResponseHeader(headerOf(answer, 'payment-response'));
    },
    refund: (amount?: bigint) =>
      scheme.refund(seller.url, { fetch: seller.fetch, ...(amount !== undefined && { amount: `${amount}` }) }),
    state: async () => chain.stateOf({ id: computeChannelId(await config(), CHAIN_ID) }),
  };
}

test.serial('a client deposits with its first call, pays by vouchers, and tops up', async (t) => {
  const seller = await createOfficialSeller(chain);
  const wallet = await fundedWallet();
  const buyer = createBuyer(seller, wallet);
  const first = await buyer.pay();
  t.like(first, { success: true, amount: `${DEPOSIT}` });
  t.regex(first.transaction, /^0x[0-9a-f]{64}$/);
  t.like(await buyer.state(), { balance: DEPOSIT, totalClaimed: 0n });
  for (let paid = 2n; paid <= 10n; paid += 1n) {
    const { transaction, amount, extra } = await buyer.pay();
    t.deepEqual([transaction, amount], ['', '']);
    t.like(extra, { chargedAmount: `${PRICE}`, channelState: { chargedCumulativeAmount: `${paid * PRICE}` } });
  }
  const again = await buyer.pay();
  t.not(again.transaction, '');
  t.is((await buyer.state()).balance, 2n * DEPOSIT);
  t.is(await chain.balanceOf(wallet.address), FUNDS - 2n * DEPOSIT);
});

test.serial('vouchers of several channels are claimed together and settled', async (t) => {
  const seller = await createOfficialSeller(chain);
  const wallets = [await fundedWallet(), await fundedWallet(), await fundedWallet()];
  const buyers = wallets.map((wallet) => createBuyer(seller, wallet));
  for (const [index, buyer] of buyers.entries()) {
    for (let calls = 0; calls <= index; calls += 1) await buyer.pay();
  }
  const { claims, settle } = await seller.manager.claimAndSettle();
  t.is(claims.length, 1);
  t.is(claims[0]?.vouchers, 3);
  t.truthy(settle?.transaction);
  for (const [index, buyer] of buyers.entries()) {
    t.is((await buyer.state()).totalClaimed, BigInt(index + 1) * PRICE);
  }
  t.is(await chain.balanceOf(seller.receiver.address), 6n * PRICE);
  t.deepEqual(await seller.manager.claim(), []);
  await t.throwsAsync(seller.manager.settle(), { message: /nothing_to_settle/ });
});

test.serial('a client gets back a part of its deposit, or all that is left', async (t) => {
  const seller = await createOfficialSeller(chain);
  const wallet = await fundedWallet();
  const buyer = createBuyer(seller, wallet);
  await buyer.pay();
  await buyer.pay();
  const part = await buyer.refund(PRICE);
  t.like(part, { success: true, amount: `${PRICE}` });
  // The charges are claimed in the same transaction.
  t.like(await buyer.state(), { balance: DEPOSIT - PRICE, totalClaimed: 2n * PRICE, refundNonce: 1n });
  await buyer.pay();
  const rest = await buyer.refund();
  t.like(rest, { success: true, amount: `${DEPOSIT - 4n * PRICE}` });
  t.like(await buyer.state(), { balance: 3n * PRICE, totalClaimed: 3n * PRICE, refundNonce: 2n });
  t.is(await chain.balanceOf(wallet.address), FUNDS - 3n * PRICE);
  await t.throwsAsync(buyer.refund(), { message: /no remaining balance/ });
  // The channel is used again.
  await buyer.pay();
  t.like(await buyer.state(), { balance: 3n * PRICE + DEPOSIT, totalClaimed: 3n * PRICE });
});

test.serial('a client that lost its state reads the chain and the answer of the server', async (t) => {
  const seller = await createOfficialSeller(chain);
  const wallet = await fundedWallet();
  const buyer = createBuyer(seller, wallet);
  await buyer.pay();
  await buyer.pay();
  const forgetful = createBuyer(seller, wallet, buyer.salt);
  const { transaction, extra } = await forgetful.pay();
  t.is(transaction, '');
  t.like(extra, { channelState: { chargedCumulativeAmount: `${3n * PRICE}` } });
  t.is(await chain.balanceOf(wallet.address), FUNDS - DEPOSIT);
});
