import { defined } from '../../workers/exact/defined.ts';
import type { ValueType } from '../../workers/plan/language/types.ts';
import type { Question } from '../../workers/verdict/decide/problem.ts';

/** A fraction, or a value of another sort. */
export type Thing = readonly [bigint, bigint] | boolean | string;

/** The values of variables, by name. */
export type World = ReadonlyMap<string, Thing>;

/**
 * The meaning of an expression, from its JSON, in fractions. It does not share code with the parser, the evaluator and the
 * solver, and is the oracle for them.
 */
export function meaningOf(json: unknown, world: World): Thing {
  if (typeof json === 'number') return [BigInt(json), 1n];
  if (!Array.isArray(json)) throw new TypeError('the JSON is not an expression');
  const [op, ...args]: readonly unknown[] = json;
  const meaning = (index: number) => meaningOf(args[index], world);
  const number = (index: number) => numberOf(meaning(index));
  const all = () => args.map((arg) => meaningOf(arg, world));
  switch (op) {
    case 'int':
    case 'dec':
      return fraction(String(args[0]));
    case 'bool':
    case 'str':
    case 'enum':
      return scalarOf(args[0]);
    case 'and':
      return !all().includes(false);
    case 'or':
      return all().includes(true);
    case 'not':
      return !meaning(0);
    case 'implies':
      return meaning(0) === false || meaning(1) === true;
    case 'iff':
      return meaning(0) === meaning(1);
    case 'ite':
      return meaning(0) === true ? meaning(1) : meaning(2);
    case '=':
      return same(meaning(0), meaning(1));
    case '!=':
      return !same(meaning(0), meaning(1));
    case '<':
      return compare(number(0), number(1)) < 0;
    case '<=':
      return compare(number(0), number(1)) <= 0;
    case '>':
      return compare(number(0), number(1)) > 0;
    case '>=':
      return compare(number(0), number(1)) >= 0;
    case '+':
      return numbers(all()).reduce(plus);
    case '-':
      return args.length === 1 ? negative(number(0)) : numbers(all()).reduce((a, b) => plus(a, negative(b)));
    case '*':
      return [number(0)[0] * number(1)[0], number(0)[1] * number(1)[1]];
    case 'min':
      return numbers(all()).reduce((a, b) => (compare(b, a) < 0 ? b : a));
    case 'max':
      return numbers(all()).reduce((a, b) => (compare(b, a) > 0 ? b : a));
    case 'div':
      return quotient(whole(number(0)), whole(number(1)));
    case 'var':
      return defined(world.get(String(args[0])));
    default:
      throw new TypeError(`${String(op)} is unknown`);
  }
}

/** @throws {TypeError} if the value is not a number */
export function numberOf(thing: Thing): readonly [bigint, bigint] {
  if (typeof thing !== 'object') throw new TypeError('the value is not a number');
  return thing;
}

function scalarOf(json: unknown): Thing {
  if (typeof json === 'boolean' || typeof json === 'string') return json;
  throw new TypeError('the literal is neither a truth value nor a string');
}

function fraction(text: string): readonly [bigint, bigint] {
  const [, decimals = ''] = text.split('.');
  return [BigInt(text.replace('.', '')), 10n ** BigInt(decimals.length)];
}

const numbers = (values: readonly Thing[]) => values.map(numberOf);
const plus = ([a, b]: readonly [bigint, bigint], [c, d]: readonly [bigint, bigint]) => [a * d + c * b, b * d] as const;
const negative = ([a, b]: readonly [bigint, bigint]) => [-a, b] as const;
const compare = ([a, b]: readonly [bigint, bigint], [c, d]: readonly [bigint, bigint]) => Number(a * d - c * b);
const whole = ([a, b]: readonly [bigint, bigint]) => a / b;

const same = (a: Thing, b: Thing): boolean =>
  typeof a === 'object' && typeof b === 'object' ? compare(a, b) === 0 : a === b;

/** By the definition: a = by * quotient + rest, with 0 <= rest < |by|. */
function quotient(a: bigint, by: bigint): readonly [bigint, bigint] {
  for (let rest = 0n; rest < (by < 0n ? -by : by); rest += 1n) {
    if ((a - rest) % by === 0n) return [(a - rest) / by, 1n];
  }
  throw new Error('no remainder was found');
}

/** Every value of a type. Strings are those of `texts` that are not too long. */
export function valuesOf(type: ValueType, texts: readonly string[]): readonly Thing[] {
  switch (type.type) {
    case 'bool':
      return [false, true];
    case 'enum':
      return type.values;
    case 'string':
      return texts.filter((text) => text.length <= type.max);
    default: {
      const denominator = type.type === 'decimal' ? 10n ** BigInt(type.scale) : 1n;
      const length = Number(type.max - type.min) + 1;
      return Array.from({ length }, (_, index) => [type.min + BigInt(index), denominator] as const);
    }
  }
}

/** All ways to choose one value for each key. */
export function* assignments(choices: ReadonlyMap<string, readonly Thing[]>): Generator<ReadonlyMap<string, Thing>> {
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
