import test from 'ava';
import { MULTICALL3_ADDRESS } from '../../../../services/payments/chain/multicall.ts';
import type { Member } from '../../../../services/payments/facilitator/batch-settlement.ts';
import type { TransactionSender } from '../../../../services/payments/signer/transaction-sender.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { AMOUNT, SIGNER, startSettlers } from './settlers.ts';

const { chain, createMembers, createSettler, stop } = await startSettlers();
test.after.always(() => stop());

test.serial('a hundred payments settle in one transaction, each with its own proof', async (t) => {
  const { members, noted, left } = await createMembers(100);
  const { settle, sizes } = createSettler();
  const reports = await settle(members);
  t.deepEqual(sizes, [100]);
  const [first] = defined(noted[0]);
  const isSettled = (report: (typeof reports)[number]) =>
    report.kind === 'settled' && report.transaction === first && report.proof?.transaction === first;
  t.true(reports.every(isSettled));
  t.true(noted.every((own) => own.length === 1 && own[0] === first));
  t.is(await left(), 0n);
});

test.serial('a member that reverts fails alone, with the reason of the token', async (t) => {
  const { members, left } = await createMembers(4, 3);
  const { settle, sizes } = createSettler();
  const reports = await settle(members);
  const refused = { kind: 'refused', reason: 'invalid_exact_evm_insufficient_balance' };
  t.like(reports, [...Array(3).fill({ kind: 'settled' }), refused]);
  t.deepEqual(sizes, [4], 'it is not sent again');
  t.is(await left(), 0n);
});

test.serial('a member that must not be sent is left out, and the others are sent without it', async (t) => {
  const { members, noted, left } = await createMembers(3);
  const forbidden: Member = { ...defined(members[1]), note: () => Promise.reject(new Error('the lease is lost')) };
  const { settleTo, sizes } = createSettler();
  t.deepEqual(await settleTo([defined(members[0]), forbidden, defined(members[2])]), ['settled', 'unsent', 'settled']);
  t.deepEqual(sizes, [2]);
  t.is(defined(noted[0]).at(-1), defined(noted[2]).at(-1));
  t.is(await left(), AMOUNT);
});

/** Gives a batch enough gas for the transaction itself, and too little for its calls. */
const starve = (sender: TransactionSender): Partial<TransactionSender> => ({
  send: (request, note) =>
    sender.send(request.to === MULTICALL3_ADDRESS ? { ...request, gas: 60_000n } : request, note),
});

test.serial('members of a batch without enough gas are sent alone, after the batch is mined', async (t) => {
  const { members, left } = await createMembers(3);
  const { settleTo, sizes } = createSettler(starve);
  t.deepEqual(await settleTo(members), Array(3).fill('settled'));
  t.deepEqual(sizes, [3, 1, 1, 1]);
  t.is(await left(), 0n);
});

// The batch may come back after a reorganization, so nobody may say that nothing of the payment was sent.
test.serial('a member that was in a mined batch and cannot be sent alone is not reported as unsent', async (t) => {
  const { members, noted, left } = await createMembers(2);
  const { settle, sizes } = createSettler(starve);
  const [first, second] = [defined(members[0]), defined(members[1])];
  const late: Member = {
    ...second,
    note: async (transaction, signed) => {
      if (sizes.length > 0) throw new Error('the lease is lost');
      await second.note(transaction, signed);
    },
  };
  const [settled, unknown] = await settle([first, late]);
  t.is(settled?.kind, 'settled');
  t.deepEqual(unknown, { kind: 'unknown', transaction: defined(noted[1])[0] });
  t.deepEqual(sizes, [2, 1]);
  t.is(await left(), AMOUNT);
});

test.serial('a signer that cannot pay for a whole batch sends smaller ones', async (t) => {
  const { members, left } = await createMembers(8);
  const { settleTo, sizes } = createSettler();
  const balance = await chain.node.getBalance({ address: SIGNER });
  await chain.node.setBalance({ address: SIGNER, value: 13n * 10n ** 14n });
  t.teardown(() => chain.node.setBalance({ address: SIGNER, value: balance }));
  await chain.node.setNextBlockBaseFeePerGas({ baseFeePerGas: 10n ** 9n });
  await chain.node.mine({ blocks: 1 });
  t.deepEqual(await settleTo(members), Array(8).fill('settled'));
  const sum = sizes.reduce((total, size) => total + size);
  t.deepEqual([sizes.length > 1, sum], [true, 8]);
  t.is(await left(), 0n);
});
