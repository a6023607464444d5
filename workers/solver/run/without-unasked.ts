import type { Problem } from '../decide/problem.ts';
import { variablesIn } from '../language/walk.ts';

/** The problem without open variables that no fact or rule mentions. No type is empty, so such a variable has a value. */
export function withoutUnasked(problem: Problem): Problem {
  const { variables, values, facts, rules } = problem;
  const asked = variablesIn([...facts, ...rules].map(({ term }) => term));
  return { ...problem, variables: new Map([...variables].filter(([key]) => asked.has(key) || values.has(key))) };
}
