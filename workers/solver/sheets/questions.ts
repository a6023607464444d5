import { createAsk, minimize } from '../decide/ask.ts';
import type { Claim } from '../decide/verdict.ts';
import type { Values } from '../language/evaluate.ts';
import type { ValueType } from '../language/types.ts';
import type { Judge } from '../run/judge.ts';
import { Undecided } from './least.ts';

/** Of one composition: some seconds of a core. The first is what a question takes that is asked of the solver at all. */
const MAX_CHECKS = 3000;
const MAX_STEPS = 3_000_000;

/** What is asked of the claims of sheets, each answer checked as `createAsk` does. @throws {Undecided} @throws {SmtError} */
export interface Questions {
  /** Values with which all claims are true, or undefined where there are none. */
  solve(claims: readonly Claim[]): Values | undefined;
  /** Whether there are such values where numbers may have more than the 38 digits of the language. */
  isPossibleBeyond(claims: readonly Claim[]): boolean;
  /** Claims that contradict each other, of which none can be left out. */
  coreOf(claims: readonly Claim[]): readonly Claim[];
}

const BEYOND = 10n ** 100n;

function withMoreDigits(type: ValueType): ValueType {
  return 'min' in type ? { ...type, min: -BEYOND, max: BEYOND } : type;
}

export function createQuestions(variables: ReadonlyMap<string, ValueType>, { solver, rlimit }: Judge): Questions {
  const beyond = new Map([...variables].map(([name, type]) => [name, withMoreDigits(type)]));
  let checks = 0;
  let steps = 0;

  function ask(claims: readonly Claim[], types = variables) {
    if (checks >= MAX_CHECKS || steps >= MAX_STEPS) throw new Undecided('too many questions');
    const answer = createAsk({
      solver,
      rlimit,
      variables: types,
      claims,
      given: new Map(),
      onCheck: ({ rlimitUsed }) => {
        checks += 1;
        steps += rlimitUsed;
      },
    })(claims);
    if (answer.status === 'unknown') throw new Undecided(answer.reason);
    return answer;
  }

  return {
    solve(claims) {
      const answer = ask(claims);
      return answer.status === 'sat' ? answer.values : undefined;
    },
    isPossibleBeyond: (claims) => ask(claims, beyond).status === 'sat',
    coreOf(claims) {
      const answer = ask(claims);
      return answer.status === 'sat' ? [] : minimize(answer.core, [], (rest) => ask(rest));
    },
  };
}
