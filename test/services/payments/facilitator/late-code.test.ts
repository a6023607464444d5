import test from 'ava';
import type { Hex } from 'viem';
import { transferCall } from '../../../../services/payments/chain/token-calls.ts';
import type { Member } from '../../../../services/payments/facilitator/batch-settlement.ts';
import { NotSentError } from '../../../../services/payments/signer/transaction-sender.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { HANG_MS, until } from '../../../kit/until.ts';
import { burningAfter } from '../burning-code.ts';
import { SANDBOX_ASSET } from '../test-sandbox.ts';
import { AMOUNT, BURNING, SIGNER, startSettlers, turning } from './settlers.ts';

const settlers = await startSettlers();
const { chain, setCode, createMembers, createCoded, hold, createSettler, createSettlerWith, stop } = settlers;
test.after.always(() => stop());

test.serial('a payer that gets code after its only payment was signed loses the gas of this transaction', async (t) => {
  const { members, wallet } = await createMembers(1);
  const { settle, gasBudget, sizes } = createSettler();
  const [report] = await settle([turning(settlers, defined(members[0]), BURNING)]);
  t.is(report?.kind, 'refused');
  t.deepEqual(sizes, [1]);
  t.true((await gasBudget.spent(wallet.address)) >= 110_000n, 'its own account');
  t.true((await gasBudget.spent('code')) >= 110_000n, 'and that of all payers with code');
});

test.serial('a payer that has code only in the block of its batch loses the gas of the batch', async (t) => {
  const honest = await createMembers(8);
  const late = await createMembers(1);
  const { settle, gasBudget } = createSettlerWith(
    // EIP-7702: the delegation ends in a later transaction.
    () => setCode(late.wallet.address, '0x'),
  );
  await settle([turning(settlers, defined(late.members[0]), BURNING), ...honest.members]);
  t.is(await honest.left(), 0n);
  t.true((await gasBudget.spent('code')) > 0n);
});

test.serial('a stranger that sends the payment of a payer with code first uses up none of its gas', async (t) => {
  const { members, wallet, left } = await createCoded(1);
  const member = defined(members[0]);
  const { authorization, signature } = member.payment;
  const overtaken: Member = {
    ...member,
    async note(transaction, signed) {
      await member.note(transaction, signed);
      await chain.send(SANDBOX_ASSET, transferCall(authorization, signature));
    },
  };
  const { settle, gasBudget } = createSettler();
  await settle([overtaken]);
  t.is(await left(), 0n, 'we were paid');
  t.is(await gasBudget.spent(wallet.address), 0n, 'the gas of the payer');
  t.is(await gasBudget.spent('code'), 0n, 'the gas of all payers with code');
});

test.serial('a payer that lost its gas of the day is refused, also while it has no code', async (t) => {
  const { members, wallet, left } = await createMembers(1);
  const { settle, verifier, gasBudget } = createSettler();
  await gasBudget.lose('a test', [wallet.address, 'code'], 20_200_000n);
  const member = defined(members[0]);
  t.is(await verifier.verify(member.payment), 'too_much_gas_today');
  t.deepEqual(await settle([member]), [{ kind: 'refused', reason: 'too_much_gas_today' }]);
  t.is(await left(), AMOUNT);
});

test.serial('a payer that burns a batch has failed, also when the gas of the day is used up', async (t) => {
  const honest = await createMembers(4);
  const late = await createMembers(1);
  const member = defined(late.members[0]);
  const { settle, gasBudget } = createSettlerWith(
    // In the next block, its code says yes.
    () => setCode(late.wallet.address, burningAfter(10n ** 9n)),
  );
  await gasBudget.lose('a test', ['code'], 50_000_000n);
  const [report] = await settle([turning(settlers, member, BURNING), ...honest.members]);
  t.like(report, { kind: 'refused', isPayersFault: true });
});

test.serial('a payment of a payer with code waits while the signer has no ether', async (t) => {
  const { members } = await createCoded(1);
  const { settle, verifier } = createSettler();
  const balance = await chain.node.getBalance({ address: SIGNER });
  t.teardown(() => chain.node.setBalance({ address: SIGNER, value: balance }));
  await chain.node.setBalance({ address: SIGNER, value: 1000n });
  await t.throwsAsync(verifier.verify(defined(members[0]).payment));
  t.deepEqual(await settle(members), [{ kind: 'unsent' }]);
});

test.serial('a payment that code refuses without using up its gas is counted what it used', async (t) => {
  const { members, wallet } = await createMembers(1);
  const { settle, gasBudget } = createSettler();
  const before = await chain.node.getBlockNumber({ cacheTime: 0 });
  // The last instruction is a revert.
  await setCode(wallet.address, `${burningAfter(before).slice(0, -2)}5f5ffd` as Hex);
  t.like((await settle(members))[0], { kind: 'refused', isPayersFault: true });
  const { gasUsed } = await chain.node.getBlock({ blockNumber: before + 1n });
  t.true(gasUsed < 60_000n);
  t.is(await gasBudget.spent('code'), gasUsed);
});

test.serial('one payer loses at most its 20 million while everyone pays alone', async (t) => {
  const { node } = chain;
  const { members, wallet } = await createMembers(200);
  const { settle, gasBudget } = createSettler(undefined, HANG_MS);
  await gasBudget.lose('a test', ['code'], 50_000_000n);
  const release = await hold(t);
  const from = await node.getBlockNumber({ cacheTime: 0 });
  const settled = Promise.all([settle(members.slice(0, 100)), settle(members.slice(100))]);
  t.true(await until(async () => (await node.getTxpoolStatus()).pending === 166));
  await setCode(wallet.address, BURNING);
  await release();
  await settled;
  const to = await node.getBlockNumber({ cacheTime: 0 });
  let gas = 0n;
  for (let blockNumber = from + 1n; blockNumber <= to; blockNumber += 1n) {
    gas += (await node.getBlock({ blockNumber })).gasUsed;
  }
  t.true(gas > 19_000_000n && gas <= 20_000_000n);
});

test.serial('what an earlier attempt sent stays on its way when a later one sends nothing', async (t) => {
  const { members } = await createCoded(1);
  let sends = 0;
  const { settle, gasBudget } = createSettler((sender) => ({
    async send(request, note) {
      sends += 1;
      if (sends > 1) throw new NotSentError('the base fee is above the maximum');
      await sender.send(request, note);
      throw new Error('the node did not answer');
    },
  }));
  await hold(t);
  t.is((await settle(members))[0]?.kind, 'unknown');
  t.is((await settle(members))[0]?.kind, 'unsent');
  t.is(await gasBudget.onItsWay('code'), 120_000n);
});

for (const [state, isMined, isLost] of [
  ['settled', true, false],
  ['failed', false, false],
  ['failed', true, true],
] as const) {
  test.serial(
    `gas of a payment that has ${state}, ${isMined ? '' : 'un'}mined, is ${isLost ? '' : 'not '}counted`,
    async (t) => {
      const { node } = chain;
      const { members } = await createCoded(1);
      const sent: Hex[] = [];
      const { settle, signer, gasBudget } = createSettler((sender) => ({
        async send(request, note) {
          sent.push(await sender.send(request, note));
          throw new Error('the node did not answer');
        },
      }));
      await hold(t);
      t.is((await settle(members))[0]?.kind, 'unknown');
      if (isMined) await node.mine({ blocks: 1 });
      t.deepEqual([await gasBudget.spent('code'), await gasBudget.onItsWay('code')], [0n, 120_000n]);
      const { payer, authorization } = defined(members[0]).payment;
      await signer.noteEnded?.({ payer, nonce: authorization.nonce, transaction: sent[0] }, state);
      const receipt = isLost ? await node.getTransactionReceipt({ hash: defined(sent[0]) }) : undefined;
      t.deepEqual([await gasBudget.spent('code'), await gasBudget.onItsWay('code')], [receipt?.gasUsed ?? 0n, 0n]);
    },
  );
}
