import pg from 'pg';
import { type Answer, codeOf } from '../../helpers/client.ts';
import type { Stack } from '../../helpers/stack.ts';
import { withLedger } from '../../helpers/stack-ledger.ts';
import { until } from '../../helpers/until.ts';

export const NETWORK = 'eip155:31337';
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

/** Whether every reservation is resolved, and what became of every payment is known. */
async function isQuiet(stack: Stack): Promise<boolean> {
  const [{ pending }, owed] = await Promise.all([
    withLedger(stack, (ledger) => ledger.audit()),
    query(stack, 'SELECT FROM ledger.payment_claim WHERE due_at IS NOT NULL'),
  ]);
  return pending === 0 && owed.length === 0;
}

/** Makes reservations and payments due that are left to their gateway for some time. */
export async function hastenSweep(stack: Stack): Promise<void> {
  await query(stack, 'UPDATE ledger.payment_claim SET due_at = clock_timestamp() WHERE due_at IS NOT NULL');
  await query(stack, "UPDATE ledger.reservation SET deadline = clock_timestamp() - interval '1 hour'");
}

export async function untilQuiet(stack: Stack): Promise<void> {
  await until(async () => {
    await hastenSweep(stack);
    return isQuiet(stack);
  });
}

/** Reads the entries, the balances and the retained records. Call it when no request is in progress. */
export async function readBooks(stack: Stack): Promise<Books> {
  const [accounts, entries, open, records, { violations, pending }] = await Promise.all([
    query<{ address: string; balance: string }>(stack, 'SELECT address, balance FROM ledger.wallet'),
    query<{ id: string; account: string }>(stack, 'SELECT id, account FROM ledger.entry'),
    query<{ account: string }>(stack, 'SELECT account FROM ledger.reservation'),
    query<{ id: string }>(stack, "SELECT record_id AS id FROM retained_body WHERE access = 'trial'"),
    withLedger(stack, (ledger) => ledger.audit()),
  ]);
  const balances = new Map(accounts.map(({ address, balance }) => [address, BigInt(balance)]));
  const posted = new Map(entries.map(({ id, account }) => [account, id]));
  const opened = new Set(open.map(({ account }) => account));
  const retained = new Set(records.map(({ id }) => id));
  const fateOf = (wallet: string): Fate => {
    const account = wallet.toLowerCase();
    if (opened.has(account)) return 'pending';
    if (posted.has(account)) return 'posted';
    // An account is made with its first reservation.
    return balances.has(account) ? 'voided' : 'never reserved';
  };
  return {
    violations,
    pending,
    fateOf,
    isRetained: (wallet) => retained.has(posted.get(wallet.toLowerCase()) ?? ''),
    balanceOf: (wallet) => balances.get(wallet.toLowerCase()) ?? GRANT,
  };
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
    // The database may have crashed before the charge was durable. A wallet never loses credit without a result.
    { is: /^200 {2}accounting_uncertain uncertain null$/, fates: ['posted', 'voided', 'never reserved'] },
    { is: /^50[234] \w+ released null 50000$/, fates: ['voided'] },
    { is: /^50[234] \w+ accounting_uncertain uncertain null$/, fates: ['voided', 'posted', 'never reserved'] },
    { is: /^503 TRIAL_UNAVAILABLE unavailable null null$/, fates: ['never reserved', 'voided'] },
  ].find(({ is }) => is.test(said));
  if (known === undefined) return `an unexpected answer: ${said}`;
  if (!known.fates.includes(fate)) return `${fate}, but the answer is ${said}`;
  const isAdmitted = trial !== 'unavailable';
  if (isAdmitted !== (headers.get('x-access-mode') === 'trial')) return `a wrong x-access-mode with ${said}`;
  return headers.has('payment-response') ? 'a payment response' : undefined;
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
