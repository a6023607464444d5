import test, { type ExecutionContext } from 'ava';
import { sql } from 'kysely';
import { encodeAbiParameters, type Hex, keccak256, numberToHex, parseGwei } from 'viem';
import { SettlementOutcome } from '../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { defined } from '../../../workers/exact/defined.ts';
import type { Wallet } from '../../kit/chain.ts';
import { until } from '../../kit/until.ts';
import { all, type Executed, startBatchedPayments } from './batched-payments.ts';
import { AMOUNT, type Payments, present, startPayments } from './harness.ts';
import { CONFIRMATIONS, REORGANIZED_BLOCKS } from './own-payee.ts';

const {
  SETTLEMENT_OUTCOME_SETTLED: SETTLED,
  SETTLEMENT_OUTCOME_FAILED,
  SETTLEMENT_OUTCOME_PENDING,
} = SettlementOutcome;
const MEMBERS = 3;

const payments = await startBatchedPayments();
const stack = payments.stack;
test.after.always(() => payments.stop());

const resolve = async ({ claimId }: Executed) => await stack.service().outcomeOf(claimId);

/**
 * Sends one payment, and the others together while its transaction is not mined. Nothing may be mined before it returns.
 * @returns the outcomes, which come when something is mined
 */
async function sendBatch(t: ExecutionContext, executed: readonly Executed[], service?: Payments) {
  const { settle, untilWaiting } = payments;
  const [first, ...others] = executed;
  const outcomes = [settle(defined(first), service)];
  t.true(await untilWaiting(1));
  outcomes.push(...others.map((each) => settle(each, service)));
  t.true(await untilWaiting(executed.length));
  return outcomes;
}

/** Empties a wallet at once, without a transaction. The token has its balances in the second slot. */
async function empty({ address }: Wallet): Promise<void> {
  const slot = keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [address, 1n]));
  await stack.chain.node.setStorageAt({
    address: stack.offer.asset as Hex,
    index: slot,
    value: numberToHex(0, { size: 32 }),
  });
}

test.serial(
  'payments that come while a transaction is not mined are sent together, and one that reverts fails alone',
  async (t) => {
    const { execute, hold, release, waitingSizes, allUnpaid } = payments;
    const executed = await execute(1 + MEMBERS);
    await hold(t);
    const outcomes = await sendBatch(t, executed);
    t.true((await waitingSizes()).length < executed.length, 'at least two are in one transaction');
    const reverting = defined(executed.at(-1));
    await empty(reverting.wallet);
    await release();
    t.deepEqual(await Promise.all(outcomes), [...all(MEMBERS, SETTLED), SETTLEMENT_OUTCOME_FAILED]);
    t.deepEqual(await allUnpaid(executed), all(1 + MEMBERS, 0n));
  },
);

test.serial('two copies send batches at the same time, and every payment is charged once', async (t) => {
  const { execute, hold, release, settle, untilWaiting, waitingSizes, allUnpaid } = payments;
  const other = await startPayments({ env: stack.env });
  t.teardown(other.stop);
  const executed = await execute(8);
  await hold(t);
  const settling = [
    ...executed.slice(0, 4).map((each) => settle(each)),
    ...executed.slice(4).map((each) => settle(each, other)),
  ];
  t.true(await untilWaiting(executed.length));
  t.true((await waitingSizes()).length < executed.length);
  await release();
  t.deepEqual(await Promise.all(settling), all(executed.length, SETTLED));
  t.deepEqual(await allUnpaid(executed), all(executed.length, 0n));
});

test.serial('a batch that another claim had replaced is on its way for all of its claims', async (t) => {
  const { execute, hold, release, waitingSizes, allUnpaid } = payments;
  const hasty = await startPayments({ env: { ...stack.env, SETTLE_TIMEOUT_MS: '1000' } });
  t.teardown(hasty.stop);
  const executed = await execute(1 + MEMBERS);
  await hold(t);
  const outcomes = await Promise.all(await sendBatch(t, executed, hasty));
  t.deepEqual(outcomes, all(1 + MEMBERS, SETTLEMENT_OUTCOME_PENDING), 'nothing is mined in time');
  const sizes = await waitingSizes();
  // Now every transaction offers too little, and anvil keeps them.
  await stack.chain.node.setBlockGasLimit({ gasLimit: 1000n });
  await stack.chain.node.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei('7') });
  await stack.chain.node.mine({ blocks: 1 });
  await stack.chain.node.setBlockGasLimit({ gasLimit: 30_000_000n });
  for (const each of executed) t.is(await resolve(each), SETTLEMENT_OUTCOME_PENDING);
  for (const each of executed) {
    const answer = await stack.service().begin(present(each.payment, { operationTimeoutMs: 1000 }));
    t.is(answer.outcome?.$case, 'refuse', 'it is not sent again');
  }
  t.deepEqual(await waitingSizes(), sizes);
  await stack.chain.node.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei('7') });
  await release();
  for (const each of executed) t.is(await resolve(each), SETTLED);
  t.deepEqual(await allUnpaid(executed), all(1 + MEMBERS, 0n));
  await stack.chain.node.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei('1') });
});

test.serial('a batch that a reorganization removes is sent again, and every payment is charged once', async (t) => {
  const { execute, hold, release, allUnpaid } = payments;
  const executed = await execute(1 + MEMBERS, true);
  // A reorganization of the settlements leaves the funds.
  await stack.chain.node.mine({ blocks: REORGANIZED_BLOCKS });
  await hold(t);
  const outcomes = await sendBatch(t, executed);
  await release();
  t.deepEqual(await Promise.all(outcomes), all(1 + MEMBERS, SETTLED));
  await stack.chain.node.mine({ blocks: 3 });
  for (const { claimId } of executed) {
    t.true(await stack.untilClaim(claimId, ({ block_number }) => block_number !== null));
  }
  await stack.service().stop();
  await stack.chain.reorganize(REORGANIZED_BLOCKS);
  t.deepEqual(await allUnpaid(executed), all(1 + MEMBERS, BigInt(AMOUNT)), 'the money is back');
  await stack.restart();
  await until(async () => (await allUnpaid(executed)).every((left) => left === 0n));
  for (const { claimId } of executed) {
    t.true(await stack.untilClaim(claimId, ({ block_number }) => block_number !== null));
  }
  await stack.chain.node.mine({ blocks: CONFIRMATIONS });
  for (const { claimId } of executed) {
    t.true(await stack.untilClaim(claimId, ({ finalized_at }) => finalized_at !== null));
  }
});

test.serial(
  'a payment whose first attempt has no known end has failed with the first batch that it burns',
  async (t) => {
    const { execute, settle, hold, release, untilWaiting } = payments;
    const env = { ...stack.env, SETTLE_TIMEOUT_MS: '3000' };
    const doomed = await startPayments({ env, killAt: 'settle.noted' });
    t.teardown(doomed.kill);
    const [bad] = await execute(1, false, doomed);
    const payment = defined(bad);
    await t.throwsAsync(settle(payment, doomed));
    await doomed.exited;
    await until(async () => {
      const { rows } = await sql<{ ended: boolean }>`SELECT lease_until < ledger.clock() AS ended
      FROM ledger.payment_claim WHERE claim_id = ${payment.claimId}`.execute(stack.database);
      return rows[0]?.ended === true;
    });
    const [first, ...honest] = await execute(4);
    await hold(t);
    const others = [settle(defined(first))];
    t.true(await untilWaiting(1));
    const answer = settle(payment);
    others.push(...honest.map((each) => settle(each)));
    t.true(await untilWaiting(5));
    await stack.chain.node.setCode({ address: payment.wallet.address, bytecode: '0xfe' });
    await release();
    t.is(await answer, SETTLEMENT_OUTCOME_FAILED);
    await Promise.all(others);
    t.is(await settle(payment), SETTLEMENT_OUTCOME_FAILED, 'it is not sent again');
  },
);
