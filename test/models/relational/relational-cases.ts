import { decide } from '../../../workers/verdict/decide/decide.ts';
import { judgeKnown } from '../../../workers/verdict/decide/ground-values.ts';
import type { Problem } from '../../../workers/verdict/decide/problem.ts';
import type { BoundedSolver } from '../../../workers/verdict/decide/smt-solver.ts';
import { alignmentProblem } from '../../../workers/verdict/run/alignment.ts';
import { constraintsProblem } from '../../../workers/verdict/run/constraints.ts';
import { judgeCompletion } from '../../../workers/verdict/search/complete-run.ts';
import { APPROVALS, drawCase, type RelationalCase, readCase, readCaseActions } from './draw-case.ts';
import { canBeCompleted, inAllWays, isAligned, obeysRules } from './judge-case.ts';

export type RelationalKind = 'alignment' | 'constraints' | 'completion';

export interface RelationalVerdict {
  readonly verdict: string;
  /** The verdict that is right. Undefined if trying every continuation cannot tell. */
  readonly right: string | undefined;
  readonly source: RelationalCase;
}

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
  // In every fourth case, the actions are proposed, so that nothing is known of times and responses.
  const isProposed = seed % 4 === 0;
  const source = drawCase(seed, { hasTimes: !isProposed, most: isProposed ? 3 : 6, proposed: isProposed ? 3 : 0 });
  const run = read(source);
  const problem =
    kind === 'alignment'
      ? alignmentProblem(run, { question: 'holds', isComplete: true })
      : constraintsProblem(run, 'holds');
  const isSo = inAllWays(source, kind === 'alignment' ? isAligned : obeysRules);
  const right = isSo === undefined ? 'underdetermined' : isSo ? 'satisfied' : 'violated';
  const verdict = verdictOf(problem, by);
  return { verdict, right: isProposed && verdict === 'open' ? undefined : right, source };
}

function verdictOf(problem: Problem, by: BoundedSolver | undefined): string {
  return by === undefined ? (judgeKnown(problem) ?? 'open') : decide(problem, by).verdict;
}

function judgeCompletionCase(seed: number, by: BoundedSolver | undefined): RelationalVerdict {
  if (by === undefined) throw new TypeError('a completion needs a solver');
  const source = drawCase(seed, { hasTimes: false, most: 2, proposed: seed % 2 === 0 ? 2 : 0 });
  const { verdict } = judgeCompletion(read(source), by);
  const found = canBeCompleted(source);
  return { verdict, right: found === undefined ? undefined : found ? 'satisfied' : 'violated', source };
}

function read(source: RelationalCase) {
  const plan = readCase(source);
  return { plan, actions: readCaseActions(source, plan), runContext: { approvals: APPROVALS } };
}
