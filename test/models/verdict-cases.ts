import fc from 'fast-check';
import { readPlan } from '../../workers/plan/read/read-plan.ts';
import type { Problem, Question } from '../../workers/verdict/decide/problem.ts';
import { alignmentProblem } from '../../workers/verdict/run/alignment.ts';
import { constraintsProblem } from '../../workers/verdict/run/constraints.ts';
import { readActions, readIntents } from '../../workers/verdict/run/read-actions.ts';
import { cases, problemOf, worldsOf } from './cases.ts';
import { verdictOver } from './meaning.ts';
import { actionsOf, planOf, sheetsOf, type TinyCase, tinyCases } from './tiny-plans.ts';
import { isAligned, obeysRules } from './try-tiny-plans.ts';

export interface VerdictCase {
  readonly problem: Problem;
  /** The verdict that is right. */
  readonly right: string;
  /** The drawn case, for failure messages. */
  readonly source: unknown;
}

export type CaseKind = 'holds' | 'possible' | 'alignment' | 'constraints';

/** Cases of a kind, the same for the same seed. Brute force decides their verdicts. */
export function* drawCases(kind: CaseKind, seed: number, count: number): Generator<VerdictCase> {
  if (kind === 'holds' || kind === 'possible') yield* drawProblems(kind, seed, count);
  else {
    for (const one of fc.sample(tinyCases, { seed, numRuns: count })) yield ofRun(kind, one);
  }
}

function* drawProblems(question: Question, seed: number, count: number): Generator<VerdictCase> {
  for (const one of fc.sample(cases(question), { seed, numRuns: count })) {
    const { worlds, isFact, isRule } = worldsOf(one);
    yield { problem: problemOf(one), right: verdictOver(question, worlds, isFact, isRule), source: one };
  }
}

function ofRun(kind: Exclude<CaseKind, Question>, one: TinyCase): VerdictCase {
  const plan = readPlan(planOf(one), sheetsOf(one));
  const actions = one.isRecorded ? readActions(actionsOf(one), plan) : readIntents(actionsOf(one), plan);
  const run = { plan, actions };
  return kind === 'alignment'
    ? held(alignmentProblem(run, { question: 'holds', isComplete: true }), isAligned(one), one)
    : held(constraintsProblem(run, 'holds'), obeysRules(one), one);
}

function held(problem: Problem, isSo: boolean | undefined, source: unknown): VerdictCase {
  if (isSo === undefined) return { problem, right: 'underdetermined', source };
  return { problem, right: isSo ? 'satisfied' : 'violated', source };
}
