import { decide } from '../../../workers/solver/decide/decide.ts';
import { judgeKnown } from '../../../workers/solver/decide/known.ts';
import type { Problem } from '../../../workers/solver/decide/problem.ts';
import type { BoundedSolver } from '../../../workers/solver/decide/smt-solver.ts';
import { judgeOutlook } from '../../../workers/solver/outlook/judge-outlook.ts';
import { readPlan } from '../../../workers/solver/plan/read-plan.ts';
import { readActions } from '../../../workers/solver/run/read-actions.ts';
import { alignmentProblem2 } from '../../../workers/solver/run-2/alignment.ts';
import { constraintsProblem2 } from '../../../workers/solver/run-2/constraints.ts';
import { placed } from '../../../workers/solver/run-2/placed-action.ts';
import { APPROVALS, actionsOf, documentOf, drawCase, type RelationalCase } from './draw-case.ts';
import { canBeCompleted, isAligned, obeysRules } from './judge-case.ts';

export type RelationalKind = 'alignment 2' | 'constraints 2' | 'outlook 2';

export interface RelationalVerdict {
  readonly verdict: string;
  /** The verdict that is right. Undefined if trying every continuation cannot tell. */
  readonly right: string | undefined;
  readonly source: RelationalCase;
}

const CIRCUMSTANCES = { approvals: APPROVALS };

/** Judges random cases of format 2. Without a solver, the evaluator alone decides. */
export function* judgeCases(
  kind: RelationalKind,
  { seed, count, by }: { readonly seed: number; readonly count: number; readonly by: BoundedSolver | undefined },
): Generator<RelationalVerdict> {
  for (let index = 0; index < count; index++) {
    const own = Math.imul(seed, 0x9e3779b1) + index;
    yield kind === 'outlook 2' ? judgeOutlookCase(own, by) : judgeRun(kind, own, by);
  }
}

function judgeRun(
  kind: Exclude<RelationalKind, 'outlook 2'>,
  seed: number,
  by: BoundedSolver | undefined,
): RelationalVerdict {
  const source = drawCase(seed, { hasTimes: true, most: 6 });
  const { plan, actions } = read(source);
  const options = { question: 'holds', circumstances: CIRCUMSTANCES } as const;
  const problem =
    kind === 'alignment 2'
      ? alignmentProblem2(plan, actions, { ...options, isComplete: true })
      : constraintsProblem2(plan, placed(actions), options);
  const isSo = kind === 'alignment 2' ? isAligned(source) : obeysRules(source);
  return { verdict: verdictOf(problem, by), right: isSo ? 'satisfied' : 'violated', source };
}

function verdictOf(problem: Problem, by: BoundedSolver | undefined): string {
  return by === undefined ? (judgeKnown(problem) ?? 'open') : decide(problem, by).verdict;
}

function judgeOutlookCase(seed: number, by: BoundedSolver | undefined): RelationalVerdict {
  if (by === undefined) throw new TypeError('an outlook needs a solver');
  const source = drawCase(seed, { hasTimes: false, most: 2 });
  const { plan, actions } = read(source);
  const { verdict } = judgeOutlook({ plan, actions, circumstances: CIRCUMSTANCES }, by);
  const found = canBeCompleted(source);
  return { verdict, right: found === undefined ? undefined : found ? 'satisfied' : 'violated', source };
}

function read(source: RelationalCase) {
  const plan = readPlan(documentOf(source));
  return { plan, actions: readActions(actionsOf(source), plan) };
}
