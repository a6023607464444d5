import { sql } from 'kysely';
import { onlyRow } from '../../store/rows.ts';
import { hashIntents, type Intent } from '../records/record-hashes.ts';
import type { TenantTransaction } from '../tenants/transaction.ts';
import { fromNumeric, type Units } from './amounts.ts';

/** What a reservation has of a counter. */
export interface Grant {
  readonly amount: string;
  /** The least limit that was kept. */
  readonly most: string;
  /** When the window ends in which it was made. */
  readonly ends_at: string;
}

/** By the key of the counter. */
export type Grants = Readonly<Record<string, Grant>>;

/** The runs of a group under a plan. Reservations of one run hold one execution together. */
export interface OwnPlan {
  readonly planId: string;
  readonly owner: string;
}

export interface Reservation {
  readonly reservation_id: string;
  /** The name that its group gave to the run, or empty. */
  readonly run: string;
  readonly intents_hash: string;
  readonly holds_execution: boolean;
  readonly grants: Grants;
}

/** Those of a group that have not expired, oldest first. */
export async function findReservations(
  transaction: TenantTransaction,
  { planId, owner }: OwnPlan,
): Promise<readonly Reservation[]> {
  const { rows } = await sql<Omit<Reservation, 'grants'> & { readonly counts: string }>`
    SELECT reservation_id, run, intents_hash, holds_execution, counts::text AS counts FROM verification.reservation
    WHERE plan_id = ${planId} AND owner = ${owner} AND expires_at > clock_timestamp()
    ORDER BY reservation_id`.execute(transaction);
  return rows.map(({ counts, ...row }) => ({ ...row, grants: JSON.parse(counts) }));
}

/** The reservations that actions use: each once, and of one run, namely the one of which they use most. */
export function reservationsFor(actions: readonly Intent[], open: readonly Reservation[]) {
  const wanted = open.length === 0 ? [] : actions.map((action) => hashIntents([action]));
  const runs = [...new Set(open.map(({ run }) => run))].map((run) => {
    const left = open.filter((each) => each.run === run);
    const used = wanted.flatMap((hash) => {
      const index = left.findIndex(({ intents_hash }) => intents_hash === hash);
      return index === -1 ? [] : left.splice(index, 1);
    });
    return { run, used };
  });
  // Whoever used none is in the run without a name.
  return runs.reduce((best, each) => (each.used.length > best.used.length ? each : best), {
    run: '',
    used: [] as readonly Reservation[],
  });
}

/** Executions of a plan that runs hold, without those of one run. */
export async function countHeld(
  transaction: TenantTransaction,
  { planId, owner, run }: OwnPlan & { readonly run: string },
): Promise<number> {
  const { rows } = await sql<{ readonly held: number }>`
    SELECT count(DISTINCT (owner, run))::int AS held FROM verification.reservation
    WHERE plan_id = ${planId} AND (owner, run) <> (${owner}, ${run}) AND holds_execution
      AND expires_at > clock_timestamp()`.execute(transaction);
  return onlyRow(rows).held;
}

/**
 * The reservations of what was done, whose run is then over: what else it reserved holds no execution. The plan is locked.
 * @returns them, and how many executions other runs hold
 */
export async function endRun(transaction: TenantTransaction, own: OwnPlan, actions: readonly Intent[]) {
  const { run, used } = reservationsFor(actions, await findReservations(transaction, own));
  await sql`UPDATE verification.reservation SET holds_execution = false
    WHERE plan_id = ${own.planId} AND owner = ${own.owner} AND run = ${run}`.execute(transaction);
  return { used, held: await countHeld(transaction, { ...own, run }) };
}

/** Uses reservations. One that expired by now, or is released, has nothing. The counters are locked. */
export async function useReservations(
  transaction: TenantTransaction,
  used: readonly Reservation[],
): Promise<readonly Grants[]> {
  if (used.length === 0) return [];
  const { rows } = await sql<{ readonly counts: string }>`
    DELETE FROM verification.reservation
    WHERE reservation_id = ANY (${used.map((each) => each.reservation_id)}::uuid[]) AND expires_at > clock_timestamp()
    RETURNING counts::text AS counts`.execute(transaction);
  return rows.map(({ counts }) => JSON.parse(counts));
}

/** What is reserved of counters, by their keys, without these reservations. */
export async function readReserved(
  transaction: TenantTransaction,
  keys: readonly string[],
  except: readonly Reservation[] = [],
): Promise<ReadonlyMap<string, Units>> {
  const { rows } = await sql<{ readonly key: string; readonly amount: string }>`
    SELECT key, sum((value ->> 'amount')::numeric)::text AS amount
    FROM verification.reservation, jsonb_each(counts)
    WHERE expires_at > clock_timestamp() AND key = ANY (${keys}::text[])
      AND reservation_id <> ALL (${except.map((each) => each.reservation_id)}::uuid[])
    GROUP BY key`.execute(transaction);
  return new Map(rows.map(({ key, amount }) => [key, fromNumeric(amount)]));
}

/** Most rows that one reservation deletes. */
const SWEPT = 1000;

/** Deletes what expired. It waits for nobody. */
export async function sweepReservations(transaction: TenantTransaction): Promise<void> {
  await sql`
    DELETE FROM verification.reservation WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM verification.reservation WHERE expires_at <= clock_timestamp()
      LIMIT ${SWEPT} FOR UPDATE SKIP LOCKED))`.execute(transaction);
}
