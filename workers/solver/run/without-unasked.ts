import type { Problem } from '../decide/verdict.ts';
import { variablesIn } from '../language/expand.ts';

/** The problem without what is open and nothing asks for: types are never empty, so that it has some value or other. */
export function withoutUnasked(problem: Problem): Problem {
  const { variables, values, facts, rules } = problem;
  const asked = variablesIn([...facts, ...rules].map(({ term }) => term));
  return { ...problem, variables: new Map([...variables].filter(([key]) => asked.has(key) || values.has(key))) };
}
