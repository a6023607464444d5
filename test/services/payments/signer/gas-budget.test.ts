import test from 'ava';
import { sql } from 'kysely';
import { createGasBudget } from '../../../../services/payments/signer/gas-budget.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { openDatabase } from '../../../../services/store/database.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { createWallet } from '../../../kit/chain.ts';
import { createTestDatabase } from '../../../kit/test-database.ts';
import { HANG_MS } from '../../../kit/until.ts';

const postgres = await createTestDatabase();
const logger = createLogger({ name: 'test', level: 'silent' });
const database = openDatabase({ url: postgres.url, connections: 2, connectTimeoutMs: HANG_MS, logger });
test.after.always(async () => {
  await database.destroy();
  await postgres.stop();
});

/** A second before midnight, and one after it. */
const EVENING = Date.parse('2026-11-26T23:59:59Z');
const MORNING = EVENING + 2000;

function openBudget(network: string) {
  let nowMs = EVENING;
  const budget = createGasBudget({ database, network, now: () => nowMs, logger });
  const at = (ms: number) => {
    nowMs = ms;
  };
  return { budget, at };
}

const hashOf = (digit: string) => `0x${digit.repeat(64)}`;

test('gas that is given back after midnight leaves what was lost since then', async (t) => {
  const { budget, at } = openBudget('eip155:1');
  const honest = createWallet().address;
  const bad = createWallet().address;
  t.deepEqual(await budget.take('payment:1', [honest, 'code'], 1_200_000n), [honest, 'code']);
  at(MORNING);
  await budget.lose(hashOf('a'), [bad, 'code'], 1_200_000n);
  await budget.giveBack('payment:1');
  t.is(await budget.spent('code'), 1_200_000n, 'lost today');
  at(EVENING);
  t.is(await budget.spent('code'), 0n, 'lost yesterday');
});

test('the gas of one cause is counted once, and given back once', async (t) => {
  const { budget } = openBudget('eip155:3');
  const [payer, other] = [createWallet().address, createWallet().address];
  for (let copy = 0; copy < 2; copy += 1) {
    t.deepEqual(await budget.take('payment:1', [payer, 'code'], 100_000n), copy === 0 ? [payer, 'code'] : []);
    await budget.lose(hashOf('b'), [payer, 'code'], 7n);
  }
  await budget.take('payment:2', [other, 'code'], 100_000n);
  t.is(await budget.spent(payer), 100_007n);
  await budget.keep('payment:1', 60_000n);
  await budget.keep('payment:1', 90_000n);
  t.is(await budget.spent(payer), 60_007n, 'never more than before');
  for (let copy = 0; copy < 2; copy += 1) await budget.giveBack('payment:1', ['code']);
  t.is(await budget.spent('code'), 100_007n);
  await budget.giveBack('payment:1');
  t.is(await budget.spent(payer), 7n);
  t.is(await budget.spent(other), 100_000n);
});

test('gas that one account has and another has not is taken of neither', async (t) => {
  const { budget } = openBudget('eip155:4');
  const payer = createWallet().address;
  await budget.lose(hashOf('c'), ['code'], 49_900_001n);
  t.false(await budget.hasRoom([payer, 'code'], 100_000n));
  t.is(await budget.take('payment:1', [payer, 'code'], 100_000n), undefined);
  t.is(await budget.spent(payer), 0n);
  t.true(await budget.hasRoom([payer, 'code'], 99_999n));
  t.deepEqual(await budget.take('payment:1', [payer, 'code'], 99_999n), [payer, 'code']);
  await budget.lose(hashOf('d'), [payer], 20_000_000n);
  t.true(await budget.isUsedUp(payer));
});

test('copies that count at once count exactly', async (t) => {
  const copies = Array.from({ length: 4 }, () => openBudget('eip155:2').budget);
  const payer = createWallet().address;
  const taken = await Promise.all(
    Array.from({ length: 240 }, (_, index) =>
      defined(copies[index % 4]).take(`payment:${index}`, [payer, 'code'], 100_000n),
    ),
  );
  t.is(taken.filter(Boolean).length, 200);
  t.is(await defined(copies[0]).spent(payer), 20_000_000n);
  t.is(await defined(copies[0]).spent('code'), 20_000_000n);
});

test('what is sent again on the next day is counted on that day', async (t) => {
  const { budget, at } = openBudget('eip155:5');
  const payer = createWallet().address;
  t.deepEqual(await budget.take('payment:1', [payer], 120_000n), [payer]);
  at(MORNING);
  t.deepEqual(await budget.take('payment:1', [payer, 'code'], 120_000n), ['code'], 'the payer is counted already');
  t.is(await budget.spent(payer), 120_000n);
});

test('gas is not taken while another copy holds the account for long', async (t) => {
  const { budget } = openBudget('eip155:6');
  const payer = createWallet().address;
  await database.transaction().execute(async (transaction) => {
    const lock = `ledger.spent_gas/eip155:6/code`;
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(transaction);
    await t.throwsAsync(budget.take('payment:1', [payer, 'code'], 120_000n), { message: /lock timeout/ });
  });
  t.is(await budget.spent(payer), 0n);
});
