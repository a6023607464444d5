import test from 'ava';
import { encodeFunctionData, numberToHex, parseAbi } from 'viem';
import { createCalls } from '../../../../services/payments/chain/calls.ts';
import { createChain } from '../../../../services/payments/chain/chain.ts';
import { createConfirmedBlocks } from '../../../../services/payments/chain/confirmed-blocks.ts';
import { MULTICALL3_ADDRESS } from '../../../../services/payments/chain/multicall.ts';
import { createRpc } from '../../../../services/payments/chain/nodes.ts';
import { transferCall } from '../../../../services/payments/chain/token-calls.ts';
import { createTerms, offerOf } from '../../../../services/payments/payment/terms.ts';
import { connectChain, createWallet, type PaymentPayload, signPayment } from '../../../kit/chain.ts';
import { startNodeBefore } from '../node-before.ts';
import { placeContracts, SANDBOX_ASSET, startChain } from '../test-sandbox.ts';

const CONFIRMATIONS = 8;
const PRICE = 3000n;
const { rpcUrl, stop } = await startChain();
await placeContracts(rpcUrl);
const testChain = connectChain(rpcUrl, SANDBOX_ASSET);
const { node } = testChain;
test.after.always(() => stop());
const terms = createTerms({ network: 'eip155:31337', payTo: createWallet().address, sandbox: false });

const raw = (method: string, params: readonly unknown[]): Promise<unknown> => node.request({ method, params } as never);
const latestNumber = () => node.getBlockNumber({ cacheTime: 0 });

/** A payment of a new wallet with tokens. */
async function newPayment(validBefore: string, wallet = createWallet()): Promise<PaymentPayload> {
  await testChain.mint(wallet.address, PRICE);
  return signPayment(wallet, offerOf(terms, `${PRICE}`), { validBefore });
}
const hasPaid = async ({ payload }: PaymentPayload) => (await testChain.balanceOf(payload.authorization.from)) === 0n;

function chainBehind(url: string) {
  const rpc = createRpc(url);
  const blocks = createConfirmedBlocks({ rpc, confirmations: CONFIRMATIONS });
  return createChain({ rpc, calls: createCalls(rpc), terms, blocks, now: Date.now });
}
const queryOf = ({ payload: { authorization: a } }: PaymentPayload, fromBlock: bigint) => ({
  payer: a.from,
  nonce: a.nonce,
  payTo: a.to,
  amount: BigInt(a.value),
  validBeforeS: Number(a.validBefore),
  fromBlock,
});

test.serial('a payment that is settled is not void for good for a node on a stale branch', async (t) => {
  const validBefore = `${Number((await node.getBlock()).timestamp) + 300}`;
  const payment = await newPayment(validBefore);
  const before = await latestNumber();
  const transaction = await testChain.submit(payment);
  await testChain.passTime(Number(validBefore) + 1);
  const head = await latestNumber();
  await node.mine({ blocks: CONFIRMATIONS + 2 });
  t.true(await hasPaid(payment), 'the payer has paid');
  const query = { ...queryOf(payment, before), transaction };
  t.like(await chainBehind(rpcUrl).stateOf(query), { kind: 'settled', transaction });
  // The branch of a node that stands still: without the settlement, up to the first block after the validity.
  const stale = {
    ...((await raw('eth_getBlockByNumber', [numberToHex(head), false])) as object),
    hash: `0x${'ab'.repeat(32)}`,
  };
  let isStale = true;
  const front = await startNodeBefore(rpcUrl, async ({ method, params = [] }) => {
    if (!isStale) return undefined;
    if (method === 'eth_getTransactionReceipt') return { result: null };
    if (method === 'eth_getBlockByNumber') return { result: stale };
    if (method !== 'eth_call') return undefined;
    isStale = false;
    return { result: await raw('eth_call', [params[0], numberToHex(before)]) };
  });
  t.teardown(front.stop);
  const state = await chainBehind(front.url)
    .stateOf(query)
    .catch((error: unknown) => ({ kind: 'unknown', error }));
  t.false(
    state.kind === 'void' && 'isConfirmed' in state && state.isConfirmed,
    'it would be stored as failed for good',
  );
});

test.serial('a payment that a stranger sent is settled, also where its first block is not known', async (t) => {
  const validBefore = `${Number((await node.getBlock()).timestamp) + 300}`;
  const [paid, unpaid] = [await newPayment(validBefore), await newPayment(validBefore)];
  const before = await latestNumber();
  const transaction = await testChain.submit(paid);
  const chain = chainBehind(rpcUrl);
  t.like(await chain.stateOf(queryOf(paid, before)), { kind: 'settled', transaction });
  t.like(await chain.stateOf({ ...queryOf(paid, before), fromBlock: undefined }), { kind: 'settled', transaction });
  t.deepEqual(
    await chain.stateOf({ ...queryOf(unpaid, before), transaction }),
    { kind: 'unused' },
    'of another payment',
  );
});

test.serial('an authorization that expires unused is void for good once that is final', async (t) => {
  const validBefore = `${Number((await node.getBlock()).timestamp) + 300}`;
  const payment = await newPayment(validBefore);
  const query = queryOf(payment, await latestNumber());
  const chain = chainBehind(rpcUrl);
  t.deepEqual(await chain.stateOf(query), { kind: 'unused' });
  await testChain.passTime(Number(validBefore));
  const reason = 'invalid_exact_evm_payload_authorization_valid_before';
  t.deepEqual(await chain.stateOf(query), { kind: 'void', reason, isConfirmed: false });
  await node.mine({ blocks: CONFIRMATIONS - 2 });
  t.like(await chain.stateOf(query), { isConfirmed: false });
  await node.mine({ blocks: 1 });
  t.like(await chain.stateOf(query), { isConfirmed: true });
});

test.serial('an authorization that was cancelled, or paid its own payer, does not settle a payment', async (t) => {
  const [wallet, offer] = [createWallet(), offerOf(terms, `${PRICE}`)];
  for (const isCancelled of [true, false]) {
    const validBefore = `${Number((await node.getBlock()).timestamp) + 300}`;
    const query = queryOf(await newPayment(validBefore, wallet), await latestNumber());
    const { nonce } = query;
    if (isCancelled) await testChain.cancel(wallet, offer, nonce);
    else await testChain.submit(await signPayment(wallet, offer, { to: wallet.address, nonce, validBefore }));
    const reason = 'invalid_exact_evm_nonce_already_used';
    t.like(await chainBehind(rpcUrl).stateOf(query), { kind: 'void', reason, isConfirmed: false });
    await node.mine({ blocks: CONFIRMATIONS });
    t.like(await chainBehind(rpcUrl).stateOf(query), { kind: 'void', reason, isConfirmed: true });
  }
});

const MULTICALL = parseAbi(['function aggregate3((address target, bool allowFailure, bytes callData)[] calls)']);

test.serial('one transfer in a transaction does not settle two payments', async (t) => {
  const wallet = createWallet();
  const validBefore = `${Number((await node.getBlock()).timestamp) + 300}`;
  const [paid, unpaid] = [await newPayment(validBefore, wallet), await newPayment(validBefore, wallet)];
  const before = await latestNumber();
  const { nonce } = unpaid.payload.authorization;
  const decoy = await signPayment(wallet, offerOf(terms, `${PRICE}`), { to: wallet.address, nonce, validBefore });
  const calls = [decoy, paid].map(({ payload: { authorization: a, signature } }) => {
    const [value, validAfter, validUntil] = [BigInt(a.value), BigInt(a.validAfter), BigInt(a.validBefore)];
    const callData = transferCall({ ...a, value, validAfter, validBefore: validUntil }, signature);
    return { target: SANDBOX_ASSET, allowFailure: false, callData };
  });
  const data = encodeFunctionData({ abi: MULTICALL, functionName: 'aggregate3', args: [calls] });
  const transaction = await testChain.send(MULTICALL3_ADDRESS, data);
  const states = [paid, unpaid].map((each) => chainBehind(rpcUrl).stateOf({ ...queryOf(each, before), transaction }));
  t.deepEqual(
    (await Promise.all(states)).map(({ kind }) => kind),
    ['settled', 'void'],
  );
});

test.serial('an error without an id in a batch gives no payment the answer of another one', async (t) => {
  const validBefore = `${Number((await node.getBlock()).timestamp) + 300}`;
  const [one, two] = [await newPayment(validBefore), await newPayment(validBefore)];
  const before = await latestNumber();
  // Neither has a noted transaction, as with a remote facilitator whose answer was lost.
  await testChain.submit(two);
  await testChain.passTime(Number(validBefore) + 1);
  await node.mine({ blocks: CONFIRMATIONS + 2 });
  t.true(await hasPaid(two), 'the second payer has paid');
  const nonceOf = ({ payload }: PaymentPayload) => payload.authorization.nonce.slice(2).toLowerCase();
  const of = (params: readonly unknown[] | undefined, payment: PaymentPayload) =>
    JSON.stringify(params ?? [])
      .toLowerCase()
      .includes(nonceOf(payment));
  let faults = 0;
  const front = await startNodeBefore(rpcUrl, ({ method, params }, together) => {
    const isPair = method === 'eth_call' && together.filter((each) => each === 'eth_call').length === 2;
    if (faults > 0 || !isPair || !of(params, two)) return undefined;
    faults += 1;
    return { id: null, error: { code: -32_005, message: 'limit exceeded' } };
  });
  t.teardown(front.stop);
  const chain = chainBehind(front.url);
  const [, second] = await Promise.allSettled([
    chain.stateOf(queryOf(one, before)),
    chain.stateOf(queryOf(two, before)),
  ]);
  t.is(faults, 1);
  t.false(
    second.status === 'fulfilled' && second.value.kind === 'void',
    'a payment that is settled would be stored as failed for good',
  );
});
