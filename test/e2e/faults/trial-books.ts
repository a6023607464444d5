import pg from 'pg';
import { createRedisLedger } from '../../../services/ledger/redis/redis-ledger.ts';
import { createRedisClient, type RedisClient } from '../../../services/platform/redis/redis-client.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { type Answer, codeOf } from '../../helpers/client.ts';
import type { Stack } from '../../helpers/stack.ts';
import { until } from '../../helpers/until.ts';

export const NETWORK = 'eip155:31337';
const JOURNAL_KEY = `tollhouse:{${NETWORK}}:journal`;
const PENDING_KEY = `tollhouse:{${NETWORK}}:pending`;
const GRANT = 50_000n;
const PRICE = 3000n;

/** The only trial of a wallet. */
export interface TrialCall {
  readonly name: string;
  readonly wallet: string;
  /** Undefined if the connection broke before the answer. */
  readonly answer: Answer | undefined;
}

export type Fate = 'never reserved' | 'pending' | 'posted' | 'voided';

export interface Books {
  readonly violations: readonly unknown[];
  readonly pending: number;
  readonly fateOf: (wallet: string) => Fate;
  readonly isRetained: (wallet: string) => boolean;
  readonly balanceOf: (wallet: string) => bigint;
}

/** Whether every reservation is resolved and every obligation is met. */
async function isQuiet(stack: Stack): Promise<boolean> {
  const [{ pending }, obligations] = await Promise.all([
    withLedger(stack, (ledger) => ledger.audit()),
    query(stack, 'SELECT record_id FROM obligation'),
  ]);
  return pending === 0 && obligations.length === 0;
}

/** Makes reservations and obligations due that the sweep leaves to their gateway for some time. */
export async function hastenSweep(stack: Stack): Promise<void> {
  await query(stack, 'UPDATE obligation SET due_at = clock_timestamp()');
  await withRedis(stack, async (client) => {
    const pending = await client.zRange(PENDING_KEY, 0, -1);
    const due = pending.map((value) => ({ value, score: 0 }));
    if (due.length > 0) await client.zAdd(PENDING_KEY, due, { condition: 'XX' });
  });
}

export async function untilQuiet(stack: Stack): Promise<void> {
  await hastenSweep(stack);
  await until(async () => await isQuiet(stack));
}

/** Reads the journal, the stored balances and the retained records. Call it when no request is in progress. */
export async function readBooks(stack: Stack, wallets: readonly string[]): Promise<Books> {
  const [entries, records] = await Promise.all([
    readJournal(stack),
    query<{ record_id: string }>(stack, "SELECT record_id FROM retained_body WHERE access = 'trial'"),
  ]);
  const retained = new Set(records.map(({ record_id }) => record_id));
  const fates = fatesOf(entries);
  const reservationOf = new Map<string, string>();
  for (const entry of entries) {
    const [type, id, wallet] = entry.split('|');
    if (type === 'reserve') reservationOf.set(defined(wallet), defined(id));
  }
  const balances = new Map<string, bigint>();
  const report = await withLedger(stack, async (ledger) => {
    for (const wallet of wallets) balances.set(wallet, await ledger.balance(wallet));
    return ledger.audit();
  });
  const idOf = (wallet: string) => reservationOf.get(wallet.toLowerCase());
  const fateOf = (wallet: string): Fate => {
    const id = idOf(wallet);
    return id === undefined ? 'never reserved' : defined(fates.get(id));
  };
  const isRetained = (wallet: string) => {
    const id = idOf(wallet);
    return id !== undefined && retained.has(id);
  };
  return {
    violations: report.violations,
    pending: report.pending,
    fateOf,
    isRetained,
    balanceOf: (wallet) => defined(balances.get(wallet)),
  };
}

/** What became of every reservation. */
export const readFates = async (stack: Stack): Promise<ReadonlyMap<string, Fate>> => fatesOf(await readJournal(stack));

function fatesOf(entries: readonly string[]): ReadonlyMap<string, Fate> {
  const fates = new Map<string, Fate>();
  for (const entry of entries) {
    const [type, field] = entry.split('|');
    if (type === 'fund') continue;
    fates.set(defined(field), type === 'reserve' ? 'pending' : type === 'post' ? 'posted' : 'voided');
  }
  return fates;
}

/** The contradiction between an answer and the books. Undefined if there is none. */
export function findContradiction({ wallet, answer }: TrialCall, books: Books): string | undefined {
  const fate = books.fateOf(wallet);
  const balance = books.balanceOf(wallet);
  if (fate === 'pending') return 'never resolved';
  if (balance !== (fate === 'posted' ? GRANT - PRICE : GRANT)) return `${fate}, but the balance is ${balance}`;
  if (fate === 'posted' && !books.isRetained(wallet)) return 'charged without a retained result';
  return answer && findMisstatement(answer, fate);
}

function findMisstatement(answer: Answer, fate: Fate): string | undefined {
  const { status, headers } = answer;
  const trial = headers.get('x-trial-status');
  const accounting = headers.get('x-trial-accounting-status');
  const said = `${status} ${codeOf(answer) ?? ''} ${trial} ${accounting} ${headers.get('x-trial-balance-atomic')}`;
  const known = [
    { is: /^200 {2}charged confirmed 47000$/, fates: ['posted'] },
    { is: /^200 {2}accounting_uncertain uncertain null$/, fates: ['posted'] },
    { is: /^50[234] \w+ released null 50000$/, fates: ['voided'] },
    { is: /^50[234] \w+ accounting_uncertain uncertain null$/, fates: ['voided', 'posted'] },
    { is: /^503 TRIAL_UNAVAILABLE unavailable null null$/, fates: ['never reserved', 'voided'] },
  ].find(({ is }) => is.test(said));
  if (known === undefined) return `an unexpected answer: ${said}`;
  if (!known.fates.includes(fate)) return `${fate}, but the answer is ${said}`;
  const isAdmitted = trial !== 'unavailable';
  if (isAdmitted !== (headers.get('x-access-mode') === 'trial')) return `a wrong x-access-mode with ${said}`;
  return headers.has('payment-response') ? 'a payment response' : undefined;
}

export async function withLedger<T>(
  { redisUrl }: Pick<Stack, 'redisUrl'>,
  use: (ledger: ReturnType<typeof createRedisLedger>) => Promise<T>,
): Promise<T> {
  const ledger = createRedisLedger({ url: redisUrl, network: NETWORK });
  try {
    await ledger.check();
    return await use(ledger);
  } finally {
    await ledger.close();
  }
}

function readJournal(stack: Stack): Promise<readonly string[]> {
  return withRedis(stack, async (client) => {
    const entries = await client.xRange(JOURNAL_KEY, '-', '+');
    if (entries === null) throw new Error('Redis did not return the journal');
    return entries.map(({ message }) => defined(message['entry']));
  });
}

export async function withRedis<T>({ redisUrl }: Stack, use: (client: RedisClient) => Promise<T>): Promise<T> {
  const client = createRedisClient({ url: redisUrl });
  await client.connect();
  try {
    return await use(client);
  } finally {
    client.destroy();
  }
}

export async function query<Row extends pg.QueryResultRow>(
  { databaseUrl }: Stack,
  statement: string,
): Promise<readonly Row[]> {
  const client = new pg.Client(databaseUrl);
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

/**
 * Ends the locks that a killed process held, or could not release because Redis was gone. They would lapse after seconds.
 * This is safe while each service has one process: it also queues its work by itself.
 */
export async function endLocks(stack: Stack): Promise<void> {
  await withRedis(stack, async (client) => {
    for await (const keys of client.scanIterator({ MATCH: '*lock:*' })) {
      if (keys.length > 0) await client.del(keys);
    }
  });
}
