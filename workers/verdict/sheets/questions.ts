import type { ValueType } from '../../plan/language/types.ts';
import { createAsk, minimize } from '../decide/ask.ts';
import type { Values } from '../decide/evaluate.ts';
import type { Formula } from '../decide/problem.ts';
import type { BoundedSolver } from '../decide/smt-solver.ts';
import { SmtError } from '../decide/smt-solver.ts';
import { Undecided } from './least.ts';

/** Limits of one composition: some seconds of a core. */
const MAX_CHECKS = 1000;
const MAX_STEPS = 2_000_000;

type Types = ReadonlyMap<string, ValueType>;

/** Questions about formulas of sheets. `createAsk` checks each answer. @throws {Undecided} @throws {SmtError} */
export interface Questions {
  /** Values of these types with which all formulas are true. Undefined if there are none. */
  solve(types: Types, formulas: readonly Formula[]): Values | undefined;
  /** Some of the formulas that contradict each other, of which none can be left out. */
  coreOf(types: Types, formulas: readonly Formula[]): readonly Formula[];
}

export function createQuestions({ solver, rlimit }: BoundedSolver): Questions {
  let checks = 0;
  let steps = 0;

  function ask(variables: Types, formulas: readonly Formula[]) {
    if (checks >= MAX_CHECKS || steps >= MAX_STEPS) throw new Undecided('too many questions');
    const answer = createAsk({
      solver,
      rlimit,
      variables,
      formulas,
      onCheck: ({ rlimitUsed }) => {
        checks += 1;
        steps += rlimitUsed;
      },
    })(formulas);
    if (answer.status === 'unknown') throw new Undecided(answer.reason);
    return answer;
  }

  return {
    solve(types, formulas) {
      const answer = ask(types, formulas);
      return answer.status === 'sat' ? answer.values : undefined;
    },
    coreOf(types, formulas) {
      const answer = ask(types, formulas);
      if (answer.status === 'sat') throw new SmtError('an earlier answer says that the formulas contradict each other');
      return minimize(answer.core, [], (rest) => ask(types, rest));
    },
  };
}
