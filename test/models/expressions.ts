import fc from 'fast-check';

/** Variables of small types, one or two of each kind. */
export const POOL = {
  n: { type: 'int', min: -2, max: 2 },
  d: { type: 'decimal', scale: 1, min: '0.0', max: '0.3' },
  b: { type: 'bool' },
  e: { type: 'enum', values: ['x', 'y', 'z'] },
  s: { type: 'string', max: 1 },
  u: { type: 'string', max: 2 },
};
/** The strings of witnesses: every literal of the expressions, and one further string for each variable. */
export const TEXTS: readonly string[] = ['', 'A', 'AB', 'a', 'b'];

export const NAMES = ['n', 'd', 'b', 'e', 's', 'u'] as const satisfies readonly (keyof typeof POOL)[];
export type Name = (typeof NAMES)[number];
type Json = fc.Arbitrary<unknown>;
const list = (...parts: readonly (Json | string)[]): Json =>
  fc.tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part)));
const of = (...words: readonly string[]): Json => fc.constantFrom(...words);

const integers = fc.integer({ min: -3, max: 3 });
const integerLiterals = fc.oneof(
  integers,
  integers.map((value) => ['int', `${value}`]),
);
const decimalLiterals = of('0.1', '0.2', '-0.5', '0.25', '1.0').map((text) => ['dec', text]);

/** Rules over some variables. */
export function rulesOver(names: readonly Name[]): Json {
  const variables = (...wanted: readonly Name[]): readonly Json[] =>
    wanted.filter((name) => names.includes(name)).map((name) => fc.constant(['var', name]));
  const wholes = variables('n');
  const named = [...wholes, ...variables('d')];
  const shallow = { maxDepth: 2, withCrossShrink: true };

  // The first alternative is used at the greatest depth, so it is a leaf.
  return fc.letrec<{ whole: unknown; number: unknown; text: unknown; bool: unknown }>((tie) => ({
    whole: fc.oneof(
      shallow,
      wholes[0] ?? integerLiterals,
      ...wholes,
      integerLiterals,
      list(of('div'), tie('whole'), fc.constantFrom(-3, -2, 2, 3)),
      list(of('+', '-'), tie('whole'), tie('whole')),
    ),
    number: fc.oneof(
      shallow,
      tie('whole'),
      ...variables('d'),
      decimalLiterals,
      list(of('+', '-', 'min', 'max'), tie('number'), tie('number')),
      list('-', tie('number')),
      list('*', tie('number'), fc.constantFrom(['dec', '0.5'], -2, ['int', '3'])),
      list(of('min', 'max'), tie('number'), tie('number'), tie('number')),
      list('ite', tie('bool'), tie('number'), tie('number')),
    ),
    text: fc.oneof(
      of('A', 'AB').map((text) => ['str', text]),
      ...variables('s', 'u'),
    ),
    bool: fc.oneof(
      shallow,
      list(of('=', '!=', '<', '<=', '>', '>='), named.length > 0 ? fc.oneof(...named) : tie('whole'), tie('number')),
      ...variables('b'),
      ...variables('s', 'u').map((variable) => list(of('=', '!='), variable, tie('text'))),
      ...variables('e').map((variable) => list(of('=', '!='), variable, fc.constantFrom(['enum', 'x'], ['enum', 'y']))),
      list(of('and', 'or', 'implies', 'iff'), tie('bool'), tie('bool')),
      list('not', tie('bool')),
      list('ite', tie('bool'), tie('bool'), tie('bool')),
    ),
  })).bool;
}
