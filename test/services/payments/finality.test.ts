import test from 'ava';
import { type Hex, numberToHex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { SettlementOutcome } from '../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { createPaymentsOperatorClient } from '../../../services/payments/contract/operator-client.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { HANG_MS, until } from '../../kit/until.ts';
import { AMOUNT, expectCase, present } from './harness.ts';
import { type Answerer, startNodeBefore } from './node-before.ts';
import { CONFIRMATIONS, PAYEE, REORGANIZED_BLOCKS, startOwnPayee } from './own-payee.ts';

const { SETTLEMENT_OUTCOME_SETTLED, SETTLEMENT_OUTCOME_PENDING } = SettlementOutcome;
const honest: Answerer = () => undefined;
/** What the node of the service answers otherwise than that of the chain. */
let lie = honest;
let front: Awaited<ReturnType<typeof startNodeBefore>> | undefined;
// One test waits until a settlement is out of time.
const stack = await startOwnPayee(async (rpcUrl) => {
  front = await startNodeBefore(rpcUrl, (call, together) => lie(call, together));
  return { SETTLE_TIMEOUT_MS: '1000', X402_RPC_URL: front.url };
});
test.after.always(async () => {
  await stack.stop();
  await front?.stop();
});
test.afterEach.always(() => {
  lie = honest;
});

/** Anvil's fourth development account. */
const OTHER_KEY: Hex = '0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6';
const OTHER = { X402_SIGNER_KEY: OTHER_KEY, X402_PAY_TO: privateKeyToAddress(OTHER_KEY) };
const PRICE = BigInt(AMOUNT);
const { node, balanceOf } = stack.chain;

test.serial(
  'after a change of the payee, what was mined is settled, and what was executed pays the earlier payee',
  async (t) => {
    const { claimId, payment } = await stack.executed();
    const executed = await stack.executed();
    await node.setAutomine(false);
    t.teardown(() => node.setAutomine(true));
    const { outcome } = await stack.service().settle(claimId);
    t.is(outcome, SETTLEMENT_OUTCOME_PENDING);
    await stack.service().stop();
    await node.mine({ blocks: CONFIRMATIONS + 1 });
    await node.setAutomine(true);
    const before = await balanceOf(PAYEE);
    await stack.restart(OTHER);
    t.true(await stack.untilClaim(claimId, ({ state }) => state !== 'settling'));
    expectCase(await stack.service().begin(present(payment)), 'replay');
    const settle = () => stack.service().settle(executed.claimId);
    // On a busy machine, a settlement may be pending when its time is over.
    await until(async () => (await settle()).outcome === SETTLEMENT_OUTCOME_SETTLED);
    t.is((await balanceOf(PAYEE)) - before, PRICE);
  },
);

test.serial(
  'after a change of the payee, a removed settlement is sent again, and the earlier payee refunds',
  async (t) => {
    await stack.restart();
    const final = await stack.settled();
    await stack.finalize(final.claimId);
    const { claimId, payment, transaction } = await stack.settled();
    await stack.service().stop();
    await stack.chain.reorganize(REORGANIZED_BLOCKS);
    t.is(await stack.chargedTo(payment), 0n);
    await stack.restart(OTHER);
    await until(async () => (await stack.chargedTo(payment)) > 0n);
    t.true(await stack.untilClaim(claimId, ({ block_number }) => block_number !== null));
    await stack.finalize(claimId);
    t.is(await stack.chargedTo(payment), PRICE);
    t.not((await stack.claimOf(claimId)).transaction, transaction);
    t.is(await stack.authorizationOf(claimId), undefined);
    t.is(expectCase(await stack.service().begin(present(payment)), 'replay').claimId, claimId, 'not executed again');

    const operator = createPaymentsOperatorClient(stack.service().target);
    t.teardown(() => operator.close());
    const act = { operator: 'alice', reason: 'ticket 17' };
    const request = { claimId: final.claimId, act, transaction: undefined, isAgain: false, isDry: false };
    const { outcome } = await operator.refund(request, { timeoutMs: HANG_MS });
    t.like(outcome, { $case: 'needed', value: { from: PAYEE, amount: AMOUNT } });
    const { differs, reports } = await operator.reconcile({ timeoutMs: HANG_MS });
    t.false(differs, reports.join('\n'));
    const found: readonly unknown[] = reports.map((report) => JSON.parse(report));
    t.is(found.length, 2);
    t.like(found[0], { payee: PAYEE });
    t.like(found[1], { payee: OTHER.X402_PAY_TO, received: { count: 0 } });
    await stack.restart();
  },
);

const raw = (method: string, params: readonly unknown[]): Promise<unknown> =>
  stack.chain.node.request({ method, params } as never);

/**
 * Removes an orphaned block and its receipts from the chain, and puts a long branch in its place. One of two nodes of the
 * service stands still at the block, and is asked whenever it is about it. Waits until its answers were worked through, or
 * were believed.
 */
async function orphan(
  number: Hex,
  isFinal: () => Promise<boolean>,
  isTakenBack: () => Promise<void>,
  receipts: ReadonlyMap<unknown, unknown> = new Map(),
): Promise<void> {
  const block = await raw('eth_getBlockByNumber', [number, false]);
  let asked = 0;
  await stack.whilePaused(async () => {
    await stack.chain.reorganize(REORGANIZED_BLOCKS);
    await stack.chain.node.mine({ blocks: CONFIRMATIONS + 3 });
    // Later, the service may send it again.
    await isTakenBack();
    lie = ({ method, params = [] }, together) => {
      if (method === 'eth_getTransactionReceipt' && receipts.has(params[0])) return { result: receipts.get(params[0]) };
      if (method === 'eth_blockNumber' && together.includes('eth_getBlockByNumber')) return { result: number };
      if (method !== 'eth_getBlockByNumber' || params[0] !== number) return undefined;
      asked += 1;
      return { result: block };
    };
  });
  await until(async () => asked >= 3 || (await isFinal()));
}

test.serial('a settlement in a block that only a node on another, shorter branch has is not final', async (t) => {
  const { claimId, payment } = await stack.settled();
  const number = numberToHex(defined((await stack.claimOf(claimId)).block_number ?? undefined));
  const isFinal = async () => (await stack.claimOf(claimId)).finalized_at !== null;
  await orphan(number, isFinal, async () => {
    t.is(await stack.chargedTo(payment), 0n, 'the chain took the money back');
  });
  const claim = await stack.claimOf(claimId);
  const kept = await stack.authorizationOf(claimId);
  t.is(claim.finalized_at, null, 'no money was received, and the claim is final');
  t.not(kept, undefined, 'the authorization is deleted, so that it cannot be settled again');
});

test.serial('a refund in a block that only a node on another, shorter branch has is not recorded', async (t) => {
  const { claimId, payment } = await stack.settled();
  await stack.finalize(claimId);
  const transaction = await stack.chain.transfer(PAYEE, payment.payload.authorization.from, PRICE);
  await stack.chain.node.mine({ blocks: 3 });
  const operator = createPaymentsOperatorClient(stack.service().target);
  t.teardown(() => operator.close());
  const act = { operator: 'alice', reason: 'x' };
  const request = { claimId, act, transaction, isAgain: false, isDry: false };
  const isRecorded = async () => (await operator.refund(request, { timeoutMs: HANG_MS })).outcome?.$case === 'recorded';
  const receipt = (await raw('eth_getTransactionReceipt', [transaction])) as { readonly blockNumber: Hex };
  const isTakenBack = async () => {
    t.true((await stack.chargedTo(payment)) > 0n, 'the chain took the refund back');
  };
  await orphan(receipt.blockNumber, isRecorded, isTakenBack, new Map([[transaction, receipt]]));
  t.false(await isRecorded(), 'the payer has no refund, and it is recorded');
});
