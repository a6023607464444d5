import { type Expression, literal, type Term } from '../language/terms.ts';
import type { Plan } from '../plan/plan.ts';

/** A number as a sum: a constant, and numbers among the arguments and the response with a factor each. */
export interface Linear {
  readonly constant: bigint;
  /** `arg amount` → its factor. */
  readonly factors: ReadonlyMap<string, bigint>;
}

export const sumOf = (terms: readonly Term[]): Term => {
  const [only] = terms;
  if (only === undefined) return literal(0n);
  return terms.length === 1 ? only : { op: '+', args: terms };
};

/**
 * The expression as a sum over the numbers of one action. Undefined if it is not one.
 * @param binder the name of the action in a rule
 */
export function linearOf(expression: Expression, plan: Plan, binder?: string): Linear | undefined {
  switch (expression.op) {
    case 'literal':
      return typeof expression.value === 'bigint' ? constant(expression.value) : undefined;
    case 'reference': {
      const { scope, name } = expression;
      if (scope === 'arg' || scope === 'resp') return { constant: 0n, factors: new Map([[`${scope} ${name}`, 1n]]) };
      const value = scope === 'var' ? plan.variables.get(name)?.value : undefined;
      return typeof value === 'bigint' ? constant(value) : undefined;
    }
    case 'part':
      if (expression.binder !== binder || (expression.part !== 'arg' && expression.part !== 'resp')) return undefined;
      return { constant: 0n, factors: new Map([[`${expression.part} ${expression.name}`, 1n]]) };
    case '*': {
      const of = linearOf(expression.arg, plan, binder);
      return of && scale(of, expression.by);
    }
    case '+': {
      let sum: Linear = constant(0n);
      for (const arg of expression.args) {
        const of = linearOf(arg, plan, binder);
        if (of === undefined) return undefined;
        sum = add(sum, of);
      }
      return sum;
    }
    default:
      return undefined;
  }
}

const constant = (value: bigint): Linear => ({ constant: value, factors: new Map() });

const scale = (of: Linear, by: bigint): Linear => ({
  constant: of.constant * by,
  factors: new Map([...of.factors].map(([name, factor]) => [name, factor * by])),
});

function add(a: Linear, b: Linear): Linear {
  const factors = new Map(a.factors);
  for (const [name, factor] of b.factors) factors.set(name, (factors.get(name) ?? 0n) + factor);
  return { constant: a.constant + b.constant, factors };
}
