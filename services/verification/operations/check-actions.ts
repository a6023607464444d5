import { v7 as uuidv7 } from 'uuid';
import { canonicalText } from '../../../workers/exact/canonical-json.ts';
import { defined } from '../../../workers/exact/defined.ts';
import type { CheckName } from '../../../workers/verdict/run/checked.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { assertStored } from '../../store/read-back.ts';
import { CheckArguments, type ProposalArguments } from '../contract/arguments.ts';
import { findCheck } from '../records/check-records.ts';
import { findEarlierRuns } from '../records/earlier-runs.ts';
import { findExecution } from '../records/execution-records.ts';
import { approvalFacts, findParts, findPlan, type PlanParts, type PlanRecord } from '../records/plan-records.ts';
import { type EarlierRun, hashIntents, type Intent, runsFact } from '../records/record-hashes.ts';
import { readActions, readIntents, readPlanDocument } from '../records/stored-documents.ts';
import { toVerdict } from '../solver/pins.ts';
import type { Caller } from '../tenants/keys.ts';
import { assertOwner } from '../tenants/owner.ts';
import { createArgumentsReader, malformed, notFound } from '../tenants/requests.ts';
import type { TenantTransaction } from '../tenants/transaction.ts';
import { defineWrite } from './define.ts';

const readArguments = createArgumentsReader(CheckArguments);

/** The actions to check: those of a proposal, or of an execution. */
interface Subject {
  readonly plan: PlanRecord;
  readonly parts: PlanParts;
  readonly mode: 'prefix' | 'complete' | 'recorded';
  readonly executionId: string | null;
  readonly actions: readonly Intent[];
  readonly runs: readonly EarlierRun[] | undefined;
}

/**
 * Checks whether actions are those of the plan, or obey its rules, and stores both the actions and the result. A check
 * before the plan is approved is a preview: it helps authors, and allows no execution.
 * @throws {ServiceError} ROLE_NOT_ALLOWED, KEY_NOT_OWNER, NOT_FOUND, PLAN_HASH_MISMATCH, PLAN_CLOSED, INVALID_JSON,
 *   MALFORMED_INPUT
 */
const defineCheck = (kind: CheckName) =>
  defineWrite({
    operation: `verify_${kind}`,
    role: 'agent',
    idempotencyKey: 'optional',
    readInput: readArguments,
    prepare: async ({ caller, input, options, inTenant }, { solver }) => {
      const subject = await inTenant((transaction) =>
        'execution_id' in input ? findRun(transaction, input.execution_id, caller) : findProposal(transaction, input),
      );
      const { parts, mode, actions, runs } = subject;
      readPlanDocument(subject.plan);
      const runContext = approvalFacts(subject.plan);
      const task = { check: kind, ...parts, actions: canonicalText(actions), ...runsFact(runs), runContext };
      const { fault, judgement } =
        mode === 'recorded'
          ? await solver.checkRun(task, options)
          : await solver.checkProposal({ ...task, mode }, options);
      if (fault !== undefined) throw malformed(fault.path, fault.message);
      const result = canonicalText(toVerdict(judgement));
      return {
        apply: (transaction) =>
          insertCheck(transaction, { ...subject, kind, result, verdict: judgement.verdict, caller }),
      };
    },
  });

export const verifyPlanAlignment = defineCheck('plan_alignment');
export const verifyConstraints = defineCheck('constraints');

async function findRun(transaction: TenantTransaction, executionId: string, caller: Caller): Promise<Subject> {
  const execution = await findExecution(transaction, executionId);
  const plan = execution && (await findPlan(transaction, execution.plan_id));
  if (execution === undefined || plan === undefined) throw notFound('execution');
  assertOwner(execution, caller, 'execution');
  const parts = await findParts(transaction, plan);
  const runs = await findEarlierRuns(transaction, plan, execution.run ?? 0);
  return { plan, parts, mode: 'recorded', executionId, actions: readActions(execution), runs };
}

async function findProposal(transaction: TenantTransaction, input: ProposalArguments): Promise<Subject> {
  const plan = await findSamePlan(transaction, input);
  const mode = input.mode === 'prefix' ? 'prefix' : 'complete';
  if (mode === 'complete' && input.actions.length === 0) {
    throw malformed('/actions', 'a run without actions cannot be recorded: name one at least');
  }
  const runs = await findEarlierRuns(transaction, plan);
  return { plan, parts: await findParts(transaction, plan), mode, executionId: null, actions: input.actions, runs };
}

/** Finds the plan that a caller names with its hash. @throws {ServiceError} NOT_FOUND, PLAN_HASH_MISMATCH */
export async function findSamePlan(
  transaction: TenantTransaction,
  named: { readonly plan_id: string; readonly plan_hash: string },
): Promise<PlanRecord> {
  const plan = await findPlan(transaction, named.plan_id);
  if (plan === undefined) throw notFound('plan');
  assertSamePlan(plan, named.plan_hash);
  return plan;
}

/** @throws {ServiceError} PLAN_HASH_MISMATCH */
export function assertSamePlan({ plan_hash }: PlanRecord, given: string): void {
  if (plan_hash !== given) throw new ServiceError('PLAN_HASH_MISMATCH', `the plan's hash is ${plan_hash}`);
}

interface NewCheck extends Subject {
  readonly kind: CheckName;
  readonly result: string;
  readonly verdict: string;
  readonly caller: Caller;
}

async function insertCheck(transaction: TenantTransaction, check: NewCheck): Promise<unknown> {
  const { plan, kind, mode, executionId, actions, result, verdict, caller } = check;
  const checkId = uuidv7();
  const intentsHash = hashIntents(actions);
  await transaction
    .insertInto('verification.plan_check')
    .values({
      tenant_id: caller.tenantId,
      check_id: checkId,
      plan_id: plan.plan_id,
      kind,
      mode,
      execution_id: executionId,
      actions: canonicalText(actions),
      intents_hash: intentsHash,
      result,
      verdict,
      created_by: caller.keyId,
      owner: caller.group,
      is_preview: mode !== 'recorded' && plan.approved_at === null,
    })
    .execute();
  const stored = defined(await findCheck(transaction, checkId));
  assertStored(stored.result, result);
  const storedActions = mode === 'recorded' ? readActions(stored) : readIntents(stored);
  assertStored(hashIntents(storedActions), intentsHash);
  return {
    check_id: checkId,
    plan_hash: plan.plan_hash,
    intents_hash: intentsHash,
    result: JSON.parse(result),
    preview: stored.is_preview,
    checked_at: stored.checked_at,
  };
}
