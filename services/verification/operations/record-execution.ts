import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { ActionDocument } from '../../../workers/exact/action-schema.ts';
import { canonicalText } from '../../../workers/exact/canonical-json.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { CLOCK_TOLERANCE, parseInstant } from '../../../workers/exact/instants.ts';
import type { PlanDocument } from '../../../workers/exact/plan-schema.ts';
import type { CheckName } from '../../../workers/verdict/run/checked.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { assertStored } from '../../store/read-back.ts';
import { brokenConstraint } from '../../store/unique.ts';
import { foldToolName } from '../catalogue/fold-tool-name.ts';
import { findToolList } from '../catalogue/tool-records.ts';
import { RecordExecutionArguments } from '../contract/arguments.ts';
import { countActs } from '../limits/count-acts.ts';
import { limitsOfActions } from '../limits/limits-of-actions.ts';
import { endRun } from '../limits/reservations.ts';
import { type CheckRecord, findCheck } from '../records/check-records.ts';
import { nextRun, RUNS_TOO_LARGE } from '../records/earlier-runs.ts';
import { evidenceWanted } from '../records/evidence-wanted.ts';
import { type ActionRecord, findExecution } from '../records/execution-records.ts';
import { withStoredTimes } from '../records/instants.ts';
import { describedTools, findParts, findPlan, lockPlan, type PlanRecord, readClock } from '../records/plan-records.ts';
import { REUSED, type ReadAct, readActs } from '../records/read-acts.ts';
import { hashExecution } from '../records/record-hashes.ts';
import { refusalsOf, storeRefusal, withRefusal } from '../records/refusals.ts';
import { readActions, readPlanDocument } from '../records/stored-documents.ts';
import type { Caller } from '../tenants/keys.ts';
import { assertOwner } from '../tenants/owner.ts';
import { createArgumentsReader, malformed } from '../tenants/requests.ts';
import type { TenantTransaction } from '../tenants/transaction.ts';
import { findSamePlan } from './check-actions.ts';
import { defineWrite } from './define.ts';

const readArguments = createArgumentsReader(RecordExecutionArguments);

type Input = Omit<RecordExecutionArguments, 'actions'> & { readonly actions: readonly ActionDocument[] };

/**
 * Stores the actions that an agent reports. They may differ from the proposed ones; the verification will find that. What was done
 * beyond a limit is stored as well, and refuted: refusing it would lose what was done.
 * @throws {ServiceError} ROLE_NOT_ALLOWED, NOT_FOUND, PLAN_HASH_MISMATCH, PLAN_NOT_APPROVED, STEP_OUT_OF_ORDER,
 *   KEY_NOT_OWNER, TOO_MANY_REFUTED, MALFORMED_INPUT, REVENUE_WRITES_FROZEN
 */
export const recordExecution = defineWrite({
  operation: 'record_execution',
  role: 'agent',
  idempotencyKey: 'required',
  readInput(request) {
    const sent = readArguments(request);
    return { ...sent, actions: withStoredTimes(sent.actions, '/actions') };
  },
  async prepare({ caller, input, options, inTenant }, deps) {
    const { record, parts, list } = await inTenant(async (transaction) => {
      const found = await findSamePlan(transaction, input);
      const known = await findToolList(transaction, deps.toolList);
      return { record: found, parts: await findParts(transaction, found), list: known };
    });
    const plan = readPlanDocument(record);
    const acts = await readActs(deps, { actions: input.actions, record, parts, list }, options);
    return {
      isRevenueWrite: acts.some(({ isRevenueWrite }) => isRevenueWrite),
      apply: (transaction) => insert(transaction, { caller, input, plan, acts, expiryGraceMs: deps.expiryGraceMs }),
    };
  },
});

interface NewExecution {
  readonly caller: Caller;
  readonly input: Input;
  readonly plan: PlanDocument;
  readonly acts: readonly ReadAct[];
  readonly expiryGraceMs: number;
}

async function insert(transaction: TenantTransaction, execution: NewExecution): Promise<unknown> {
  const { input, plan } = execution;
  const { plan_id: planId } = input;
  await lockPlan(transaction, planId);
  const record = await findPlan(transaction, planId);
  const now = await readClock(transaction);
  if (!record?.approved_at) throw notApproved(record);
  assertClock(input, { approvedAt: record.approved_at, now });
  const checkedAt = await assertLetThrough(transaction, execution);
  const own = { planId, owner: execution.caller.group };
  const { used, held } =
    plan.reserve === undefined ? { used: [], held: 0 } : await endRun(transaction, own, input.actions);
  const isExhausted = record.executions + held >= plan.max_executions;
  await transaction
    .updateTable('verification.approval')
    .set({ executions: isExhausted ? record.executions : record.executions + 1 })
    .where('plan_id', '=', planId)
    .execute();
  const run = await nextRun(transaction, record, canonicalText(input.actions));
  const { executionId, at: recordedAt } = await insertExecution(transaction, execution, { ...record, run });
  const { actions, reused } = await insertActions(transaction, execution, executionId);
  // Attempts of one act count once, and an act that was recorded before does not count again.
  const counted = input.actions.flatMap((action, seq) => {
    const { isAttempt, fault } = defined(execution.acts[seq]);
    return isAttempt || fault !== undefined || reused.has(seq) ? [] : [{ action, seq }];
  });
  const limits = await limitsOfActions(transaction, {
    actions: counted.map(({ action }) => action),
    described: describedTools(record),
    pathOf: (index) => `/actions/${defined(counted[index]).seq}`,
  });
  const exceeded = await countActs(transaction, limits, {
    tenantId: execution.caller.tenantId,
    at: recordedAt,
    used,
  });
  const refused = [
    ...refusalsOf(record, { now: isOpen(record, execution, now) ? undefined : now, checkedAt, isExhausted }),
    ...execution.acts.flatMap(({ fault }) =>
      fault === undefined ? [] : [{ code: 'MALFORMED_ARGUMENT', ...textOf(fault) }],
    ),
    ...[...reused].map((seq) => ({ code: 'IDENTITY_REUSED', path: `/actions/${seq}`, message: REUSED })),
    ...(run === null && plan.runs !== undefined ? [RUNS_TOO_LARGE] : []),
    ...exceeded.map((message) => ({ code: 'LIMIT_EXCEEDED', path: '', message })),
  ];
  await storeRefusal(transaction, { tenantId: execution.caller.tenantId, executionId, planId, refused });
  const stored = defined(await findExecution(transaction, executionId));
  const hash = hashExecution(record.plan_hash, readActions(stored));
  assertStored(hash, stored.execution_hash);
  return {
    execution_id: executionId,
    ...withRefusal(stored),
    execution_hash: hash,
    received_at: stored.received_at,
    actions,
    evidence_required: evidenceWanted(plan, input.actions, { ids: actions, given: [] }),
  };
}

const textOf = ({ path, message }: { readonly path: string; readonly message: string }) => ({ path, message });

/** What was checked before the plan expired may be recorded for some time after it. */
function isOpen({ state, expires_at }: PlanRecord, { expiryGraceMs }: NewExecution, now: string): boolean {
  const beyond = instantOf(now) - instantOf(expires_at);
  return state === 'approved' || (state === 'expired' && beyond <= BigInt(expiryGraceMs) * 1000n);
}

/**
 * The service knows when the plan was approved, and that nothing ends in the future. An agent whose clock contradicts that can
 * correct its times.
 * @throws {ServiceError} MALFORMED_INPUT
 */
function assertClock(
  { actions }: Input,
  { approvedAt, now }: { readonly approvedAt: string; readonly now: string },
): void {
  for (const [index, { started_at, ended_at }] of actions.entries()) {
    const early = instantOf(approvedAt) - instantOf(started_at);
    if (early > CLOCK_TOLERANCE) throw wrongTime(`/actions/${index}/started_at`, early, 'before the plan was approved');
    const late = instantOf(ended_at) - instantOf(now);
    if (late > CLOCK_TOLERANCE) throw wrongTime(`/actions/${index}/ended_at`, late, 'in the future');
  }
}

const instantOf = (text: string): bigint => parseInstant(text, '');

function wrongTime(path: string, by: bigint, what: string): ServiceError {
  const [seconds, allowed] = [by, CLOCK_TOLERANCE].map((each) => Number(each) / 1_000_000);
  const message = `is ${seconds} s ${what}, by the clock of the service, which tolerates ${allowed} s: correct your clock, and send when the action was done`;
  return malformed(path, message);
}

export function notApproved(plan: PlanRecord | undefined): ServiceError {
  return new ServiceError(
    'PLAN_NOT_APPROVED',
    plan === undefined ? 'there is no such plan' : `the plan is ${plan.state}`,
  );
}

/**
 * The flow has an order: approval, alignment, constraints. An execution needs one satisfied check of each kind, both of
 * this plan and of the same actions.
 * @returns when the second check was made
 * @throws {ServiceError} STEP_OUT_OF_ORDER, KEY_NOT_OWNER
 */
async function assertLetThrough(transaction: TenantTransaction, { input, caller }: NewExecution): Promise<string> {
  const { plan_id: planId } = input;
  const find = (kind: CheckName, checkId: string) => findSatisfied(transaction, checkId, { kind, planId, caller });
  const alignment = await find('plan_alignment', input.alignment_check_id);
  const constraints = await find('constraints', input.constraints_check_id);
  if (alignment.checked_at >= constraints.checked_at) {
    throw new ServiceError('STEP_OUT_OF_ORDER', 'plan_alignment must be checked before constraints: check them again');
  }
  if (alignment.intents_hash !== constraints.intents_hash) {
    throw new ServiceError('STEP_OUT_OF_ORDER', 'the two checks are of different actions');
  }
  return constraints.checked_at;
}

interface WantedCheck {
  readonly kind: CheckName;
  readonly planId: string;
  readonly caller: Caller;
}

async function findSatisfied(
  transaction: TenantTransaction,
  checkId: string,
  wanted: WantedCheck,
): Promise<CheckRecord> {
  const check = await findCheck(transaction, checkId);
  if (check !== undefined) assertOwner(check, wanted.caller, `check of ${check.kind}`);
  const fault = faultOf(check, wanted);
  if (check === undefined || fault !== undefined) {
    throw new ServiceError('STEP_OUT_OF_ORDER', `the check of ${wanted.kind} ${fault}`);
  }
  return check;
}

function faultOf(check: CheckRecord | undefined, wanted: WantedCheck): string | undefined {
  if (check === undefined) return 'does not exist';
  if (check.kind !== wanted.kind) return `is a check of ${check.kind}`;
  if (check.plan_id !== wanted.planId) return 'is of another plan';
  if (check.mode === 'recorded') return 'is of an execution, not of a proposal';
  if (check.is_preview) return 'was made before the plan was approved: it is a preview, so check again';
  return check.verdict === 'satisfied' ? undefined : `came to ${check.verdict}`;
}

async function insertExecution(
  transaction: TenantTransaction,
  { caller, input }: NewExecution,
  plan: Pick<PlanRecord, 'plan_hash'> & { readonly run: number | null },
): Promise<{ readonly executionId: string; readonly at: string }> {
  const executionId = uuidv7();
  try {
    const { at: recordedAt } = await transaction
      .insertInto('verification.execution')
      .values({
        tenant_id: caller.tenantId,
        execution_id: executionId,
        plan_id: input.plan_id,
        alignment_check_id: input.alignment_check_id,
        constraints_check_id: input.constraints_check_id,
        actions: canonicalText(input.actions),
        execution_hash: hashExecution(plan.plan_hash, input.actions),
        created_by: caller.keyId,
        owner: caller.group,
        state: 'recorded',
        run: plan.run,
      })
      .returning(sql<string>`verification.to_text(received_at)`.as('at'))
      .executeTakeFirstOrThrow();
    return { executionId, at: recordedAt };
  } catch (error) {
    if (brokenConstraint(error) === undefined) throw error;
    throw new ServiceError('STEP_OUT_OF_ORDER', 'a check lets one execution through, and has done so', {
      cause: error,
    });
  }
}

async function insertActions(
  transaction: TenantTransaction,
  { caller, input, acts }: NewExecution,
  executionId: string,
): Promise<{ readonly actions: readonly ActionRecord[]; readonly reused: ReadonlySet<number> }> {
  const rows = input.actions.map(({ tool }, seq) => ({
    tenant_id: caller.tenantId,
    action_id: uuidv7(),
    execution_id: executionId,
    seq,
    tool,
    tool_folded: foldToolName(tool),
    identity: acts[seq]?.identity ?? null,
  }));
  // In one order, so that two executions with the same identities do not wait for each other in a circle.
  const taken = await transaction
    .insertInto('verification.action')
    .values(rows.toSorted((a, b) => ((a.identity ?? '') < (b.identity ?? '') ? -1 : 1)))
    .onConflict((conflict) => conflict.constraint('action_identity').doNothing())
    .returning('seq')
    .execute();
  const stored = new Set(taken.map(({ seq }) => seq));
  const reused = rows.filter(({ seq }) => !stored.has(seq));
  for (const row of reused)
    await transaction
      .insertInto('verification.action')
      .values({ ...row, identity: null })
      .execute();
  return {
    actions: rows.map(({ seq, action_id }) => ({ seq, action_id })),
    reused: new Set(reused.map(({ seq }) => seq)),
  };
}
