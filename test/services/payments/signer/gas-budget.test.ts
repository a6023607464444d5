import test from 'ava';
import { sql } from 'kysely';
import {
  causeOf,
  GAS_PER_SETTLEMENT,
  type GasAccount,
  readSharedGas,
} from '../../../../services/payments/signer/gas-budget.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { createNonce, createWallet } from '../../../kit/chain.ts';
import { startGasBudgets } from '../test-gas-budget.ts';

const budgets = await startGasBudgets();
test.after.always(() => budgets.stop());

/** A second before midnight, and one after it. */
const EVENING = Date.parse('2026-11-26T23:59:59Z');
const MORNING = EVENING + 2000;
const DAY_MS = 86_400_000;

function openBudget() {
  let nowMs = EVENING;
  const now = () => nowMs;
  const budget = budgets.open({ now });
  const at = (ms: number) => {
    nowMs = ms;
  };
  return { budget, at, copy: () => budgets.open({ network: budget.network, now }) };
}

const newPayer = () => createWallet().address;
const paymentOf = (payer: GasAccount) => causeOf({ payer: payer as `0x${string}`, nonce: createNonce() });
const hashOf = (digit: string) => `0x${digit.repeat(64)}`;
const rangeOf = (digit: string) => `range:${digit.repeat(64)}` as const;

test('what is on its way is not counted, and its outcome is counted once', async (t) => {
  const { budget } = openBudget();
  const payer = newPayer();
  const request = { cause: 'deposit:1', accounts: [payer, 'code'], limit: 100_000n } as const;
  t.is(await budget.reserve(request), 'new');
  t.is(await budget.reserve({ ...request, limit: 90_000n }), 'known');
  t.deepEqual([await budget.spent(payer), await budget.onItsWay(payer)], [0n, 100_000n], 'the larger limit');
  for (let copy = 0; copy < 2; copy += 1) await budget.end('deposit:1', 60_000n);
  t.deepEqual([await budget.spent(payer), await budget.onItsWay(payer)], [60_000n, 0n]);
  t.is(await budget.spent('code'), 60_000n);
  t.is(await budget.reserve(request), 'new', 'it is sent again');
  await budget.end('deposit:1', 700_000n);
  t.is(await budget.spent(payer), 160_000n, 'never more than the limit');
});

test('of what was paid for, nothing is left', async (t) => {
  const { budget } = openBudget();
  await budget.reserve({ cause: 'deposit:1', accounts: [newPayer(), 'code'], limit: 100_000n });
  await budget.end('deposit:1', 0n);
  const { rows } = await sql`SELECT FROM ledger.spent_gas WHERE network = ${budget.network}`.execute(budgets.database);
  t.is(rows.length, 0);
});

for (const [ofCode, accounts, expected] of [
  [undefined, ['code'], 70n],
  [undefined, [], 0n],
  [true, ['code'], 70n],
  [true, [], 70n],
  [false, ['code'], 0n],
] as const) {
  test(`all payers with code lose ${expected}, by an outcome of ${ofCode} with ${accounts.length} of them reserved`, async (t) => {
    const { budget } = openBudget();
    const payer = newPayer();
    await budget.reserve({ cause: 'deposit:1', accounts: [payer, ...accounts], limit: 100n });
    for (let copy = 0; copy < 2; copy += 1) await budget.end('deposit:1', 70n, ofCode);
    t.deepEqual([await budget.spent('code'), await budget.spent(payer)], [expected, 70n]);
    t.is(await budget.onItsWay('code'), 0n);
  });
}

test('gas that was lost without a reservation is counted once for its cause', async (t) => {
  const { budget } = openBudget();
  const payer = newPayer();
  for (let copy = 0; copy < 2; copy += 1) await budget.lose(hashOf('b'), [payer, 'code'], 7n);
  await budget.lose(hashOf('c'), [payer], 7n);
  t.deepEqual([await budget.spent(payer), await budget.spent('code')], [14n, 7n]);
});

/** Of each account: an attack by causes of its own, until it is stopped. */
for (const [name, attack, gas, most] of [
  ['one payer', (payer: GasAccount) => [payer], 1_000_000n, 20_000_000n],
  ['many payers with code', () => [newPayer(), 'code'], 1_000_000n, 50_000_000n],
  ['many refunds of channels never charged', () => [newPayer(), 'uncharged'], 1_000_000n, 20_000_000n],
  ['many depositors in one address range', () => [newPayer(), 'deposits', rangeOf('a')], 400_000n, 20_000_000n],
] as const satisfies readonly (readonly [string, (payer: GasAccount) => readonly GasAccount[], bigint, bigint])[]) {
  test(`${name} burn no more than ${most} gas in a day, through two copies`, async (t) => {
    const { budget, copy, at } = openBudget();
    const copies = [budget, copy()];
    const payer = newPayer();
    const tries = Number(most / gas) + 12;
    const results = await Promise.all(
      Array.from({ length: tries }, (_, index) =>
        defined(copies[index % 2]).reserve({ cause: `deposit:${index}`, accounts: attack(payer), limit: gas }),
      ),
    );
    t.is(results.filter((result) => result === 'new').length, Number(most / gas));
    t.is(results.filter((result) => result === 'full').length, 12, 'they may go on if the gas is paid for');
    for (let index = 0; index < tries; index += 1) await budget.end(`deposit:${index}`, gas);
    const last = { cause: 'deposit:last', accounts: attack(payer), limit: 1n };
    t.is(await budget.reserve(last), 'refused');
    t.false(await budget.hasRoom(attack(payer), 1n));
    at(MORNING);
    t.is(await budget.reserve(last), 'new', 'on the next day');
  });
}

test('2,000 payments of honest payers with code are settled in a day, and none is refused', async (t) => {
  const { budget, copy } = openBudget();
  const copies = [budget, copy()];
  const payers = Array.from({ length: 50 }, newPayer);
  const refused: string[] = [];
  const pay = async (payer: GasAccount, index: number) => {
    const cause = paymentOf(payer);
    const own = defined(copies[index % 2]);
    const request = { cause, accounts: [payer, 'code'], limit: GAS_PER_SETTLEMENT, atOnce: 5 } as const;
    let reservation = await own.reserve(request);
    while (reservation === 'full') reservation = await own.reserve(request);
    if (reservation !== 'new') refused.push(reservation);
    await own.end(cause, 0n);
  };
  for (let round = 0; round < 40; round += 1) await Promise.all(payers.map((payer) => pay(payer, round)));
  t.deepEqual(refused, []);
  t.is(await budget.spent('code'), 0n);
});

test('deposits of many ranges are not refused together, and are told to the operator', async (t) => {
  const { budget } = openBudget();
  for (const digit of '0123456789') {
    await budget.lose(hashOf(digit), ['deposits', rangeOf(digit)], 19_000_000n);
  }
  const accounts = [newPayer(), 'deposits', rangeOf('b')] as const;
  t.true(await budget.hasRoom(accounts, 400_000n));
  t.is(await budget.reserve({ cause: 'deposit:1', accounts, limit: 400_000n }), 'new');
  const deposits = (await readSharedGas(budget)).find(({ isAlarm }) => isAlarm);
  t.deepEqual(deposits, { of: 'all deposits', spent: 190_000_000n, most: 100_000_000n, isAlarm: true });
});

test('only so many payments of a payer are on their way at once, in all copies, beside its deposits', async (t) => {
  const { budget, copy } = openBudget();
  const payer = newPayer();
  await budget.reserve({ cause: 'deposit:1', accounts: [payer], limit: 1n });
  const causes = Array.from({ length: 3 }, () => paymentOf(payer));
  const reserve = (cause: string | undefined, by = budget) =>
    by.reserve({ cause: defined(cause), accounts: [payer], limit: 1n, atOnce: 2 });
  t.deepEqual([await reserve(causes[0]), await reserve(causes[1], copy())], ['new', 'new']);
  t.deepEqual([await reserve(causes[2]), await reserve(causes[0])], ['full', 'known']);
  await budget.end(defined(causes[1]), 1n);
  t.is(await reserve(causes[2]), 'new');
});

test('gas that one account has and another has not is reserved for neither', async (t) => {
  const { budget } = openBudget();
  const payer = newPayer();
  await budget.lose(hashOf('c'), ['code'], 49_900_001n);
  const request = { cause: 'deposit:1', accounts: [payer, 'code'] } as const;
  t.is(await budget.reserve({ ...request, limit: 100_000n }), 'refused');
  t.is(await budget.onItsWay(payer), 0n);
  t.is(await budget.reserve({ ...request, limit: 99_999n }), 'new');
  t.false(await budget.isUsedUp(payer));
  const burned = newPayer();
  const other = budgets.open({ network: budget.network, now: () => EVENING });
  await other.lose(hashOf('d'), [burned], 19_880_001n);
  t.true(await other.isUsedUp(burned));
});

test('what is on its way at midnight holds the next day, and what a crash left there no longer', async (t) => {
  const { budget, at } = openBudget();
  const payer = newPayer();
  await budget.reserve({ cause: 'deposit:1', accounts: [payer], limit: 20_000_000n });
  const other = { cause: 'deposit:2', accounts: [payer], limit: 1n };
  at(MORNING);
  t.is(await budget.reserve(other), 'full');
  at(MORNING + DAY_MS);
  t.is(await budget.reserve(other), 'new');
  await budget.end('deposit:1', 5n);
  t.is(await budget.spent(payer), 5n, 'what it cost is counted when it is known');
});

test('the hash of an address range is deleted after the day, and the rest after a week', async (t) => {
  const { budget, at } = openBudget();
  const payer = newPayer();
  await budget.reserve({ cause: 'deposit:1', accounts: [payer, 'deposits', rangeOf('a')], limit: 7n });
  const accounts = async () => {
    await budget.forget();
    const { rows } = await sql<{ account: string }>`SELECT account FROM ledger.spent_gas
      WHERE network = ${budget.network} ORDER BY account`.execute(budgets.database);
    return rows.map(({ account }) => account);
  };
  const rest = [payer.toLowerCase(), 'deposits'];
  t.deepEqual(await accounts(), [...rest, rangeOf('a')]);
  at(MORNING);
  t.deepEqual(await accounts(), rest);
  at(EVENING + 7 * DAY_MS);
  t.deepEqual(await accounts(), rest);
  at(EVENING + 8 * DAY_MS);
  t.deepEqual(await accounts(), []);
});

test('nothing is reserved while another copy holds the account for long', async (t) => {
  const { budget } = openBudget();
  const payer = newPayer();
  await budgets.database.transaction().execute(async (transaction) => {
    const lock = `ledger.spent_gas/${budget.network}/code`;
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(transaction);
    const request = { cause: 'deposit:1', accounts: [payer, 'code'], limit: 120_000n } as const;
    await t.throwsAsync(budget.reserve(request), { message: /lock timeout/ });
  });
  t.is(await budget.onItsWay(payer), 0n);
});
