import fc from 'fast-check';
import type { Problem, Question } from '../../workers/solver/decide/problem.ts';
import { readPlan } from '../../workers/solver/plan/read-plan.ts';
import { alignmentProblem } from '../../workers/solver/run/alignment.ts';
import { completionProblem } from '../../workers/solver/run/completion.ts';
import { constraintsProblem } from '../../workers/solver/run/constraints.ts';
import { countedCompletionProblem } from '../../workers/solver/run/counted-completion.ts';
import { readActions, readIntents } from '../../workers/solver/run/read-actions.ts';
import { modelRun } from '../../workers/solver/run/run-model.ts';
import { cases, problemOf, worldsOf } from './cases.ts';
import { verdictOver } from './meaning.ts';
import { actionsOf, listedCases, planOf, sheetsOf, type TinyCase, tinyCases } from './tiny-plans.ts';
import { isAligned, obeysRules, tryAll } from './try-tiny-plans.ts';

export interface VerdictCase {
  readonly problem: Problem;
  /** The verdict that is right. */
  readonly right: string;
  /** The drawn case, for failure messages. */
  readonly source: unknown;
}

export type CaseKind = 'holds' | 'possible' | 'alignment' | 'constraints' | 'completion' | 'counted';

/** Cases of a kind, the same for the same seed. Brute force decides their verdicts. */
export function* drawCases(kind: CaseKind, seed: number, count: number): Generator<VerdictCase> {
  if (kind === 'holds' || kind === 'possible') yield* drawProblems(kind, seed, count);
  else {
    const drawn = fc.sample(kind === 'counted' ? listedCases : tinyCases, { seed, numRuns: count });
    for (const one of drawn) yield ofRun(kind, one);
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
  switch (kind) {
    case 'alignment': {
      const problem = alignmentProblem(plan, actions, { model: modelRun(plan, actions), question: 'holds' });
      return held(problem, isAligned(one), one);
    }
    case 'constraints':
      return held(constraintsProblem(plan, modelRun(plan, actions)), obeysRules(one), one);
    case 'completion': {
      const right = tryAll(one) ? 'satisfied' : 'violated';
      return { problem: completionProblem(plan, actions), right, source: one };
    }
    case 'counted': {
      const right = tryAll(one) ? 'satisfied' : 'violated';
      const problem = countedCompletionProblem(plan, actions) ?? completionProblem(plan, actions);
      return { problem, right, source: one };
    }
  }
}

function held(problem: Problem, isSo: boolean | undefined, source: unknown): VerdictCase {
  if (isSo === undefined) return { problem, right: 'underdetermined', source };
  return { problem, right: isSo ? 'satisfied' : 'violated', source };
}
