import { sql } from 'kysely';
import type { Database } from '../../../../services/store/database.ts';
import { LEDGER_FUNCTIONS } from '../../../../services/store/ledger-functions.ts';
import { onlyRow } from '../../../../services/store/rows.ts';
import { type Finding, failure, ok, warning } from './finding.ts';

interface Found {
  readonly hasFunctions: boolean;
  /** Whether the ledger has partitions for the days and months around now. */
  readonly hasPartitions: boolean;
  readonly open: bigint;
  /** Calls that are open a minute after their deadline. The sweep voids them seconds after it. */
  readonly overdue: bigint;
  /** The epoch after the latest restore or move of the database; null: there was none. */
  readonly epoch: number | null;
  readonly beganAt: Date | null;
}

/** Of the database. */
interface State {
  readonly fault: string | null;
  readonly autovacuum: string;
  /** Tables of the ledger that autovacuum leaves out. */
  readonly unvacuumed: string | null;
}

const SWEEP = 'start the back office, or look at its log: it voids calls whose gateway is gone';

/** Looks at the ledger in PostgreSQL. */
export async function examineLedger(database: Database): Promise<readonly Finding[]> {
  const { rows } = await sql<Found>`
    SELECT to_regnamespace(${LEDGER_FUNCTIONS}) IS NOT NULL AS "hasFunctions",
      to_regclass('ledger.nonce_' || to_char(now() AT TIME ZONE 'UTC' + interval '1 day', 'YYYYMMDD')) IS NOT NULL
        AND to_regclass('ledger.entry_' || to_char(now() AT TIME ZONE 'UTC', 'YYYYMM')) IS NOT NULL AS "hasPartitions",
      (SELECT count(*) FROM ledger.reservation) AS open,
      (SELECT count(*) FROM ledger.reservation WHERE kind <> 'refund' AND deadline < now() - interval '1 minute') AS overdue,
      e.number AS epoch, e.began_at AS "beganAt"
    FROM (SELECT 1) AS one LEFT JOIN LATERAL (
      SELECT number, began_at FROM ledger.epoch WHERE number > 0 ORDER BY number DESC LIMIT 1) e ON true`.execute(
    database,
  );
  const { hasFunctions, hasPartitions, open, overdue, epoch, beganAt } = onlyRow(rows);
  const state = `${open} reservations are open, ${overdue} of them overdue`;
  const since =
    beganAt === null ? 'the database was never restored or moved' : `epoch ${epoch} began ${beganAt.toISOString()}`;
  return [
    hasFunctions
      ? ok('ledger.functions', `${LEDGER_FUNCTIONS} is installed`)
      : failure('ledger.functions', `${LEDGER_FUNCTIONS} is not installed`, 'start the back office of this release'),
    ...(hasFunctions ? await examineState(database) : []),
    hasPartitions
      ? ok('ledger.partitions', 'the days ahead have partitions')
      : failure('ledger.partitions', 'partitions of tomorrow or of this month are missing', 'start the back office'),
    overdue === 0n ? ok('ledger.reservations', state) : warning('ledger.reservations', state, SWEEP),
    ok('ledger.epoch', since),
  ];
}

/** Why the ledger would be closed, and whether its tables are vacuumed. */
async function examineState(database: Database): Promise<readonly Finding[]> {
  const { rows } = await sql<State>`
    SELECT s.fault, current_setting('autovacuum') AS autovacuum, (
        SELECT string_agg(c.oid::regclass::text, ', ' ORDER BY c.relname) FROM pg_class c
        WHERE c.relnamespace = 'ledger'::regnamespace AND c.reloptions && ARRAY['autovacuum_enabled=false', 'autovacuum_enabled=off']
      ) AS unvacuumed
    FROM ${sql.ref(LEDGER_FUNCTIONS)}.status() s`.execute(database);
  const { fault, autovacuum, unvacuumed } = onlyRow(rows);
  const isVacuumed = autovacuum === 'on' && unvacuumed === null;
  const left = autovacuum === 'on' ? `autovacuum leaves out ${unvacuumed}` : 'autovacuum is off';
  const action = 'turn autovacuum on: the ledger changes a few rows very often, and slows down without it';
  return [
    fault === null
      ? ok('ledger.state', 'the database may be used')
      : failure('ledger.state', fault, 'see docs/operations/ledger.md: nothing is reserved until it is corrected'),
    isVacuumed ? ok('ledger.autovacuum', 'its tables are vacuumed') : failure('ledger.autovacuum', left, action),
  ];
}
