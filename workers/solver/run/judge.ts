import { DocumentError } from '../../exact/document-error.ts';
import { decide } from '../decide/decide.ts';
import type { Problem, Question } from '../decide/problem.ts';
import type { BoundedSolver } from '../decide/smt-solver.ts';
import { type Judgement, toJudgement } from './judgement.ts';

/** Decides the problem that `build` makes, if it makes one. The judgement of a problem that is too large is `indeterminate`. */
export function judge<Built extends Problem | undefined>(
  question: Question,
  build: () => Built,
  by: BoundedSolver,
): Judgement | (undefined extends Built ? undefined : never);
export function judge(question: Question, build: () => Problem | undefined, by: BoundedSolver): Judgement | undefined {
  try {
    const problem = build();
    return problem && toJudgement(decide(problem, by));
  } catch (error) {
    const isSize = error instanceof DocumentError && (error.code === 'TOO_MANY_NODES' || error.code === 'TOO_DEEP');
    if (!isSize) throw error;
    return toJudgement({ verdict: 'indeterminate', reason: 'too large', question, checks: [] });
  }
}
