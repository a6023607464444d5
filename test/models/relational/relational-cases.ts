import { readPlan } from '../../../workers/plan/read/read-plan.ts';
import { decide } from '../../../workers/verdict/decide/decide.ts';
import { judgeKnown } from '../../../workers/verdict/decide/ground-values.ts';
import type { Problem } from '../../../workers/verdict/decide/problem.ts';
import type { BoundedSolver } from '../../../workers/verdict/decide/smt-solver.ts';
import { alignmentProblem } from '../../../workers/verdict/run/alignment.ts';
import { constraintsProblem } from '../../../workers/verdict/run/constraints.ts';
import { readActions } from '../../../workers/verdict/run/read-actions.ts';
import { judgeCompletion } from '../../../workers/verdict/search/complete-run.ts';
import { APPROVALS, actionsOf, documentOf, drawCase, type RelationalCase } from './draw-case.ts';
import { canBeCompleted, isAligned, obeysRules } from './judge-case.ts';

export type RelationalKind = 'relational alignment' | 'relational constraints' | 'completion';

export interface RelationalVerdict {
  readonly verdict: string;
  /** The verdict that is right. Undefined if trying every continuation cannot tell. */
  readonly right: string | undefined;
  readonly source: RelationalCase;
}

const CIRCUMSTANCES = { approvals: APPROVALS };

/** Judges random cases. Without a solver, the evaluator alone decides. */
export function* judgeCases(
  kind: RelationalKind,
  { seed, count, by }: { readonly seed: number; readonly count: number; readonly by: BoundedSolver | undefined },
): Generator<RelationalVerdict> {
  for (let index = 0; index < count; index++) {
    const own = Math.imul(seed, 0x9e3779b1) + index;
    yield kind === 'completion' ? judgeCompletionCase(own, by) : judgeRun(kind, own, by);
  }
}

function judgeRun(
  kind: Exclude<RelationalKind, 'completion'>,
  seed: number,
  by: BoundedSolver | undefined,
): RelationalVerdict {
  const source = drawCase(seed, { hasTimes: true, most: 6 });
  const { plan, actions } = read(source);
  const run = { plan, actions, runContext: CIRCUMSTANCES };
  const problem =
    kind === 'relational alignment'
      ? alignmentProblem(run, { question: 'holds', isComplete: true })
      : constraintsProblem(run, 'holds');
  const isSo = kind === 'relational alignment' ? isAligned(source) : obeysRules(source);
  return { verdict: verdictOf(problem, by), right: isSo ? 'satisfied' : 'violated', source };
}

function verdictOf(problem: Problem, by: BoundedSolver | undefined): string {
  return by === undefined ? (judgeKnown(problem) ?? 'open') : decide(problem, by).verdict;
}

function judgeCompletionCase(seed: number, by: BoundedSolver | undefined): RelationalVerdict {
  if (by === undefined) throw new TypeError('a completion needs a solver');
  const source = drawCase(seed, { hasTimes: false, most: 2 });
  const { plan, actions } = read(source);
  const { verdict } = judgeCompletion({ plan, actions, runContext: CIRCUMSTANCES }, by);
  const found = canBeCompleted(source);
  return { verdict, right: found === undefined ? undefined : found ? 'satisfied' : 'violated', source };
}

function read(source: RelationalCase) {
  const plan = readPlan(documentOf(source));
  return { plan, actions: readActions(actionsOf(source), plan) };
}
