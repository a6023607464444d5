import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { defined } from '../../../workers/exact/defined.ts';
import { runFolderOf } from '../../launch/processes/run-folder.ts';
import { createRandom } from '../random.ts';
import { load } from './load/load.ts';
import { reconcile, untilQuiet } from './reconcile/reconcile.ts';
import { openStores } from './reconcile/stores.ts';
import { type Books, createBooks } from './run/books.ts';
import { injectFaults } from './run/faults.ts';
import { type Product, startProduct, VICTIMS, type Victim } from './run/product.ts';
import { printTable } from './run/table.ts';

const USAGE = `usage: npm run soak -- [--seconds N] [--seed N] [--every N] [--victims NAME,…]

Starts the whole product with two copies of each process in a temporary folder, and sends requests from clients of every kind. It also
kills processes, or stops them for a few seconds. At the end, it compares the clients' answers with the ledger, the
claims, the retained answers and the chain.

  --seconds N     how long the clients send requests (600)
  --every N       seconds between two faults (20)
  --seed N        chooses the faults; the same seed always gives the same faults (1)
  --victims NAME  the processes to kill or stop, comma-separated; all by default: ${VICTIMS.join(', ')}

Exit codes: 0 no contradiction; 1 contradictions, with their logs and data kept; 2 wrong arguments.`;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    seed: { type: 'string', default: '1' },
    every: { type: 'string', default: '20' },
    victims: { type: 'string', default: VICTIMS.join(',') },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const [seconds, seed, every] = [values.seconds, values.seed, values.every].map(Number);
const isUsable =
  seconds !== undefined && seconds >= 1 && every !== undefined && every >= 1 && Number.isSafeInteger(seed);
const names = values.victims.split(',');
const [firstVictim, ...otherVictims] = VICTIMS.filter((name) => names.includes(name));
if (values.help || !isUsable || seed === undefined || firstVictim === undefined) {
  console.error(USAGE);
  process.exit(values.help ? 0 : 2);
}

/** Longer lines, such as quoted log lines, are cut. */
const LINE_CHARACTERS = 160;

const victims: readonly [Victim, ...Victim[]] = [firstVictim, ...otherVictims];
const startedAtMs = Date.now();
const say = (line: string): void =>
  console.log(`${((Date.now() - startedAtMs) / 1000).toFixed(0).padStart(5)} s  ${line.slice(0, LINE_CHARACTERS)}`);

// The product must not get the settings of this shell.
const KEPT: readonly string[] = ['PATH', 'HOME', 'TMPDIR', 'NODE_COMPILE_CACHE'];
for (const name of Object.keys(process.env)) if (!KEPT.includes(name)) delete process.env[name];
Object.assign(process.env, {
  RATE_LIMIT_PER_MINUTE: '0',
  TRIAL_DAILY_BUDGET_MICRO_USD: '1000000000000',
  // Channels are claimed all the time.
  CHANNEL_CLAIM_ABOVE: '1',
});

async function play(product: Product, books: Books, seed: number): Promise<ReadonlyMap<string, number>> {
  const end = AbortSignal.timeout(defined(seconds) * 1000);
  const everyMs = defined(every) * 1000;
  const faults = injectFaults({ product, victims, random: createRandom(seed), everyMs, signal: end, report: say });
  const loaded = load({ product, books, seed, signal: end });
  const [counts] = await Promise.all([faults, loaded]);
  return counts;
}

async function soak(dataDir: string, books: Books, seed: number): Promise<void> {
  const product = await startProduct(dataDir, (line) => say(`  ${line}`));
  try {
    say(`the product serves ${product.origins.join(' and ')}`);
    const faults = await play(product, books, seed);
    say('the load is over; waiting for the product to recover, and for the sweeps');
    const unhealthy = await product.recovered();
    if (unhealthy.length > 0) books.contradict('the product did not recover', unhealthy);
    const stores = await openStores(product, dataDir);
    await untilQuiet(books, stores);
    await reconcile(product, books, stores);
    await stores.close();
    printTable(books, faults);
  } finally {
    await product.stop();
  }
}

const folder = mkdtempSync(join(tmpdir(), 'tollhouse-soak-'));
// PostgreSQL may run as another user, who must be able to reach its folder.
chmodSync(folder, 0o711);
const runDir = runFolderOf(folder);
const books = createBooks();
await soak(folder, books, seed);
for (const contradiction of books.contradictions) console.error(`\nCONTRADICTION: ${contradiction}`);
if (books.contradictions.length > 0) {
  console.error(`\n${books.contradictions.length} contradictions; logs and data are in ${folder}`);
} else {
  for (const each of [folder, runDir, `${runDir}-pg`]) rmSync(each, { recursive: true, force: true });
}
process.exit(books.contradictions.length > 0 ? 1 : 0);
