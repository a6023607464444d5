import { randomInt } from 'node:crypto';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startSharedPostgres } from '../../../test/helpers/test-database.ts';
import { markRunning } from '../../launch/processes/running-mark.ts';
import { createRandom, type Random } from '../random.ts';
import { listMutants } from './mutants.ts';
import { openMutatedTree } from './mutated-tree.ts';
import { createTypeCheck } from './type-check.ts';

const USAGE = `usage: npm run mutate -- [--mutants N] [--minutes N] [--seed N] [FILES]

Changes the code of money and retention in small ways, one at a time, in a copy of this checkout, and runs the
nearest tests that execute the changed place. What the type checker refuses is not counted.

  --mutants N   how many changes are judged (300)
  --minutes N   ends earlier after this time (180)
  --seed N      draws the changes; random by default, and printed
  FILES         patterns of the files to change

Exit codes: 0 the tests found at least 85 %; 1 they found fewer; 2 wrong arguments.`;

const SOURCES = [
  'services/ledger/**/*.ts',
  'services/payments/{claims,settlement,finality,signer,channels}/**/*.ts',
  'services/backoffice/{channels,retention}/**/*.ts',
];
const LEAST_PERCENT = 85;

const root = resolve(import.meta.dirname, '../../..');
const { values, positionals } = parseArgs({
  options: {
    mutants: { type: 'string', default: '300' },
    minutes: { type: 'string', default: '180' },
    seed: { type: 'string', default: `${randomInt(1_000_000)}` },
    help: { type: 'boolean', short: 'h', default: false },
  },
  allowPositionals: true,
});
const [count, minutes, seed] = [Number(values.mutants), Number(values.minutes), Number(values.seed)];
if (values.help || !(count >= 1) || !(minutes > 0) || !Number.isSafeInteger(seed)) {
  console.error(USAGE);
  process.exit(values.help ? 0 : 2);
}

markRunning(root);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const mutants = await listMutants(root, positionals.length > 0 ? positionals : SOURCES);
process.exitCode = (await run()) ? 0 : 1;

/** @returns whether the tests found enough */
async function run(): Promise<boolean> {
  console.log(`seed ${seed}: up to ${count} of ${mutants.length} mutants`);
  const postgres = await startSharedPostgres();
  const tree = openMutatedTree(root, postgres.environment);
  const isRefused = createTypeCheck(root);
  const counts = { found: 0, survived: 0, unreached: 0, refused: 0 };
  const judged = () => counts.found + counts.survived + counts.unreached;
  const startedMs = performance.now();
  try {
    for (const mutant of shuffled(mutants, createRandom(seed))) {
      if (judged() >= count || performance.now() - startedMs > minutes * 60_000) break;
      const verdict = isRefused(mutant) ? 'refused' : await tree.judge(mutant);
      counts[verdict] += 1;
      if (verdict !== 'refused') console.log(`${verdict.padEnd(9)} ${mutant.title}`);
    }
  } finally {
    tree.remove();
    await postgres.stop();
  }
  const percent = (counts.found / judged()) * 100;
  const seconds = (performance.now() - startedMs) / 1000 / judged();
  const share = `${counts.found} of ${judged()} found, ${percent.toFixed(1)} % (at least ${LEAST_PERCENT} %)`;
  console.log(`seed ${seed}: ${share}; ${counts.refused} refused by the type checker; ${seconds.toFixed(1)} s each`);
  return percent >= LEAST_PERCENT;
}

/** The items in an order that the random numbers decide. */
function shuffled<T>(items: readonly T[], { between }: Random): readonly T[] {
  const keyed = items.map((item) => ({ item, key: between(0, 1) }));
  return keyed.toSorted((one, other) => one.key - other.key).map(({ item }) => item);
}
