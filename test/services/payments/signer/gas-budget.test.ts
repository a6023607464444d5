import test from 'ava';
import { createGasBudget } from '../../../../services/payments/signer/gas-budget.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { openDatabase } from '../../../../services/store/database.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { createWallet } from '../../../helpers/chain.ts';
import { createTestDatabase } from '../../../helpers/test-database.ts';

const postgres = await createTestDatabase();
const logger = createLogger({ name: 'test', level: 'silent' });
const database = openDatabase({ url: postgres.url, connections: 2, logger });
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

test('gas that is given back after midnight leaves what was lost since then', async (t) => {
  const { budget, at } = openBudget('eip155:1');
  const honest = createWallet().address;
  const bad = createWallet().address;
  const day = await budget.take([honest, 'code'], 1_200_000n);
  t.is(day, '2026-11-26');
  at(MORNING);
  await budget.lose([bad, 'code'], 1_200_000n);
  await budget.giveBack([honest, 'code'], 1_200_000n, day);
  t.is(await budget.spent('code'), 1_200_000n, 'lost today');
  at(EVENING);
  t.is(await budget.spent('code'), 0n, 'lost yesterday');
});

test('copies that count at once count exactly', async (t) => {
  const copies = Array.from({ length: 4 }, () => openBudget('eip155:2').budget);
  const payer = createWallet().address;
  const taken = await Promise.all(
    Array.from({ length: 240 }, (_, index) => defined(copies[index % 4]).take([payer, 'code'], 100_000n)),
  );
  t.is(taken.filter(Boolean).length, 200);
  t.is(await defined(copies[0]).spent(payer), 20_000_000n);
  t.is(await defined(copies[0]).spent('code'), 20_000_000n);
});
