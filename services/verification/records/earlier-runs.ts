import { sql } from 'kysely';
import { valueAt } from '../../../workers/exact/json-pointer.ts';
import { onlyRow } from '../../store/rows.ts';
import type { TenantTransaction } from '../tenants/transaction.ts';
import { withResponses } from './execution-records.ts';
import type { PlanRecord } from './plan-records.ts';
import { type EarlierRun, hashExecution } from './record-hashes.ts';
import { readActions, readPlanDocument } from './stored-documents.ts';

/** Most bytes of the actions of all runs over which the rules of a plan are judged. */
const MAX_RUNS_BYTES = 16 * 1024 * 1024;

/** Why a run is refuted that has no number among those of its plan. */
export const RUNS_TOO_LARGE = {
  code: 'RUNS_TOO_LARGE',
  path: '',
  message:
    'the runs of the plan have more than 16 MiB of actions, and its rules over the runs are not judged: have a new plan approved',
};

/**
 * The runs that rules over the runs of a plan see, in the order of the plan's lock, with what had been settled by then. Undefined
 * if the plan has no such rules.
 * @param before the number of the run that is judged. Left out: one that is not recorded yet
 * @throws {Error} if a record differs from what was hashed when it came
 */
export async function findEarlierRuns(
  transaction: TenantTransaction,
  record: Pick<PlanRecord, 'plan_id' | 'plan_hash' | 'document'>,
  before: number | null = MAX_RUN,
): Promise<readonly EarlierRun[] | undefined> {
  if (valueAt(JSON.parse(record.document), '/runs') === undefined) return undefined;
  const { rows } = await sql<{ execution_id: string; actions: string; execution_hash: string; settled: string }>`
    SELECT execution_id, actions, execution_hash, (
      SELECT coalesce(json_agg(settlement), '[]')::text FROM verification.settlement
      WHERE settlement.tenant_id = execution.tenant_id AND settlement.execution_id = execution.execution_id
        AND seen_from <= ${before}) AS settled
    FROM verification.execution WHERE plan_id = ${record.plan_id} AND run < ${before} ORDER BY run`.execute(
    transaction,
  );
  return rows.map(({ execution_id, execution_hash, settled, ...stored }) => {
    const later: readonly Settled[] = JSON.parse(settled);
    const responses = new Map(later.map(({ seq, response }) => [seq, JSON.parse(response) as unknown]));
    const actions = withResponses(readActions(stored), responses);
    const hash = hashExecution(record.plan_hash, actions);
    const isKnown = later.length === 0 ? execution_hash === hash : later.some((each) => each.execution_hash === hash);
    if (!isKnown) throw new Error('a record was not stored as it was given');
    return { execution_id, actions };
  });
}

/** More than a plan can have. */
const MAX_RUN = 2 ** 31 - 1;

interface Settled {
  readonly seq: number;
  readonly response: string;
  readonly execution_hash: string;
}

/**
 * The number of the next run of a plan, which is locked. Null if it has no rules over its runs, or `actions` make the runs too
 * large for them. Then no later run has a number.
 */
export async function nextRun(
  transaction: TenantTransaction,
  record: Pick<PlanRecord, 'plan_id' | 'document'>,
  actions = '',
): Promise<number | null> {
  if (readPlanDocument(record).runs === undefined) return null;
  const { rows } = await sql<{ next: number; size: number; is_full: boolean }>`
    SELECT coalesce(max(run), 0) + 1 AS next, coalesce(sum(octet_length(actions)), 0)::float8 AS size,
      count(*) > count(run) AS is_full
    FROM verification.execution WHERE plan_id = ${record.plan_id}`.execute(transaction);
  const { next, size, is_full } = onlyRow(rows);
  return is_full || size + Buffer.byteLength(actions) > MAX_RUNS_BYTES ? null : next;
}
