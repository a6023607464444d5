import { decide } from '../../../workers/verdict/decide/decide.ts';
import { judgeKnown } from '../../../workers/verdict/decide/ground-values.ts';
import type { Problem } from '../../../workers/verdict/decide/problem.ts';
import type { BoundedSolver } from '../../../workers/verdict/decide/smt-solver.ts';
import { alignmentProblem } from '../../../workers/verdict/run/alignment.ts';
import { constraintsProblem } from '../../../workers/verdict/run/constraints.ts';
import { judgeRecorded } from '../../../workers/verdict/run/judge.ts';
import { judgeCompletion } from '../../../workers/verdict/search/complete-run.ts';
import { APPROVALS, drawCase, type RelationalCase, readCase, readCaseActions, withOutcomes } from './draw-case.ts';
import { canBeCompleted, canBeGuessed, inAllWays, isAligned, obeysRules } from './judge-case.ts';

interface Drawing {
  readonly seed: number;
  readonly by: BoundedSolver | undefined;
  /** Whether tools have optional arguments, lists and objects. */
  readonly hasParts?: boolean | undefined;
}

export type RelationalKind = 'alignment' | 'constraints' | 'completion' | 'outcomes';

export interface RelationalVerdict {
  readonly verdict: string;
  /** The verdict that is right. Undefined if trying every continuation cannot tell. */
  readonly right: string | undefined;
  readonly source: RelationalCase;
}

/** Judges random cases. Without a solver, the evaluator alone decides. */
export function* judgeCases(
  kind: RelationalKind,
  { seed, count, by, hasParts }: Drawing & { readonly count: number },
): Generator<RelationalVerdict> {
  for (let index = 0; index < count; index++) {
    const own = Math.imul(seed, 0x9e3779b1) + index;
    const drawing = { seed: own, by, hasParts };
    if (kind === 'outcomes') yield* judgeOutcomes(drawing);
    else yield kind === 'completion' ? judgeCompletionCase(drawing) : judgeRun(kind, drawing);
  }
}

function judgeRun(kind: 'alignment' | 'constraints', { seed, by, hasParts }: Drawing): RelationalVerdict {
  // In every fourth case, the actions are proposed, so that nothing is known of times and responses.
  const isProposed = seed % 4 === 0;
  const most = isProposed ? (hasParts ? 2 : 3) : 6;
  const source = drawCase(seed, { hasTimes: !isProposed, most, proposed: isProposed ? 3 : 0, hasParts });
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

/** A run with acts that failed, or whose outcome is unknown: it passes if it does in every way in which they may have turned out. */
function* judgeOutcomes({ seed, by, hasParts }: Drawing): Generator<RelationalVerdict> {
  if (by === undefined) throw new TypeError('outcomes need a solver');
  const source = withOutcomes(drawCase(seed, { hasTimes: seed % 3 === 0, most: hasParts ? 3 : 5, hasParts }), seed + 1);
  const run = read(source);
  const verdicts = [
    [judgeRecorded(run, (known) => constraintsProblem(known, 'holds'), by), obeysRules],
    [judgeRecorded(run, (known) => alignmentProblem(known, { question: 'holds', isComplete: true }), by), isAligned],
  ] as const;
  for (const [{ verdict }, isSo] of verdicts) {
    yield { verdict, right: inAllWays(source, isSo) === true ? 'satisfied' : 'violated', source };
  }
}

function verdictOf(problem: Problem, by: BoundedSolver | undefined): string {
  return by === undefined ? (judgeKnown(problem) ?? 'open') : decide(problem, by).verdict;
}

/** With parts, there are too many continuations to try: some are drawn, and one that is found is only not to be ruled out. */
function judgeCompletionCase({ seed, by, hasParts }: Drawing): RelationalVerdict {
  if (by === undefined) throw new TypeError('a completion needs a solver');
  const source = drawCase(seed, { hasTimes: false, most: 2, proposed: seed % 2 === 0 && !hasParts ? 2 : 0, hasParts });
  const { verdict } = judgeCompletion(read(source), by);
  if (hasParts) return { verdict, right: canBeGuessed(source, seed) ? 'satisfied' : undefined, source };
  const found = canBeCompleted(source);
  return { verdict, right: found === undefined ? undefined : found ? 'satisfied' : 'violated', source };
}

function read(source: RelationalCase) {
  const plan = readCase(source);
  return { plan, actions: readCaseActions(source, plan), runContext: { approvals: APPROVALS } };
}
