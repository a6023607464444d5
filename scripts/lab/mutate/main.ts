import { randomInt } from 'node:crypto';
import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startSharedPostgres } from '../../../test/kit/test-database.ts';
import { enterRunFolder } from '../../checks/tests/run-folder.ts';
import { markRunning } from '../../launch/processes/running-mark.ts';
import { createRandom, type Random } from '../random.ts';
import { listMutants } from './mutants.ts';
import { openMutatedTree } from './mutated-tree.ts';
import { createTypeCheck } from './type-check.ts';

const USAGE = `usage: npm run mutate -- [--mutants N] [--minutes N] [--seed N] [PARTS or FILES]

Changes the code of money and verdicts in small ways, one at a time, in a copy of this checkout, and runs the nearest tests
that execute the changed place. What the type checker refuses is not counted.

  --mutants N      how many changes of each part are judged (300)
  --minutes N      a part ends earlier after this time (money 180, the others 45)
  --seed N         draws the changes; random by default, and printed
  PARTS or FILES   money, plan, verdict, select; or patterns of files. All parts by default

Exit codes: 0 the tests found at least 85 % of each part; 1 they found fewer; 2 wrong arguments.`;

/** Patterns of files, and how many minutes are enough for a sample. */
const PARTS: ReadonlyMap<string, { readonly patterns: readonly string[]; readonly minutes: number }> = new Map([
  [
    'money',
    {
      patterns: [
        'services/ledger/**/*.ts',
        'services/payments/{claims,settlement,finality,signer,channels}/**/*.ts',
        'services/backoffice/{channels,retention}/**/*.ts',
      ],
      minutes: 180,
    },
  ],
  ['plan', { patterns: ['workers/plan/**/*.ts'], minutes: 45 }],
  ['verdict', { patterns: ['workers/verdict/**/*.ts'], minutes: 45 }],
  ['select', { patterns: ['workers/select/**/*.ts'], minutes: 45 }],
]);
const LEAST_PERCENT = 85;

const root = resolve(import.meta.dirname, '../../..');
const { values, positionals } = parseArgs({
  options: {
    mutants: { type: 'string', default: '300' },
    minutes: { type: 'string' },
    seed: { type: 'string', default: `${randomInt(1_000_000)}` },
    help: { type: 'boolean', short: 'h', default: false },
  },
  allowPositionals: true,
});
const [count, seed] = [Number(values.mutants), Number(values.seed)];
const minutes = values.minutes === undefined ? undefined : Number(values.minutes);
if (values.help || !(count >= 1) || !(minutes === undefined || minutes > 0) || !Number.isSafeInteger(seed)) {
  console.error(USAGE);
  process.exit(values.help ? 0 : 2);
}

const patterns = positionals.filter((name) => !PARTS.has(name));
const unknown = patterns.find((pattern) => globSync(pattern, { cwd: root }).length === 0);
if (unknown !== undefined || (patterns.length > 0 && patterns.length < positionals.length)) {
  console.error(
    unknown === undefined ? 'give either parts or files' : `${unknown} is not a part, and no file matches it`,
  );
  process.exit(2);
}

markRunning(root);
await enterRunFolder();
const postgres = await startSharedPostgres();
const tree = openMutatedTree(root, postgres.environment);
const isRefused = createTypeCheck(root);
try {
  for (const [name, part] of samples()) if (!(await sample(name, part))) process.exitCode = 1;
} finally {
  tree.remove();
  await postgres.stop();
}

/** The parts that were asked for. Patterns of files are one sample together. */
function samples() {
  if (patterns.length > 0) return [['files', { patterns, minutes: 180 }]] as const;
  return [...PARTS].filter(([name]) => positionals.length === 0 || positionals.includes(name));
}

/** @returns whether the tests found enough */
async function sample(
  name: string,
  { patterns, minutes: enough }: { readonly patterns: readonly string[]; readonly minutes: number },
): Promise<boolean> {
  const mutants = await listMutants(root, patterns);
  console.log(`${name}, seed ${seed}: up to ${count} of ${mutants.length} mutants`);
  const counts = { found: 0, survived: 0, unreached: 0, refused: 0 };
  const judged = () => counts.found + counts.survived + counts.unreached;
  const startedMs = performance.now();
  for (const mutant of shuffled(mutants, createRandom(seed))) {
    if (judged() >= count || performance.now() - startedMs > (minutes ?? enough) * 60_000) break;
    const verdict = isRefused(mutant) ? 'refused' : await tree.judge(mutant);
    counts[verdict] += 1;
    if (verdict !== 'refused') console.log(`${verdict.padEnd(9)} ${mutant.title}`);
  }
  const percent = (counts.found / judged()) * 100;
  const seconds = (performance.now() - startedMs) / 1000 / judged();
  const share = `${counts.found} of ${judged()} found, ${percent.toFixed(1)} % (at least ${LEAST_PERCENT} %)`;
  console.log(`${name}, seed ${seed}: ${share}; ${counts.refused} refused; ${seconds.toFixed(1)} s each`);
  return percent >= LEAST_PERCENT;
}

/** The items in an order that the random numbers decide. */
function shuffled<T>(items: readonly T[], { between }: Random): readonly T[] {
  const keyed = items.map((item) => ({ item, key: between(0, 1) }));
  return keyed.toSorted((one, other) => one.key - other.key).map(({ item }) => item);
}
