import type pg from 'pg';
import { defined } from '../../../workers/exact/defined.ts';
import { FUNCTIONS_SCHEMA } from './install-functions.ts';
import { runStatement } from './ledger-pool.ts';
import { readBigint, readText } from './read-outcomes.ts';

const INVARIANTS = [
  'grants_add_up',
  'one_grant',
  'day_adds_up',
  'day_within_budget',
  'one_reservation_per_nonce',
  'one_resolution',
] as const;

/** A broken invariant of a wallet, day or reservation. */
export interface Violation {
  readonly invariant: (typeof INVARIANTS)[number];
  readonly subject: string;
  readonly detail: string;
}

export interface TrialAudit {
  readonly wallets: number;
  readonly pending: number;
  readonly violations: readonly Violation[];
}

const MAX_WALLETS = 1000;

type Row = Readonly<Record<string, unknown>>;

/** Checks the books of trials in short transactions. Safe during live traffic. */
export async function auditTrials({
  pool,
  network,
}: {
  readonly pool: pg.Pool;
  readonly network: string;
}): Promise<TrialAudit> {
  const call = (name: string, parameters: string, values: readonly unknown[] = []) =>
    runStatement(pool, `SELECT * FROM ${FUNCTIONS_SCHEMA}.${name}(${parameters})`, [network, ...values]);
  const violations: Violation[] = [];
  let wallets = 0;
  let after: string | undefined = '';
  while (after !== undefined) {
    const rows = await call('audit_wallets', '$1, $2, $3', [after, MAX_WALLETS]);
    violations.push(...readViolations(rows));
    const { wallets: counted, last_address: last } = defined(rows[0]);
    wallets += Number(readBigint(counted));
    after = last === null ? undefined : readText(last);
  }
  for (const { day } of await call('audited_days', '$1'))
    violations.push(...readViolations(await call('audit_day', '$1, $2', [day])));
  const open = await call('audit_reservations', '$1');
  violations.push(...readViolations(open));
  return { wallets, pending: Number(readBigint(defined(open[0])['pending'])), violations };
}

/** A row without an invariant has only the counts. */
const readViolations = (rows: readonly Row[]): readonly Violation[] =>
  rows.filter(({ invariant }) => invariant !== null).map(readViolation);

function readViolation({ invariant: found, subject, detail }: Row): Violation {
  const invariant = defined(INVARIANTS.find((known) => known === found));
  return { invariant, subject: readText(subject), detail: readText(detail) };
}
