import { literalsIn, referencesIn } from '../../plan/expressions.ts';
import type { Expression, Scoped, Term } from '../../plan/language/terms.ts';
import type { ValueType } from '../../plan/language/types.ts';
import { isOfType, type Value } from '../../plan/language/values.ts';
import type { Tool } from '../../plan/plan.ts';

/** Limits for long effects with a constant value. For other effects the search ends earlier. */
const MAX_TRIED = 256;
const MAX_TRIED_PER_ARGUMENT = 64;
const POWERS_OF_TEN = Array.from({ length: 16 }, (_, power) => 10n ** BigInt(power));

/** The value of an effect with these arguments. */
export type ValueWith = (args: ReadonlyMap<string, Value>) => Value | undefined;

/**
 * The arguments that an effect depends on: a change of the argument alone gives another value. An effect can mention an
 * argument and not depend on it, such as `0 * amount`. Some other values of the argument are tried: its neighbors, powers of
 * ten, and the values that the effect mentions. If the effect's value is the same for all, the argument does not count.
 * @param names terms of the action as it was done
 * @param valueWith the value of the effect with other arguments
 */
export function argumentsThatMatter(
  effect: Expression,
  { args }: Pick<Tool, 'args'>,
  { names, valueWith }: { readonly names: Scoped<Term>; readonly valueWith: ValueWith },
): ReadonlySet<string> {
  const mentioned = new Set(referencesIn(effect).flatMap(({ scope, name }) => (scope === 'arg' ? [name] : [])));
  const values = new Map<string, Value>();
  for (const [name, term] of names.arg ?? []) if (term.op === 'literal') values.set(name, term.value);
  const actual = valueWith(values);
  const near = valuesNear(effect, names);
  const matter = new Set<string>();
  const untried = [...mentioned].map((name) => {
    const [type, value] = [args.get(name), values.get(name)];
    if (type === undefined || value === undefined) throw new TypeError(`the action has no argument ${name}`);
    return { name, others: othersOf(value, type, near) };
  });
  // The arguments take turns, so that one that never matters does not use up the tries of the others.
  let tried = 0;
  for (let turn = 0; turn < MAX_TRIED_PER_ARGUMENT; turn++) {
    for (const { name, others } of untried) {
      const other = others[turn];
      if (other === undefined || matter.has(name)) continue;
      tried += 1;
      if (tried > MAX_TRIED) return matter;
      if (valueWith(new Map(values).set(name, other)) !== actual) matter.add(name);
    }
  }
  return matter;
}

/** The literals of an effect, and the values of the states and constants that it mentions. */
function valuesNear(effect: Expression, names: Scoped<Term>): readonly Value[] {
  const mentioned = referencesIn(effect).map(({ scope, name }) => knownValue(names[scope]?.get(name)));
  return [...literalsIn(effect), ...mentioned.filter((value) => value !== undefined)];
}

function othersOf(value: Value, type: ValueType, near: readonly Value[]): readonly Value[] {
  return [...new Set(candidatesFor(value, near))].filter((other) => other !== value && isOfType(other, type));
}

function candidatesFor(value: Value, near: readonly Value[]): readonly Value[] {
  switch (typeof value) {
    case 'boolean':
      return [!value];
    case 'string':
      return [`${value}~`, '', '~', ...near];
    case 'bigint': {
      const numbers = near.filter((other) => typeof other === 'bigint');
      const close = numbers.flatMap((number) => [number, number + 1n, number - 1n]);
      return [0n, -value, ...POWERS_OF_TEN.flatMap((power) => [value + power, value - power, power]), ...close];
    }
  }
}

const knownValue = (term: Term | undefined): Value | undefined => (term?.op === 'literal' ? term.value : undefined);
