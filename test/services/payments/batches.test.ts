import test from 'ava';
import { encodeAbiParameters, type Hex, keccak256, numberToHex } from 'viem';
import { SettlementOutcome } from '../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { defined } from '../../../workers/exact/defined.ts';
import type { Wallet } from '../../kit/chain.ts';
import { all, startBatchedPayments } from './batched-payments.ts';

const { SETTLEMENT_OUTCOME_SETTLED: SETTLED, SETTLEMENT_OUTCOME_FAILED } = SettlementOutcome;
const MEMBERS = 3;

const payments = await startBatchedPayments();
const stack = payments.stack;
test.after.always(() => payments.stop());

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
  'payments that come while one is not mined are sent together, and one that reverts fails alone',
  async (t) => {
    const { execute, settle, hold, release, untilWaiting, waitingSizes, allUnpaid } = payments;
    const executed = await execute(1 + MEMBERS);
    await hold(t);
    const [first, ...others] = executed;
    const outcomes = [settle(defined(first))];
    t.true(await untilWaiting(1));
    outcomes.push(...others.map((each) => settle(each)));
    t.true(await untilWaiting(executed.length));
    t.true((await waitingSizes()).length < executed.length, 'at least two are in one transaction');
    const reverting = defined(executed.at(-1));
    await empty(reverting.wallet);
    await release();
    t.deepEqual(await Promise.all(outcomes), [...all(MEMBERS, SETTLED), SETTLEMENT_OUTCOME_FAILED]);
    t.deepEqual(await allUnpaid(executed), all(1 + MEMBERS, 0n));
  },
);
