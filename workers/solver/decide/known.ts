import { evaluate, type Values } from '../language/evaluate.ts';
import { isOfType } from '../language/values.ts';
import type { Claim, Problem } from './verdict.ts';

/** Whether all claims are true, some are false, or it depends on what is not known (undefined). */
export function holdAll(claims: readonly Claim[], values: Values): boolean | undefined {
  const value = evaluate({ op: 'and', args: claims.map(({ term }) => term) }, values);
  return typeof value === 'boolean' ? value : undefined;
}

export type KnownVerdict = 'invalid_input' | 'violated' | 'satisfied';

/**
 * The evaluator's own verdict, from what is known alone; undefined if it depends on what is open. Types are never
 * empty, so that what is open can always be completed, and what holds for every completion holds.
 */
export function judgeKnown({ variables, values, facts, rules }: Problem): KnownVerdict | undefined {
  for (const [key, value] of values) {
    const type = variables.get(key);
    if (type === undefined) throw new TypeError(`the variable ${key} is not declared`);
    if (!isOfType(value, type)) return 'invalid_input';
  }
  const areFacts = holdAll(facts, values);
  if (areFacts === undefined) return undefined;
  if (!areFacts) return 'invalid_input';
  const hold = holdAll(rules, values);
  return hold === undefined ? undefined : hold ? 'satisfied' : 'violated';
}

/** The claims that what is known makes false. */
export function brokenBy(values: Values, claims: readonly Claim[]): readonly Claim[] {
  return claims.filter(({ term }) => evaluate(term, values) === false);
}

/** The values that are of their types. A problem says of any other that it is equal to its variable, which is false. */
export function typedValues({ variables, values }: Problem): Values {
  return new Map(
    [...values].filter(([key, value]) => {
      const type = variables.get(key);
      return type !== undefined && isOfType(value, type);
    }),
  );
}

/** Whether the value of every variable is known, and of its type. */
export function isGround({ variables, values }: Problem, typed: Values): boolean {
  return typed.size === values.size && values.size === variables.size;
}
