import type pg from 'pg';
import { defined } from '../../../workers/exact/defined.ts';
import { callFunction } from './ledger-pool.ts';
import { readBigint, readText } from './read-outcomes.ts';

const INVARIANTS = [
  'grants_add_up',
  'one_grant',
  'day_adds_up',
  'day_within_budget',
  'one_reservation_per_nonce',
  'one_resolution',
  'answers_are_kept',
  'charges_add_up',
  'charges_are_signed',
  'charges_are_claimed',
  'claimed_as_charged',
  'one_open_reservation',
] as const;

/** A broken invariant of an account, day or reservation. */
export interface Violation {
  readonly invariant: (typeof INVARIANTS)[number];
  readonly subject: string;
  readonly detail: string;
}

export interface LedgerAudit {
  readonly wallets: number;
  readonly channels: number;
  readonly pending: number;
  readonly violations: readonly Violation[];
}

const MAX_ACCOUNTS = 1000;

type Row = Readonly<Record<string, unknown>>;

/** Checks the books in short transactions. Safe during live traffic. */
export async function auditLedger({
  pool,
  network,
}: {
  readonly pool: pg.Pool;
  readonly network: string;
}): Promise<LedgerAudit> {
  const call = (name: string, ...values: readonly unknown[]) => callFunction(pool, name, [network, ...values]);
  const violations: Violation[] = [];
  const auditAccounts = async (name: string): Promise<number> => {
    let counted = 0;
    let after: string | undefined = '';
    while (after !== undefined) {
      const rows = await call(name, after, MAX_ACCOUNTS);
      violations.push(...readViolations(rows));
      const { accounts, last_account: last } = defined(rows[0]);
      counted += Number(readBigint(accounts));
      after = last === null ? undefined : readText(last);
    }
    return counted;
  };
  const [wallets, channels] = [await auditAccounts('audit_wallets'), await auditAccounts('audit_channels')];
  for (const { day } of await call('audited_days')) violations.push(...readViolations(await call('audit_day', day)));
  const open = await call('audit_reservations');
  violations.push(...readViolations(open));
  return { wallets, channels, pending: Number(readBigint(defined(open[0])['pending'])), violations };
}

/** A row without an invariant has only the counts. */
const readViolations = (rows: readonly Row[]): readonly Violation[] =>
  rows.filter(({ invariant }) => invariant !== null).map(readViolation);

function readViolation({ invariant: found, subject, detail }: Row): Violation {
  const invariant = defined(INVARIANTS.find((known) => known === found));
  return { invariant, subject: readText(subject), detail: readText(detail) };
}
