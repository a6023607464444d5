import type { Formula, Problem } from '../decide/problem.ts';
import { all, knownValue } from '../elaborate/kleene.ts';
import { variablesIn } from '../language/walk.ts';

/** The problem without open variables that no fact or rule mentions. No type is empty, so such a variable has a value. */
export function withoutUnasked(problem: Problem): Problem {
  const { variables, values, facts, rules } = problem;
  const asked = variablesIn([...facts, ...rules].map(({ term }) => term));
  return { ...problem, variables: new Map([...variables].filter(([key]) => asked.has(key) || values.has(key))) };
}

/** The problem without formulas that are true whatever the open values are, unless nothing is open. */
export function withoutKnown(problem: Problem): Problem {
  if (problem.variables.size === 0) return problem;
  const open = (formulas: readonly Formula[]) =>
    formulas.flatMap(({ id, term }): readonly Formula[] => {
      const parts = term.op === 'and' ? term.args : [term];
      const left = parts.filter((part) => knownValue(part) !== true);
      return left.length === 0 ? [] : [{ id, term: all(left) }];
    });
  return { ...problem, facts: open(problem.facts), rules: open(problem.rules) };
}
