import test from 'ava';
import { sql } from 'kysely';
import { SettlementOutcome } from '../../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { startBatchedPayments } from '../batched-payments.ts';

const payments = await startBatchedPayments();
test.after.always(() => payments.stop());

test('after the gas of the day is used up, accounts that get code late burn no more batches', async (t) => {
  const { stack, execute, settle, hold, release, untilWaiting } = payments;
  const { node } = stack.chain;
  await sql`INSERT INTO ledger.spent_gas (network, cause, account, day, gas)
    VALUES ('eip155:31337', 'a test', 'code', (now() AT TIME ZONE 'UTC')::date, 50000000)`.execute(stack.database);
  let burned = 0n;
  for (let round = 0; round < 3; round += 1) {
    const [first, bad, ...others] = await execute(6);
    await hold(t);
    const waiting = [settle(defined(first))];
    t.true(await untilWaiting(1));
    const answer = settle(defined(bad));
    waiting.push(...others.map((each) => settle(each)));
    t.true(await untilWaiting(6));
    await node.setCode({ address: defined(bad).wallet.address, bytecode: '0xfe' });
    const from = await node.getBlockNumber({ cacheTime: 0 });
    await release();
    t.is(await answer, SettlementOutcome.SETTLEMENT_OUTCOME_FAILED);
    await Promise.all(waiting);
    const block = await node.getBlock({ blockNumber: from + 1n, includeTransactions: true });
    for (const { hash, input } of block.transactions) {
      if (!input.includes(defined(bad).payment.payload.authorization.nonce.slice(2))) continue;
      burned += (await node.getTransactionReceipt({ hash })).gasUsed;
    }
  }
  t.log({ burned });
  t.true(burned < 3n * 120_000n, 'at most the gas of their own settlements');
});
