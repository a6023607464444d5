import { decide } from '../decide/decide.ts';
import type { Problem, Question } from '../decide/verdict.ts';
import { LanguageError } from '../language/language-error.ts';
import type { SmtSolver } from '../smt-solver.ts';
import { type Judgement, toJudgement } from './judgement.ts';

export interface Judge {
  readonly solver: SmtSolver;
  readonly rlimit: number;
}

/** A problem that is too large to be written down is not decided, which passes nothing. */
export function judge(question: Question, build: () => Problem, by: Judge): Judgement {
  let problem: Problem;
  try {
    problem = build();
  } catch (error) {
    const isSize = error instanceof LanguageError && (error.code === 'TOO_MANY_NODES' || error.code === 'TOO_DEEP');
    if (!isSize) throw error;
    return toJudgement({ verdict: 'indeterminate', reason: 'too large', question, checks: [] });
  }
  return toJudgement(decide(problem, by));
}
