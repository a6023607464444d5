import { isOfType } from '../../plan/language/values.ts';
import { evaluate, type Values } from './evaluate.ts';
import type { Formula, Problem } from './problem.ts';

/** True if all formulas are true, false if some is false, undefined if that depends on unknown values. */
export function holdAll(formulas: readonly Formula[], values: Values): boolean | undefined {
  const value = evaluate({ op: 'and', args: formulas.map(({ term }) => term) }, values);
  return typeof value === 'boolean' ? value : undefined;
}

export type KnownVerdict = 'invalid_input' | 'violated' | 'satisfied';

/**
 * The evaluator's own verdict, from the known values alone. Undefined if it depends on open variables. No type is empty,
 * so open variables always have values, and a formula that holds for all of them holds.
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

/** The formulas that the known values make false. */
export function brokenBy(values: Values, formulas: readonly Formula[]): readonly Formula[] {
  return formulas.filter(({ term }) => evaluate(term, values) === false);
}

/** The values that are of their types. */
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
