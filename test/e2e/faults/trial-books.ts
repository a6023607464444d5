import pg from 'pg';
import { createRedisLedger } from '../../../services/ledger/redis/redis-ledger.ts';
import { createRedisClient, type RedisClient } from '../../../services/platform/redis/redis-client.ts';
import { type Answer, codeOf } from '../../helpers/client.ts';
import type { Stack } from '../../helpers/stack.ts';
import { eventually } from './faulty-stack.ts';

export const NETWORK = 'eip155:31337';
const JOURNAL_KEY = `tollhouse:{${NETWORK}}:journal`;
const PENDING_KEY = `tollhouse:{${NETWORK}}:pending`;
const GRANT = 50_000n;
const PRICE = 3000n;

/** One trial of a wallet that makes no other. */
export interface TrialCall {
  readonly name: string;
  readonly wallet: string;
  /** Undefined: the connection broke before an answer. */
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

/** Makes everything due now that is due later only because its gateway may still do it. */
export async function hastenSweep(stack: Stack): Promise<void> {
  await query(stack, 'UPDATE obligation SET due_at = clock_timestamp()');
  await withRedis(stack, async (client) => {
    const pending = await client.zRange(PENDING_KEY, 0, -1);
    const due = pending.map((value) => ({ value, score: 0 }));
    if (due.length > 0) await client.zAdd(PENDING_KEY, due, { condition: 'XX' });
  });
}

export async function untilQuiet(stack: Stack, timeoutMs: number): Promise<void> {
  await hastenSweep(stack);
  await eventually('everything resolved by the sweeps', async () => (await isQuiet(stack)) || undefined, timeoutMs);
}

/** The journal, the stored balances and the retained records, read once nothing moves any more. */
export async function readBooks(stack: Stack, wallets: readonly string[]): Promise<Books> {
  const [entries, records] = await Promise.all([
    readJournal(stack),
    query<{ record_id: string }>(stack, "SELECT record_id FROM retained_body WHERE access = 'trial'"),
  ]);
  const retained = new Set(records.map(({ record_id }) => record_id));
  const reservationOf = new Map<string, string>();
  const fates = new Map<string, Fate>();
  for (const entry of entries) {
    const [type = '', id = '', wallet = ''] = entry.split('|');
    if (type === 'reserve') reservationOf.set(wallet, id);
    fates.set(id, type === 'reserve' ? 'pending' : type === 'post' ? 'posted' : 'voided');
  }
  const balances = new Map<string, bigint>();
  const report = await withLedger(stack, async (ledger) => {
    for (const wallet of wallets) balances.set(wallet, await ledger.balance(wallet));
    return ledger.audit();
  });
  const idOf = (wallet: string) => reservationOf.get(wallet.toLowerCase()) ?? '';
  return {
    violations: report.violations,
    pending: report.pending,
    fateOf: (wallet) => fates.get(idOf(wallet)) ?? 'never reserved',
    isRetained: (wallet) => retained.has(idOf(wallet)),
    balanceOf: (wallet) => balances.get(wallet) ?? -1n,
  };
}

/** What is wrong between an answer and the books, or undefined. */
export function findContradiction({ wallet, answer }: TrialCall, books: Books): string | undefined {
  const fate = books.fateOf(wallet);
  const balance = books.balanceOf(wallet);
  if (fate === 'pending') return 'never resolved';
  if (balance !== (fate === 'posted' ? GRANT - PRICE : GRANT)) return `${fate}, and the balance is ${balance}`;
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
  if (known === undefined) return `an answer of no kind: ${said}`;
  if (!known.fates.includes(fate)) return `${fate}, and the client was told ${said}`;
  const isAdmitted = trial !== 'unavailable';
  if (isAdmitted !== (headers.get('x-access-mode') === 'trial')) return `x-access-mode beside ${said}`;
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
    return (entries ?? []).map(({ message }) => message['entry'] ?? '');
  });
}

async function withRedis<T>({ redisUrl }: Stack, use: (client: RedisClient) => Promise<T>): Promise<T> {
  const client = createRedisClient({ url: redisUrl });
  await client.connect();
  try {
    return await use(client);
  } finally {
    client.destroy();
  }
}

async function query<Row>({ databaseUrl }: Stack, statement: string): Promise<readonly Row[]> {
  const client = new pg.Client(databaseUrl);
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(statement)).rows as readonly Row[];
  } finally {
    await client.end();
  }
}
