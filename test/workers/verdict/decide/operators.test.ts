import test from 'ava';
import { formatNumber } from '../../../../workers/exact/numbers.ts';
import { expand } from '../../../../workers/plan/language/expand.ts';
import { parseExpression } from '../../../../workers/plan/language/parse-expression.ts';
import { variable } from '../../../../workers/plan/language/terms.ts';
import { parseTypes } from '../../../../workers/plan/language/types.ts';
import { parseValue } from '../../../../workers/plan/language/values.ts';
import { decide } from '../../../../workers/verdict/decide/decide.ts';
import type { Formula } from '../../../../workers/verdict/decide/problem.ts';
import { DEFAULT_RLIMIT } from '../../../../workers/verdict/z3/z3.ts';
import { decimalOf, exactText, numberOf } from '../../../models/interpret.ts';
import { meaningIn, type World } from '../../../models/meaning.ts';
import { sharedZ3 } from '../../../models/open-z3.ts';

const solver = await sharedZ3();
const LARGEST = '9'.repeat(38);

const TYPES = {
  i: { type: 'int' },
  j: { type: 'int' },
  d: { type: 'decimal', scale: 2 },
  e: { type: 'decimal', scale: 5 },
  p: { type: 'bool' },
  q: { type: 'bool' },
  s: { type: 'string', max: 4 },
  t: { type: 'string', max: 4 },
  m: { type: 'enum', values: ['open', 'done'] },
};
const INTS = ['0', '1', '-1', '2', '-2', '7', '-7', '9007199254740993', LARGEST, `-${LARGEST}`];
const CENTS = ['0.00', '0.01', '-0.01', '0.99', '1.00', '-1.00', '80.00', `${'9'.repeat(36)}.99`];
const FINE = ['0.00000', '0.00001', '-0.00001', '0.99000', '80.00000'];
const BOOLS = [true, false];
const TEXTS = ['', 'a', 'A', 'é'];
const BY = [1, -1, 2, -2, 3, -3, 7, 1000];

const ref = (name: string) => ['var', name];
const pairs = <A, B>(left: readonly A[], right: readonly B[]) => left.flatMap((a) => right.map((b) => [a, b] as const));

type Values = Readonly<Record<string, string | boolean>>;
interface Question {
  readonly values: Values;
  readonly expression: unknown;
}

const ofNumbers = (operators: readonly string[]): readonly Question[] =>
  [
    ...pairs(INTS, INTS).map(([i, j]) => [{ i, j }, 'i', 'j'] as const),
    ...pairs(CENTS, FINE).map(([d, e]) => [{ d, e }, 'd', 'e'] as const),
    ...pairs(INTS, CENTS).map(([i, d]) => [{ i, d }, 'i', 'd'] as const),
  ].flatMap(([values, left, right]) =>
    operators.map((operator) => ({ values, expression: [operator, ref(left), ref(right)] })),
  );

const ofEqual = (values: Values, left: unknown, right: unknown): readonly Question[] =>
  ['=', '!='].map((operator) => ({ values, expression: [operator, left, right] }));

/** Boolean expressions for each operator. Other results become equations with the oracle's result. */
const QUESTIONS: Readonly<Record<string, readonly Question[]>> = {
  'orders of numbers': ofNumbers(['=', '!=', '<', '<=', '>', '>=']),
  'sums, differences, least and greatest': ofNumbers(['+', '-', 'min', 'max']).flatMap(asResult),
  negatives: [
    ...INTS.map((i) => ({ values: { i }, expression: ['-', ref('i')] })),
    ...CENTS.map((d) => ({ values: { d }, expression: ['-', ref('d')] })),
  ].flatMap(asResult),
  'products with a literal': [
    ...pairs(INTS, BY).map(([i, by]) => ({ values: { i }, expression: ['*', ref('i'), by] })),
    ...pairs(CENTS, ['0.5', '-0.25', '3']).map(([d, by]) => ({
      values: { d },
      expression: ['*', ['dec', by], ref('d')],
    })),
  ].flatMap(asResult),
  quotients: pairs(INTS.slice(0, 7).concat('9007199254740991', '-9007199254740991'), BY)
    .map(([i, by]) => ({ values: { i }, expression: ['div', ref('i'), by] }))
    .flatMap(asResult),
  truth: pairs(BOOLS, BOOLS).flatMap(([p, q]) => [
    ...['and', 'or', 'implies', 'iff', '=', '!='].map((operator) => ({
      values: { p, q },
      expression: [operator, ref('p'), ref('q')],
    })),
    { values: { p }, expression: ['not', ref('p')] },
    { values: { p, q }, expression: ['ite', ref('p'), ref('q'), ['not', ref('q')]] },
  ]),
  'choices of numbers': pairs(BOOLS, CENTS)
    .map(([p, d]) => ({ values: { p, d, i: '3' }, expression: ['ite', ref('p'), ref('d'), ref('i')] }))
    .flatMap(asResult),
  'texts and enums': [
    ...pairs(TEXTS, TEXTS).flatMap(([s, t]) => ofEqual({ s, t }, ref('s'), ref('t'))),
    ...pairs(TEXTS, TEXTS).flatMap(([s, text]) => ofEqual({ s }, ref('s'), ['str', text])),
    ...pairs(['open', 'done'], ['open', 'done']).flatMap(([m, text]) => ofEqual({ m }, ref('m'), ['enum', text])),
  ],
};

/** Asks whether a number equals the oracle's result, and whether it equals the next larger numerator. */
function asResult({ values, expression }: Question): readonly Question[] {
  const { numerator, scale } = decimalOf(numberOf(meaningIn(expression, worldOf(values))));
  const literal = (value: bigint) => ['dec', formatNumber({ numerator: value, scale })];
  const expected = [numerator, numerator + 1n].filter((value) => `${value}`.replace('-', '').length <= 38);
  return expected.map((value) => ({ values, expression: ['=', expression, literal(value)] }));
}

function worldOf(values: Values): World {
  const toScalar = (name: string, value: string | boolean) => (/^[ijde]$/.test(name) ? exactText(`${value}`) : value);
  return new Map(Object.entries(values).map(([name, value]) => [name, toScalar(name, value)]));
}

for (const [what, questions] of Object.entries(QUESTIONS)) {
  test(`${what}: evaluator, z3 and oracle agree on negative numbers, zero and limits`, (t) => {
    const declared = parseTypes(TYPES, '');
    const scope = { names: { var: declared } };
    const types = new Map<string, NonNullable<ReturnType<typeof declared.get>>>();
    const values = new Map<string, ReturnType<typeof parseValue>>();
    const rules = questions.map(({ values: given, expression }, index): Formula => {
      const own = new Map(
        Object.entries(given).map(([name, value]) => {
          const [key, type] = [`/${index}/${name}`, declared.get(name)];
          if (type === undefined) throw new Error(name);
          types.set(key, type);
          values.set(key, parseValue(value, type, key));
          return [name, variable(key)];
        }),
      );
      const read = parseExpression(expression, { type: { type: 'bool' }, scope });
      return { id: `${index}`, term: expand(read, { var: own }) };
    });
    const expected = questions.flatMap(({ values: given, expression }, index) =>
      meaningIn(expression, worldOf(given)) === true ? [] : [`${index}`],
    );
    t.true(expected.length > 0 && expected.length < questions.length);
    const decision = decide(
      { question: 'holds', variables: types, values, facts: [], rules },
      { solver, rlimit: DEFAULT_RLIMIT },
    );
    t.is(decision.verdict, 'violated', JSON.stringify(decision));
    t.deepEqual('broken' in decision && decision.broken, expected);
  });
}
