import test, { type ExecutionContext } from 'ava';
import { createTestClient } from 'viem';
import { createRpc } from '../../../../services/payments/chain/nodes.ts';
import type { GasBudget } from '../../../../services/payments/signer/gas-budget.ts';
import { createGasReserve } from '../../../../services/payments/signer/gas-reserve.ts';
import { createWallet, toChain } from '../../../kit/chain.ts';
import { startTestAnvil } from '../../../kit/servers.ts';
import { startGasBudgets } from '../test-gas-budget.ts';

const [anvil, budgets] = await Promise.all([startTestAnvil(), startGasBudgets()]);
test.after.always(() => Promise.all([anvil.stop(), budgets.stop()]));
const node = createTestClient({ mode: 'anvil', transport: toChain(anvil.url) });

const MARKET = { baseFeePerGas: 10n, maxPriorityFeePerGas: 1n };
/** 12 for the base fee, which may rise by a fifth, and 1 for the tip. */
const FEE = 13n;
/** Three settlements. */
const SETTLEMENTS_GAS = 360_000n;

/** The reserve of a new signer that must pay for three settlements. */
function openReserve(
  countUnclaimed: () => Promise<number>,
  maxFeePerGas = 1000n,
  gasBudget: Pick<GasBudget, 'spentBy'> = budgets.open(),
) {
  const { address } = createWallet();
  const reserve = createGasReserve({
    rpc: createRpc(anvil.url),
    address,
    readMarket: async () => MARKET,
    maxFeePerGas,
    settlements: 3,
    countUnclaimed,
    gasBudget,
  });
  return { reserve, setBalance: (value: bigint) => node.setBalance({ address, value }) };
}

const claims = [
  { channels: 0, gas: 0n, name: 'no channel needs no claim' },
  { channels: 1, gas: 150_000n + 35_000n, name: 'one channel needs a whole claim' },
  { channels: 100, gas: 150_000n + 3_500_000n, name: 'a hundred channels share a claim' },
  { channels: 101, gas: 2n * 150_000n + 3_535_000n, name: 'the channel after a hundred needs a second claim' },
];
for (const { channels, gas, name } of claims) {
  test(`${name}, and the signer pays to the wei`, async (t) => {
    const { reserve, setBalance } = openReserve(async () => channels);
    const neededWei = (SETTLEMENTS_GAS + gas) * FEE;
    await setBalance(neededWei - 1n);
    t.like(await reserve.read(), { neededWei, balanceWei: neededWei - 1n, unclaimedChannels: channels });
    await refuses(t, reserve);
    await setBalance(neededWei);
    await reserve.check();
    t.notThrows(reserve.admit);
  });
}

test('the fee is at most the highest that is set', async (t) => {
  const { reserve } = openReserve(async () => 0, 5n);
  t.is((await reserve.read()).neededWei, SETTLEMENTS_GAS * 5n);
});

test('without an answer of the database, the last count is used', async (t) => {
  let count = async () => 1;
  const { reserve } = openReserve(() => count());
  const { neededWei } = await reserve.read();
  count = () => Promise.reject(new Error('the database does not answer'));
  t.like(await reserve.read(), { neededWei, unclaimedChannels: 1 });
});

test('without an answer of the database, the last lost gas is told', async (t) => {
  const budget = budgets.open();
  let { spentBy } = budget;
  const { reserve } = openReserve(async () => 0, 1000n, { spentBy: (accounts) => spentBy(accounts) });
  await budget.lose('one', ['code'], 40_000_000n);
  await budget.lose('two', ['uncharged'], 3_000_000n);
  const shared = [
    { of: 'payers with code', spent: 40_000_000n, most: 50_000_000n, isAlarm: false },
    { of: 'refunds of channels that were never charged', spent: 3_000_000n, most: 20_000_000n, isAlarm: false },
    { of: 'all deposits', spent: 0n, most: 100_000_000n, isAlarm: true },
  ];
  t.deepEqual((await reserve.read()).shared, shared);
  spentBy = () => Promise.reject(new Error('the database does not answer'));
  t.deepEqual((await reserve.read()).shared, shared);
});

async function refuses(t: ExecutionContext, { check, admit }: ReturnType<typeof openReserve>['reserve']) {
  await t.throwsAsync(check, { code: 'PAYMENT_UNAVAILABLE' });
  t.throws(admit, { code: 'PAYMENT_UNAVAILABLE' });
}
