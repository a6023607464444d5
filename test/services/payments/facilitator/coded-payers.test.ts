import { setTimeout as delay } from 'node:timers/promises';
import test from 'ava';
import type { Hex } from 'viem';
import type { Calls } from '../../../../services/payments/chain/calls.ts';
import type { SigningContext } from '../../../../services/payments/facilitator/signing-context.ts';
import { createVerifier } from '../../../../services/payments/facilitator/verification.ts';
import type { TransactionSender } from '../../../../services/payments/signer/transaction-sender.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { createWallet } from '../../../kit/chain.ts';
import { contextOf } from '../../../kit/context-of.ts';
import { until } from '../../../kit/until.ts';
import { ACCEPTING, burningAfter } from '../burning-code.ts';
import { SANDBOX_ASSET } from '../test-sandbox.ts';
import { WALLETS, WITHOUT_CODE } from '../wallet-accounts.ts';
import { AMOUNT, startSettlers, turning } from './settlers.ts';

const settlers = await startSettlers();
const { chain, setCode, createMembers, createCoded, hold, createSettler, openBudget, stop } = settlers;
test.after.always(() => stop());

/** Gives the payer code that accepts its signatures up to the latest block, and uses up all gas in later ones. */
const burningNow = async () => burningAfter(await chain.node.getBlockNumber({ cacheTime: 0 }));
const turn = async (address: Hex) => setCode(address, await burningNow());
const settled = (count: number) => Array<string>(count).fill('settled');

const gasOfBlocks = async (from: bigint) => {
  const latest = await chain.node.getBlockNumber({ cacheTime: 0 });
  const numbers = Array.from({ length: Number(latest - from) }, (_, index) => from + BigInt(index) + 1n);
  const blocks = await Promise.all(numbers.map((blockNumber) => chain.node.getBlock({ blockNumber })));
  return blocks.reduce((sum, { gasUsed }) => sum + gasUsed, 0n);
};

test.serial('a payer with code that says yes, and no in the transaction, uses up its own gas alone', async (t) => {
  const { members, wallet, left } = await createMembers(1);
  const { settle, verifier, gasBudget, sizes } = createSettler();
  await turn(wallet.address);
  const from = await chain.node.getBlockNumber({ cacheTime: 0 });
  t.is(await verifier.verify(defined(members[0]).payment), undefined, 'it says yes in the simulation');
  const [report] = await settle(members);
  t.like(report, { kind: 'refused', isPayersFault: true });
  t.deepEqual(sizes, [1]);
  const gas = await gasOfBlocks(from);
  t.true(gas <= 120_000n);
  t.is(await gasBudget.spent('code'), gas);
  t.is(await left(), AMOUNT);
});

test.serial('a payer with code is not settled together with others', async (t) => {
  const honest = await createMembers(20);
  const coded = await createCoded(2);
  const { settleTo, gasBudget, sizes } = createSettler();
  t.deepEqual(await settleTo([...coded.members, ...honest.members]), settled(22));
  sizes.sort((one, other) => one - other);
  t.deepEqual(sizes, [1, 1, 20]);
  t.is(await gasBudget.spent('code'), 0n);
});

test.serial('a payer that gets code after its batch was made loses the gas of the batch', async (t) => {
  const honest = await createMembers(8);
  const late = await createMembers(1);
  const turned = turning(settlers, defined(late.members[0]), await burningNow());
  const { settleTo, gasBudget, sizes } = createSettler();
  t.deepEqual(await settleTo([turned, ...honest.members]), ['refused', ...settled(8)]);
  t.is(sizes[0], 9);
  t.true((await gasBudget.spent(late.wallet.address)) > 120_000n, 'and that of its own transaction');
  t.is(await honest.left(), 0n);
});

test.serial('a payer with code that pays is counted nothing, and is refused after the gas of the day', async (t) => {
  const { members, wallet, left } = await createCoded(3);
  const { settle, settleTo, verifier, gasBudget, sizes } = createSettler();
  t.deepEqual(await settleTo(members.slice(0, 2)), settled(2));
  t.is(await gasBudget.spent(wallet.address), 0n);
  await gasBudget.lose('a test', ['code'], 49_900_000n);
  const last = defined(members[2]);
  t.is(await verifier.verify(last.payment), 'too_much_gas_today');
  t.deepEqual(await settle([last]), [{ kind: 'refused', reason: 'too_much_gas_today' }]);
  t.deepEqual(sizes, [1, 1]);
  t.is(await left(), AMOUNT);
});

test.serial('an account that has delegated to code pays, and its code decides what it signed', async (t) => {
  const { members, wallet } = await createMembers(2);
  const { settleTo, verifier } = createSettler();
  const { address } = createWallet();
  await setCode(address, burningAfter(10n ** 9n));
  await setCode(wallet.address, `0xef0100${address.slice(2)}`);
  t.deepEqual(await settleTo(members.slice(0, 1)), settled(1));
  await setCode(address, '0x60205ff3');
  t.is(typeof (await verifier.verify(defined(members[1]).payment)), 'string');
});

for (const kind of WALLETS) {
  test.serial(`${kind.name} pays alone, and only with what its code accepts`, async (t) => {
    const honest = await createMembers(3);
    const { members, wallet, left } = await createMembers(2, 2, kind);
    const [first, second] = [defined(members[0]), defined(members[1])];
    const { settle, settleTo, verifier, gasBudget, sizes } = createSettler();
    t.is(await verifier.verify(first.payment), undefined);
    const stolen = { ...second.payment, walletSignature: defined(first.payment.walletSignature) };
    t.is(await verifier.verify(stolen), 'invalid_exact_evm_signature');
    t.deepEqual(await settleTo([first, ...honest.members]), settled(4));
    t.deepEqual(sizes.toSorted(), [1, 3]);
    t.is(await gasBudget.spent('code'), 0n);
    // Without its code, as an end of its delegation leaves it, its signature is worth nothing any more.
    await setCode(wallet.address, '0x');
    const [report] = await settle([second, ...(await createMembers(2)).members]);
    t.like(report, { kind: 'refused', isPayersFault: true });
    t.deepEqual(sizes.slice(2), [2]);
    t.is(await left(), AMOUNT);
  });
}

for (const [kind, reason] of WITHOUT_CODE) {
  test.serial(`an account without code is refused with ${kind.name}, and nothing is deployed`, async (t) => {
    const { members, wallet } = await createMembers(1, 1, kind);
    const { payment } = defined(members[0]);
    const { verifier } = createSettler();
    t.is(await verifier.verify(payment), reason);
    t.deepEqual(await verifier.check(payment), { reason, isPayersFault: true });
    t.is(await chain.node.getCode({ address: wallet.address }), undefined);
  });
}

test.serial('a signature that anybody may have made up runs no code beyond the gas of a settlement', async (t) => {
  const small = defined(WALLETS[0]);
  const asked: string[] = [];
  const calls: Partial<Calls> = {
    read: async () => ({ success: true, data: `0x${'0'.repeat(64)}` }),
    hasCode: async () => asked.push('code') > 0,
  };
  const sender: Pick<TransactionSender, 'simulate'> = {
    async simulate({ gas }) {
      asked.push(`run with ${gas}`);
      return { success: true, data: '0x' };
    },
  };
  const terms = { asset: SANDBOX_ASSET, assetName: 'USD Coin', assetVersion: '2' };
  const gasBudget = openBudget();
  const { verify } = createVerifier(contextOf<SigningContext>({ calls, terms, sender, gasBudget, now: Date.now }));
  for (const [kind, expected] of [
    [small, undefined],
    // Its bytes alone need more.
    [{ ...small, more: `0x${'ff'.repeat(2400)}` } as const, 'invalid_exact_evm_signature'],
  ] as const) {
    const { members } = await createMembers(1, 1, kind);
    t.is(await verify(defined(members[0]).payment), expected);
  }
  t.deepEqual(asked, ['code', 'run with 120000']);
});

test.serial('the code of a wallet that needs more gas than a settlement has is refused', async (t) => {
  const { members, wallet } = await createMembers(1, 1, defined(WALLETS[0]));
  const { verifier } = createSettler();
  // It hashes a megabyte, which the node would let it do, and says yes.
  await setCode(wallet.address, `0x620fffff5f2050${ACCEPTING.slice(2)}`);
  t.is(await verifier.verify(defined(members[0]).payment), 'invalid_exact_evm_signature');
});

/** Waits until so many transactions wait to be mined, and no more come. */
async function untilWaiting(count: number): Promise<boolean> {
  const isWaiting = async () => (await chain.node.getTxpoolStatus()).pending === count;
  await until(isWaiting);
  await delay(300);
  return isWaiting();
}

test.serial('at most five payments of a payer with code are on their way, and the others follow', async (t) => {
  const { members, left } = await createCoded(12);
  const { settleTo, gasBudget } = createSettler();
  const release = await hold(t);
  const kinds = settleTo(members);
  t.true(await untilWaiting(5));
  await chain.node.mine({ blocks: 1 });
  t.true(await untilWaiting(5));
  await release();
  t.deepEqual(await kinds, settled(12));
  t.is(await left(), 0n);
  t.is(await gasBudget.spent('code'), 0n);
});

test.serial('of many payments of one payer whose code then uses up gas, five are sent', async (t) => {
  const { members, wallet } = await createMembers(40);
  await turn(wallet.address);
  const { settleTo, sizes } = createSettler();
  t.false((await settleTo(members)).includes('settled'));
  t.true(sizes.length <= 5);
});

test.serial('payments that wait for their turn in vain are not sent', async (t) => {
  const { members } = await createCoded(7);
  await hold(t);
  const kinds = await createSettler(undefined, 1500).settleTo(members);
  t.deepEqual(kinds.toSorted(), [...Array<string>(5).fill('unknown'), 'unsent', 'unsent']);
});

test.serial('a payment for which the gas of the day does not suffice yet waits for those on their way', async (t) => {
  const { members, wallet } = await createCoded(4);
  const { settleTo, gasBudget } = createSettler();
  await gasBudget.lose('a test', [wallet.address], 19_700_000n);
  t.deepEqual(await settleTo(members), settled(4));
});

test.serial('the report of an honest payer does not wait for payers with code', async (t) => {
  const honest = await createMembers(1);
  const coded = await createCoded(20);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { settleBatch, sizes } = createSettler((sender) => ({
    async send(request, note) {
      if (request.data.includes(coded.wallet.address.slice(2).toLowerCase())) await held;
      return sender.send(request, note);
    },
  }));
  const { reports, ended } = settleBatch([...coded.members, ...honest.members]);
  t.is((await defined(reports.at(-1))).kind, 'settled');
  await ended;
  t.deepEqual(sizes, [1]);
  release();
  const kinds = (await Promise.all(reports)).map(({ kind }) => kind);
  t.deepEqual(kinds, settled(21));
});

test.serial('payers whose code uses up all gas do not keep the node from answering about others', async (t) => {
  const { verifier } = createSettler();
  const honest = await createMembers(2);
  const burning = await Promise.all(Array.from({ length: 12 }, () => createMembers(1)));
  // It never ends.
  for (const { wallet } of burning) await setCode(wallet.address, '0x5b600056');
  const all = [...honest.members, ...burning.flatMap(({ members }) => members)];
  const failures = await Promise.all(all.map(({ payment }) => verifier.check(payment)));
  t.deepEqual(failures.slice(0, 2), [undefined, undefined]);
  t.true(failures.slice(2).every((failure) => failure?.isPayersFault === true));
});
