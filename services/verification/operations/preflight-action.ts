import type { Static } from 'typebox';
import type { PreflightActionRequest } from '../../../proto/gen/tollhouse/verification/v1/verification.ts';

import { defined } from '../../../workers/exact/defined.ts';
import type { CallContext } from '../../platform/grpc/grpc-server.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { type Answer, type OperationDeps, solverOptions, toText } from '../context/operation.ts';
import type { Verdict } from '../contract/answers.ts';
import { PreflightArguments } from '../contract/preflight.ts';
import { isRevenueFrozen } from '../mutations/revenue-freeze.ts';
import { findPlan, type PlanRecord, readClock } from '../records/plan-records.ts';
import { readPlanDocument } from '../records/stored-documents.ts';
import { at, createArgumentsReader, notFound, readCaller } from '../requests/requests.ts';
import { toVerdict } from '../solver/pins.ts';
import { inTenant } from '../tenants/transaction.ts';
import { effectOf } from '../tools/tool-list.ts';
import { assertSamePlan } from './check-actions.ts';

const readArguments = createArgumentsReader(PreflightArguments);

type Input = Static<typeof PreflightArguments>;
type Reasons = Verdict['reasons'];

/**
 * Decides before an action is done whether a run that begins with the earlier actions and this one can still obey the
 * plan. Any key may ask, and nothing is stored. Refusals that depend on the time are decided last, on current data.
 * @throws {ServiceError} NOT_FOUND, PLAN_HASH_MISMATCH, INVALID_JSON, MALFORMED_INPUT
 */
export async function preflightAction(
  deps: OperationDeps,
  request: PreflightActionRequest,
  context: CallContext,
): Promise<Answer> {
  const caller = readCaller(request.caller);
  const input = readArguments(request.arguments);
  const plan = await inTenant(deps.database, caller.tenantId, (transaction) => findPlan(transaction, input.plan_id));
  if (plan === undefined) throw notFound('plan');
  assertSamePlan(plan, input.plan_hash);
  const task = { plan: plan.document, sheets: plan.sheets, done: toText(input.done), action: toText(input.action) };
  const { fault, alignment, constraints, remaining, slacks } = await deps.solver.preflight(
    task,
    solverOptions(caller, context),
  );
  if (fault !== undefined) throw new ServiceError('MALFORMED_INPUT', at(pathOf(fault.path, input), fault.message));
  const decisive = toVerdict(alignment.verdict === 'satisfied' ? constraints : alignment);
  const moment = await inTenant(deps.database, caller.tenantId, async (transaction) => ({
    plan: defined(await findPlan(transaction, input.plan_id)),
    frozen: await isRevenueFrozen(transaction),
    now: await readClock(transaction),
  }));
  const document = readPlanDocument(plan);
  const moves = effectOf(document, input.action, deps.toolList) === 'revenue_write';
  const refusals = refusalsOf(moment.plan, document.max_executions, moves && moment.frozen);
  return {
    answer: toText({
      decision: decisive.verdict === 'satisfied' && refusals.length === 0 ? 'allow' : 'refuse',
      result: placed(decisive, input, refusals),
      frozen: moment.frozen,
      remaining: { steps: remaining, constraints: slacks },
      checked_at: moment.now,
    }),
  };
}

/** The verdict with paths into the caller's arguments, and with the refusals. */
function placed(verdict: Verdict, input: Input, refusals: Reasons): Verdict {
  const reasons = verdict.reasons.map((reason) => ({ ...reason, path: pathOf(reason.path, input) }));
  return { ...verdict, reasons: [...reasons, ...refusals], core: verdict.core.map((path) => pathOf(path, input)) };
}

/** Why the action is refused now, whatever the plan's rules are. */
function refusalsOf(plan: PlanRecord, most: number, isStopped: boolean): Reasons {
  const reason = (code: string, message: string) => ({ code, path: '', message });
  return [
    ...(plan.state === 'expired' ? [reason('PLAN_EXPIRED', 'the plan has expired: have a new one approved')] : []),
    ...(plan.state === 'draft' ? [reason('PLAN_NOT_APPROVED', 'the plan is not approved yet')] : []),
    ...(plan.state === 'superseded' ? [reason('PLAN_NOT_APPROVED', 'another plan took its place')] : []),
    ...(plan.state === 'approved' && plan.executions >= most
      ? [reason('EXECUTIONS_EXHAUSTED', 'the plan has had the executions that it allows')]
      : []),
    ...(isStopped ? [reason('REVENUE_WRITES_FROZEN', 'writes that move money are stopped')] : []),
  ];
}

/** The arguments have earlier actions and the next one apart. The solver has them in one list. */
function pathOf(path: string, { done }: Input): string {
  const [, index, rest] = /^\/actions\/([0-9]+)(.*)$/s.exec(path) ?? [];
  if (index === undefined || rest === undefined) return path;
  return Number(index) < done.length ? `/done/${index}${rest}` : `/action${rest}`;
}
