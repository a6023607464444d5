import test from 'ava';
import { type Hex, numberToHex } from 'viem';
import { type CountGas, countMined } from '../../../../services/payments/facilitator/lost-gas.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { createNonce, createWallet } from '../../../kit/chain.ts';
import { until } from '../../../kit/until.ts';
import { burningAfter } from '../burning-code.ts';
import { BURNING, startSettlers, turning } from './settlers.ts';

const settlers = await startSettlers();
const { chain, offer, createMembers, createSettler, createSettlerWith, openBudget, setCode, stop } = settlers;
test.after.always(() => stop());

/** Code that uses up gas until so much is left, and then reverts. */
const burningUntil = (left: bigint): Hex => `0x5b5a62${numberToHex(left, { size: 3 }).slice(2)}106000575f5ffd`;
/** Code that says no at once. */
const REFUSING = '0x5f5ffd';
const late = (members: Awaited<ReturnType<typeof createMembers>>['members'], bytecode: Hex = BURNING) =>
  turning(settlers, defined(members[0]), bytecode);

test.serial('code that burns less than three quarters, and goes with its tokens, is counted', async (t) => {
  const { members, wallet } = await createMembers(40);
  const { settle, gasBudget, firstUsed } = createSettlerWith(async () => {
    await setCode(wallet.address, '0x');
    await chain.drain(wallet);
  });
  await settle([late(members, burningUntil(1_900_000n)), ...members.slice(1)]);
  t.true((await firstUsed()) < (4_100_000n * 3n) / 4n, `${await firstUsed()} used`);
  t.true((await gasBudget.spent('code')) > 0n, `of ${await firstUsed()} used`);
  t.is(await gasBudget.spent(wallet.address), await gasBudget.spent('code'));
});

test.serial('a payer that cancelled its authorization is counted, and the honest ones beside it are not', async (t) => {
  const honest = await createMembers(20);
  const { members, wallet } = await createMembers(1);
  const { settle, gasBudget, firstUsed } = createSettlerWith(async () => {
    await setCode(wallet.address, '0x');
    await chain.cancel(wallet, offer, defined(members[0]).payment.authorization.nonce);
  });
  await settle([late(members), ...honest.members]);
  t.is(await honest.left(), 0n, 'the honest one paid');
  t.true((await firstUsed()) > 2_000_000n);
  t.true((await gasBudget.spent('code')) > 1_900_000n);
  t.true((await gasBudget.spent(wallet.address)) > 900_000n, 'half, because the other may have done it');
  t.is(await gasBudget.spent(honest.wallet.address), 0n, 'it paid alone');
});

test.serial('a payer whose late code says no at once is counted no more than its own call', async (t) => {
  const honest = await createMembers(30);
  const { members } = await createMembers(1);
  const { settle, gasBudget } = createSettler();
  await settle([late(members, REFUSING), ...honest.members]);
  t.is(await honest.left(), 0n);
  t.true((await gasBudget.spent('code')) < 50_000n);
});

test.serial('payers whose payments the token plainly refuses are counted nothing', async (t) => {
  for (const count of [1, 2, 20]) {
    const { members, wallet } = await createMembers(count, 0);
    const { settle, gasBudget } = createSettler();
    await settle(members);
    t.is(await gasBudget.spent(wallet.address), 0n);
  }
});

test.serial('a payer with code that burned its gas and cancelled its authorization then is counted', async (t) => {
  const { members, wallet } = await createMembers(1);
  await setCode(wallet.address, burningAfter(await chain.node.getBlockNumber({ cacheTime: 0 })));
  const { settle, gasBudget, firstUsed } = createSettlerWith(async () => {
    await setCode(wallet.address, '0x');
    await chain.cancel(wallet, offer, defined(members[0]).payment.authorization.nonce);
  });
  await settle(members);
  t.true((await firstUsed()) > 100_000n);
  t.is(await gasBudget.spent('code'), await firstUsed());
});

test('a payer with several payments in a burned batch loses all of its gas once', async (t) => {
  const budget = openBudget();
  const payer = createWallet().address;
  const examined = Array.from({ length: 100 }, () => ({ payment: { payer }, hasCode: true, report: undefined }));
  const countGas: CountGas = (_, count) => count();
  const mined = { transaction: createNonce(), used: 10_100_000n, cause: undefined };
  const shareOf = await countMined({ gasBudget: budget, countGas }, mined, examined);
  t.deepEqual([shareOf(payer), await budget.spent(payer)], [10_100_000n, 0n], 'its payments are settled alone first');
  const [first, ...others] = examined;
  const failed = { kind: 'refused', reason: 'a reason', isPayersFault: true } as const;
  const again = { ...mined, transaction: createNonce() };
  await countMined({ gasBudget: budget, countGas }, again, [{ ...defined(first), report: failed }, ...others]);
  t.is(await budget.spent(payer), 10_100_000n);
  t.is(await budget.spent('code'), 20_200_000n);
});

test.serial('what a batch lost is counted when the database answers again', async (t) => {
  const honest = await createMembers(8);
  const { members } = await createMembers(1);
  const { settle, gasBudget } = createSettler();
  const { lose } = gasBudget;
  gasBudget.lose = () => Promise.reject(new Error('the database does not answer'));
  const kinds = (await settle([late(members), ...honest.members])).map(({ kind }) => kind);
  t.deepEqual(kinds, ['refused', ...Array<string>(8).fill('settled')], 'nobody waits for it');
  gasBudget.lose = lose;
  t.true(await until(async () => (await gasBudget.spent('code')) > 120_000n));
});
