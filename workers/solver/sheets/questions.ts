import { createAsk, minimize } from '../decide/ask.ts';
import { SmtError } from '../decide/smt-solver.ts';
import type { Claim } from '../decide/verdict.ts';
import type { Values } from '../language/evaluate.ts';
import type { ValueType } from '../language/types.ts';
import type { Judge } from '../run/judge.ts';
import { Undecided } from './least.ts';

/** Of one composition: some seconds of a core. */
const MAX_CHECKS = 1000;
const MAX_STEPS = 2_000_000;

type Types = ReadonlyMap<string, ValueType>;

/** What is asked of the claims of sheets, each answer checked as `createAsk` does. @throws {Undecided} @throws {SmtError} */
export interface Questions {
  /** Values of these types with which all claims are true, or undefined where there are none. */
  solve(types: Types, claims: readonly Claim[]): Values | undefined;
  /** Of claims that contradict each other, those of which none can be left out. */
  coreOf(types: Types, claims: readonly Claim[]): readonly Claim[];
}

export function createQuestions({ solver, rlimit }: Judge): Questions {
  let checks = 0;
  let steps = 0;

  function ask(variables: Types, claims: readonly Claim[]) {
    if (checks >= MAX_CHECKS || steps >= MAX_STEPS) throw new Undecided('too many questions');
    const answer = createAsk({
      solver,
      rlimit,
      variables,
      claims,
      onCheck: ({ rlimitUsed }) => {
        checks += 1;
        steps += rlimitUsed;
      },
    })(claims);
    if (answer.status === 'unknown') throw new Undecided(answer.reason);
    return answer;
  }

  return {
    solve(types, claims) {
      const answer = ask(types, claims);
      return answer.status === 'sat' ? answer.values : undefined;
    },
    coreOf(types, claims) {
      const answer = ask(types, claims);
      if (answer.status === 'sat') throw new SmtError('what contradicts itself does not');
      return minimize(answer.core, [], (rest) => ask(types, rest));
    },
  };
}
