import { sql } from 'kysely';
import { canonicalText } from '../../../workers/exact/canonical-json.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import type { Tables } from '../../store/tables.ts';
import type { TenantTransaction } from '../tenants/transaction.ts';
import { storeEvent } from './events.ts';
import type { ExecutionRecord, Refusal } from './execution-records.ts';
import type { PlanRecord } from './plan-records.ts';

/** Executions of a plan in a day that are kept although they are refused. */
const MAX_REFUTED = 100;

interface Moment {
  /** Undefined: the plan is approved, or its grace has not ended. */
  readonly now: string | undefined;
  readonly checkedAt: string;
  readonly isExhausted: boolean;
}

/** Why the plan does not let actions be recorded that were let through. */
export function refusalsOf(
  { state, expires_at: expiresAt, executions }: PlanRecord,
  { now, checkedAt, isExhausted }: Moment,
): readonly Refusal[] {
  const reason = (code: string, message: string): Refusal => ({ code, path: '', message });
  return [
    ...(now === undefined ? [] : [reason('PLAN_NOT_APPROVED', `the plan is ${state}`)]),
    ...(checkedAt < expiresAt ? [] : [reason('PLAN_EXPIRED', 'the plan expired before the actions were checked')]),
    ...(isExhausted
      ? [reason('EXECUTIONS_EXHAUSTED', `the plan allows ${executions} executions, and has had or reserved them`)]
      : []),
  ];
}

interface RefusedExecution {
  readonly tenantId: string;
  readonly executionId: string;
  readonly planId: string;
  readonly refused: readonly Refusal[];
}

/** Stores why an execution is refuted, if it is. The plan is locked. @throws {ServiceError} TOO_MANY_REFUTED */
export async function storeRefusal(
  transaction: TenantTransaction,
  { tenantId, executionId, planId, refused }: RefusedExecution,
): Promise<void> {
  if (refused.length === 0) return;
  const { rows } = await sql<{ readonly count: number }>`
    SELECT count(*)::int AS count FROM verification.refusal
    WHERE plan_id = ${planId} AND refused_at > clock_timestamp() - interval '1 day'`.execute(transaction);
  if ((rows[0]?.count ?? 0) >= MAX_REFUTED) {
    const message = `${MAX_REFUTED} executions of the plan were refuted when they were recorded, within a day: ${refused[0]?.message}`;
    throw new ServiceError('TOO_MANY_REFUTED', message);
  }
  await transaction
    .insertInto('verification.refusal')
    .values({ tenant_id: tenantId, execution_id: executionId, plan_id: planId, reasons: canonicalText(refused) })
    .execute();
  const told = { type: 'execution.refuted', plan_id: planId, execution_id: executionId, reasons: refused } as const;
  await storeEvent(transaction, { tenantId }, told);
}

/** What answers say of the state of an execution. One that was refused is refuted, and still takes evidence and verdicts. */
export const toState = (
  { refused, state }: ExecutionRecord,
  next: Tables['verification.execution']['state'] = state,
) => (refused === undefined ? next : 'refuted');

/** The same, with the reasons. */
export const withRefusal = (execution: ExecutionRecord) => ({
  state: toState(execution),
  ...(execution.refused && { refused: [...execution.refused] }),
});
