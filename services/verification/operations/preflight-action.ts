import type { Static } from 'typebox';
import type { ActionDocument } from '../../../workers/exact/action-schema.ts';
import { canonicalText } from '../../../workers/exact/canonical-json.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { effectOf } from '../catalogue/tool-list.ts';
import { findToolList } from '../catalogue/tool-records.ts';
import type { Verdict } from '../contract/answers.ts';
import { PreflightArguments } from '../contract/preflight.ts';
import { type LimitsNow, readLimits } from '../limits/count-acts.ts';
import { limitsOfActions } from '../limits/limits-of-actions.ts';
import { countHeld, findReservations, reservationsFor } from '../limits/reservations.ts';
import { isRevenueFrozen } from '../mutations/revenue-freeze.ts';
import { findEarlierRuns, nextRun, RUNS_TOO_LARGE } from '../records/earlier-runs.ts';
import { withStoredTimes } from '../records/instants.ts';
import {
  approvalFacts,
  describedTools,
  findParts,
  findPlan,
  type PlanRecord,
  planTools,
  readClock,
} from '../records/plan-records.ts';
import { runsFact } from '../records/record-hashes.ts';
import { readPlanDocument } from '../records/stored-documents.ts';
import { toVerdict } from '../solver/pins.ts';
import { createArgumentsReader, malformed } from '../tenants/requests.ts';
import type { TenantTransaction } from '../tenants/transaction.ts';
import { findSamePlan } from './check-actions.ts';
import { defineRead } from './define.ts';

const readArguments = createArgumentsReader(PreflightArguments);

type Input = Omit<Static<typeof PreflightArguments>, 'done'> & { readonly done: readonly ActionDocument[] };
type Reasons = Verdict['reasons'];

/**
 * Decides before an action is done whether a run that begins with the earlier actions and this one can still obey the
 * plan. Any key may ask, and nothing is stored. Refusals that depend on the time are decided last, on current data.
 * @throws {ServiceError} NOT_FOUND, PLAN_HASH_MISMATCH, PLAN_CLOSED, INVALID_JSON, MALFORMED_INPUT
 */
export const preflightAction = defineRead(
  (request) => {
    const sent = readArguments(request);
    return { ...sent, done: withStoredTimes(sent.done, '/done') };
  },
  async ({ caller, input, options, inTenant }, deps) => {
    const { plan, parts, runs, asked } = await inTenant(async (transaction) => {
      const found = await findSamePlan(transaction, input);
      return {
        plan: found,
        parts: await findParts(transaction, found),
        runs: await findEarlierRuns(transaction, found),
        asked: await readClock(transaction),
      };
    });
    const document = readPlanDocument(plan);
    const task = {
      ...parts,
      done: canonicalText(input.done),
      action: canonicalText(input.action),
      ...runsFact(runs),
      runContext: approvalFacts(plan),
      // Nothing is done under a draft now. The refusal says so.
      ...(plan.approved_at === null ? {} : { now: asked }),
    };
    const { fault, alignment, constraints, remaining, slacks, attempts, passesFrom } = await deps.solver.preflight(
      task,
      options,
    );
    if (fault !== undefined) throw malformed(pathOf(fault.path, input), fault.message);
    const decisive = toVerdict(alignment.verdict === 'satisfied' ? constraints : alignment);
    const moment = await inTenant(async (transaction) => ({
      plan: defined(await findPlan(transaction, input.plan_id)),
      frozen: await isRevenueFrozen(transaction),
      list: await findToolList(transaction, deps.toolList),
      ...(await roomFor(transaction, { plan, input, attempts, owner: caller.group })),
      areRunsTooLarge: runs !== undefined && (await nextRun(transaction, plan)) === null,
      now: await readClock(transaction),
    }));
    const moves = effectOf(planTools(plan), input.action, moment.list) === 'revenue_write';
    const refusals = [
      ...(passesFrom === undefined ? [] : [tooEarly(passesFrom)]),
      ...refusalsOf(moment.plan, document.max_executions - moment.held, moves && moment.frozen),
      ...(moment.areRunsTooLarge ? [RUNS_TOO_LARGE] : []),
      ...(moment.refusal === undefined ? [] : [{ code: 'LIMIT_EXCEEDED', path: '/action', message: moment.refusal }]),
    ];
    return canonicalText({
      decision: decisive.verdict === 'satisfied' && refusals.length === 0 ? 'allow' : 'refuse',
      result: placed(decisive, input, refusals),
      frozen: moment.frozen,
      remaining: { steps: remaining, constraints: slacks },
      limits: moment.limits,
      checked_at: moment.now,
    });
  },
);

const tooEarly = (from: string | null) => ({
  code: 'TOO_EARLY',
  path: '/action',
  message: `a rule of the plan does not let the action start yet${from === null ? '' : `: it passes from ${from} on`}`,
});

interface Place {
  readonly plan: PlanRecord;
  readonly input: Input;
  readonly attempts: readonly number[];
  readonly owner: string;
}

/** What is left of the limits of the action's tool, and executions that other runs hold. @throws {ServiceError} MALFORMED_INPUT */
async function roomFor(
  transaction: TenantTransaction,
  { plan, input: { done, action }, attempts, owner }: Place,
): Promise<LimitsNow & { readonly held: number }> {
  const actions = [...done, action];
  const acts = await limitsOfActions(transaction, {
    actions,
    described: describedTools(plan),
    pathOf: (index) => (index < done.length ? `/done/${index}` : '/action'),
  });
  const counted = acts.slice(0, -1).filter((_, index) => !attempts.includes(index));
  const own = { planId: plan.plan_id, owner };
  const { run, used } = reservationsFor(actions, await findReservations(transaction, own));
  return {
    ...(await readLimits(transaction, { action: defined(acts.at(-1)), done: counted, own: used })),
    held: await countHeld(transaction, { ...own, run }),
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
    ...(plan.state === 'rejected' ? [reason('PLAN_NOT_APPROVED', 'the plan was rejected')] : []),
    ...(plan.state === 'withdrawn' ? [reason('PLAN_NOT_APPROVED', 'an approval of the plan was withdrawn')] : []),
    ...(plan.state === 'superseded' ? [reason('PLAN_NOT_APPROVED', 'another plan took its place')] : []),
    ...(plan.state === 'approved' && plan.executions >= most
      ? [reason('EXECUTIONS_EXHAUSTED', 'the plan has had the executions that it allows, or others have reserved them')]
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
