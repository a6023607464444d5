import { LanguageError } from '../../exact/language-error.ts';
import { decide } from '../decide/decide.ts';
import type { SmtSolver } from '../decide/smt-solver.ts';
import type { Problem, Question } from '../decide/verdict.ts';
import { type Judgement, toJudgement } from './judgement.ts';

export interface Judge {
  readonly solver: SmtSolver;
  readonly rlimit: number;
}

/** Decides the problem that `build` makes, if it makes one. One that is too large to be written down is not decided. */
export function judge<Built extends Problem | undefined>(
  question: Question,
  build: () => Built,
  by: Judge,
): Judgement | (undefined extends Built ? undefined : never);
export function judge(question: Question, build: () => Problem | undefined, by: Judge): Judgement | undefined {
  try {
    const problem = build();
    return problem && toJudgement(decide(problem, by));
  } catch (error) {
    const isSize = error instanceof LanguageError && (error.code === 'TOO_MANY_NODES' || error.code === 'TOO_DEEP');
    if (!isSize) throw error;
    return toJudgement({ verdict: 'indeterminate', reason: 'too large', question, checks: [] });
  }
}
