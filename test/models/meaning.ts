import type { ValueType } from '../../workers/plan/language/types.ts';
import type { Value } from '../../workers/plan/language/values.ts';
import type { Question } from '../../workers/verdict/decide/problem.ts';
import { meaningOf, type Scalar } from './interpret.ts';

/** The values of variables, by name. */
export type World = ReadonlyMap<string, Scalar>;

/** What an expression about variables means. */
export const meaningIn = (json: unknown, world: World) => {
  const nothing = { tables: {}, map: new Map<never, never>(), acts: [], approvals: [], bound: new Map<never, never>() };
  return meaningOf(json, { ...nothing, names: { var: Object.fromEntries(world) } });
};

const unitOf = (type: ValueType): bigint => 10n ** BigInt(type.type === 'decimal' ? 9 - type.scale : 9);

/** A value as the engine has it. */
export const toValue = (value: Scalar, type: ValueType): Value =>
  typeof value === 'bigint' ? value / unitOf(type) : value;

/** Every value of a type. Strings are those of `texts` that are not too long. */
export function valuesOf(type: ValueType, texts: readonly string[]): readonly Scalar[] {
  switch (type.type) {
    case 'bool':
      return [false, true];
    case 'enum':
      return type.values;
    case 'string':
      return texts.filter((text) => text.length <= type.max);
    default: {
      const { min, max } = type;
      return Array.from({ length: Number(max - min) + 1 }, (_, index) => (min + BigInt(index)) * unitOf(type));
    }
  }
}

/** All ways to choose one value for each key. */
export function* assignments(choices: ReadonlyMap<string, readonly Scalar[]>): Generator<World> {
  const [first, ...rest] = choices;
  if (first === undefined) {
    yield new Map();
    return;
  }
  const [key, values] = first;
  for (const others of assignments(new Map(rest))) for (const value of values) yield new Map([[key, value], ...others]);
}

/** The verdict by its definition, over all worlds. */
export function verdictOver(
  question: Question,
  worlds: Iterable<World>,
  isFact: (world: World) => boolean,
  isRule: (world: World) => boolean,
): 'satisfied' | 'violated' | 'underdetermined' | 'invalid_input' {
  let [factual, holding] = [0, 0];
  for (const world of worlds) {
    const [fact, rule] = [isFact(world), isRule(world)];
    factual += Number(fact);
    holding += Number(fact && rule);
  }
  if (factual === 0) return 'invalid_input';
  if (holding === 0) return 'violated';
  return question === 'possible' || holding === factual ? 'satisfied' : 'underdetermined';
}
