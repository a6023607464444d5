import test from 'ava';
import { numberToHex } from 'viem';
import { createCalls } from '../../../../services/payments/chain/calls.ts';
import { createChain } from '../../../../services/payments/chain/chain.ts';
import { createConfirmedBlocks } from '../../../../services/payments/chain/confirmed-blocks.ts';
import { createRpc } from '../../../../services/payments/chain/rpc.ts';
import { createTerms } from '../../../../services/payments/payment/terms.ts';
import type { PaymentPayload } from '../../../helpers/chain.ts';
import { runCommand } from '../../../scripts/cli/tollhouse/run-command.ts';
import { startNodeBefore } from '../node-before.ts';
import { CONFIRMATIONS, PAYEE, REORGANIZED_BLOCKS, startOwnPayee } from '../own-payee.ts';

const stack = await startOwnPayee({ SETTLE_TIMEOUT_MS: '1000' });
test.after.always(() => stack.stop());
const { rpcUrl } = stack.sandbox;
const terms = createTerms({ network: 'eip155:31337', payTo: PAYEE, sandbox: false });

async function raw(method: string, params: readonly unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  return ((await response.json()) as { readonly result: unknown }).result;
}
const latestNumber = async () => BigInt((await raw('eth_blockNumber', [])) as string);

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

test.serial('a settlement in a block that only a node on another, shorter branch has is not final', async (t) => {
  const { claimId, payment } = await stack.settled();
  const { block_number } = await stack.claimOf(claimId);
  if (block_number === null) throw new Error('not located');
  const orphan = await raw('eth_getBlockByNumber', [numberToHex(block_number), false]);
  await stack.service().stop();
  await stack.chain.reorganize(REORGANIZED_BLOCKS);
  await stack.chain.node.mine({ blocks: CONFIRMATIONS + 3 });
  t.is(await stack.chargedTo(payment), 0n, 'the chain took the money back');
  // One of two nodes stands still at the orphaned block, and is asked whenever it is about this block.
  const front = await startNodeBefore(rpcUrl, ({ method, params = [] }, together) => {
    if (method === 'eth_blockNumber' && together.includes('eth_getBlockByNumber'))
      return { result: numberToHex(block_number) };
    return method === 'eth_getBlockByNumber' && params[0] === numberToHex(block_number)
      ? { result: orphan }
      : undefined;
  });
  t.teardown(front.stop);
  await stack.restart({ X402_RPC_URL: front.url });
  await new Promise((resolve) => setTimeout(resolve, 3000));
  const claim = await stack.claimOf(claimId);
  const kept = await stack.authorizationOf(claimId);
  await stack.restart();
  t.is(await stack.chargedTo(payment), 0n);
  t.is(claim.finalized_at, null, 'no money was received, and the claim is final');
  t.not(kept, undefined, 'the authorization is deleted, so that it cannot be settled again');
});

test.serial('a refund in a block that only a node on another, shorter branch has is not final', async (t) => {
  const { claimId, payment } = await stack.settled();
  await stack.finalize(claimId);
  const environment = {
    DATABASE_URL: stack.sandbox.databaseUrl,
    PAYMENTS_URL: stack.service().target,
    TOLLHOUSE_OPERATOR: 'alice',
  };
  const { output } = await runCommand(environment, ['payments', 'refund', claimId, '--reason', 'x', '--json']);
  const { transaction } = JSON.parse(output) as { readonly transaction: string };
  await stack.chain.node.mine({ blocks: 3 });
  await stack.service().stop();
  const receipt = (await raw('eth_getTransactionReceipt', [transaction])) as { readonly blockNumber: string };
  const orphan = await raw('eth_getBlockByNumber', [receipt.blockNumber, false]);
  await stack.chain.reorganize(REORGANIZED_BLOCKS);
  await stack.chain.node.mine({ blocks: CONFIRMATIONS + 3 });
  t.true((await stack.chargedTo(payment)) > 0n, 'the chain took the refund back');
  const front = await startNodeBefore(rpcUrl, ({ method, params = [] }, together) => {
    if (method === 'eth_getTransactionReceipt' && params[0] === transaction) return { result: receipt };
    if (method === 'eth_blockNumber' && together.includes('eth_getBlockByNumber'))
      return { result: receipt.blockNumber };
    return method === 'eth_getBlockByNumber' && params[0] === receipt.blockNumber ? { result: orphan } : undefined;
  });
  t.teardown(front.stop);
  await stack.restart({ X402_RPC_URL: front.url });
  await new Promise((resolve) => setTimeout(resolve, 3000));
  const refund = await stack.database
    .selectFrom('payment_refund')
    .selectAll()
    .where('claim_id', '=', claimId)
    .executeTakeFirst();
  await stack.restart();
  t.true((await stack.chargedTo(payment)) > 0n);
  t.is(refund?.finalized_at ?? null, null, 'the payer has no refund, and it is final');
});

test.serial('a payment that is settled is not void for good for a node on a stale branch', async (t) => {
  const validBefore = `${Number((await stack.chain.node.getBlock()).timestamp) + 300}`;
  const { payment } = await stack.executed({ validBefore });
  await stack.service().stop();
  const before = await latestNumber();
  const transaction = await stack.chain.submit(payment);
  await stack.chain.passTime(Number(validBefore) + 1);
  const head = await latestNumber();
  await stack.chain.node.mine({ blocks: CONFIRMATIONS + 2 });
  t.true((await stack.chargedTo(payment)) > 0n, 'the payer has paid');
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
  await stack.restart();
  t.false(
    state.kind === 'void' && 'isConfirmed' in state && state.isConfirmed,
    'it would be stored as failed for good',
  );
});

test.serial('an error without an id in a batch gives no payment the answer of another one', async (t) => {
  const validBefore = `${Number((await stack.chain.node.getBlock()).timestamp) + 300}`;
  const [one, two] = [await stack.executed({ validBefore }), await stack.executed({ validBefore })];
  await stack.service().stop();
  const before = await latestNumber();
  // Neither has a noted transaction, as with a remote facilitator whose answer was lost.
  await stack.chain.submit(two.payment);
  await stack.chain.passTime(Number(validBefore) + 1);
  await stack.chain.node.mine({ blocks: CONFIRMATIONS + 2 });
  t.true((await stack.chargedTo(two.payment)) > 0n, 'the second payer has paid');
  const nonceOf = ({ payload }: PaymentPayload) => payload.authorization.nonce.slice(2).toLowerCase();
  const of = (params: readonly unknown[] | undefined, payment: PaymentPayload) =>
    JSON.stringify(params ?? [])
      .toLowerCase()
      .includes(nonceOf(payment));
  let faults = 0;
  const front = await startNodeBefore(rpcUrl, ({ method, params }, together) => {
    const isPair = method === 'eth_call' && together.filter((each) => each === 'eth_call').length === 2;
    if (faults > 0 || !isPair || !of(params, two.payment)) return undefined;
    faults += 1;
    return { id: null, error: { code: -32_005, message: 'limit exceeded' } };
  });
  t.teardown(front.stop);
  const chain = chainBehind(front.url);
  const [, second] = await Promise.allSettled([
    chain.stateOf(queryOf(one.payment, before)),
    chain.stateOf(queryOf(two.payment, before)),
  ]);
  await stack.restart();
  t.is(faults, 1);
  t.false(
    second.status === 'fulfilled' && second.value.kind === 'void',
    'a payment that is settled would be stored as failed for good',
  );
});
