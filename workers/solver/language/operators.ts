import { LanguageError } from '../../exact/language-error.ts';
import { align, allOf, BOOL, type Operand, scaleOf, type Typed, unify } from './operands.ts';
import { type Expression, literal } from './terms.ts';

type Build = (operands: readonly Operand[]) => Typed;

export interface Operator {
  /** How many operands it takes, at least and at most. */
  readonly arity: readonly [number, number];
  readonly build: Build;
}

type Two = readonly [Operand, Operand];

const binary = (build: (...operands: Two) => Typed): Operator => ({
  arity: [2, 2],
  build: ([left, right]) => {
    if (left === undefined || right === undefined) throw new TypeError('the arity was not checked');
    return build(left, right);
  },
});
const nary = (build: Build): Operator => ({ arity: [1, Number.POSITIVE_INFINITY], build });

const bool = (expression: Expression): Typed => ({ sort: BOOL, expression });
const not = (arg: Expression): Expression => ({ op: 'not', arg });
const negate = (arg: Expression): Expression => ({ op: '*', arg, by: -1n });

/** The written operators, in terms of the kernel's. */
export const OPERATORS: ReadonlyMap<string, Operator> = new Map([
  ['and', nary((operands) => bool({ op: 'and', args: allOf('bool', operands) }))],
  ['or', nary((operands) => bool({ op: 'or', args: allOf('bool', operands) }))],
  ['not', { arity: [1, 1], build: (operands) => bool(not({ op: 'and', args: allOf('bool', operands) })) }],
  ['implies', binary((...two) => bool(connect(two, (left, right) => ({ op: 'or', args: [not(left), right] }))))],
  ['iff', binary((...two) => bool(connect(two, (left, right) => ({ op: '=', left, right }))))],
  ['ite', { arity: [3, 3], build: choose }],
  ['=', binary((...two) => bool(equal(two)))],
  ['!=', binary((...two) => bool(not(equal(two))))],
  ['<', binary((left, right) => bool(order('<', left, right)))],
  ['<=', binary((left, right) => bool(order('<=', left, right)))],
  ['>', binary((left, right) => bool(order('<', right, left)))],
  ['>=', binary((left, right) => bool(order('<=', right, left)))],
  ['+', nary((operands) => add(operands, (terms) => terms))],
  ['-', nary((operands) => add(operands, subtrahends))],
  ['*', binary(multiply)],
  ['div', binary((left, right) => divide('div', left, right))],
  ['mod', binary((left, right) => divide('mod', left, right))],
  ['min', nary((operands) => extreme('min', operands))],
  ['max', nary((operands) => extreme('max', operands))],
]);

function connect(two: Two, combine: (left: Expression, right: Expression) => Expression): Expression {
  const [left, right] = two;
  allOf('bool', two);
  return combine(left.expression, right.expression);
}

function equal(two: Two): Expression {
  const [left, right] = two;
  const { aligned } = unify(two);
  return { op: '=', left: aligned[0] ?? left.expression, right: aligned[1] ?? right.expression };
}

function order(op: '<' | '<=', left: Operand, right: Operand): Expression {
  const { aligned } = align([left, right]);
  return { op, left: aligned[0] ?? left.expression, right: aligned[1] ?? right.expression };
}

function choose([condition, ...branches]: readonly Operand[]): Typed {
  const { sort, aligned } = unify(branches);
  const [test] = allOf('bool', condition === undefined ? [] : [condition]);
  const [whenTrue, whenFalse] = aligned;
  if (test === undefined || whenTrue === undefined || whenFalse === undefined) {
    throw new TypeError('the arity was not checked');
  }
  return { sort, expression: { op: 'ite', condition: test, whenTrue, whenFalse } };
}

function add(operands: readonly Operand[], signs: (terms: readonly Expression[]) => readonly Expression[]): Typed {
  const { sort, aligned } = align(operands);
  return { sort, expression: { op: '+', args: signs(aligned) } };
}

/** `a - b - c`; of one alone, its negative. */
const subtrahends = (terms: readonly Expression[]): readonly Expression[] =>
  terms.map((term, index) => (index === 0 && terms.length > 1 ? term : negate(term)));

/** Linear: one side is a number that stands there. The product has the decimals of both. */
function multiply(left: Operand, right: Operand): Typed {
  const sort = { sort: 'number', scale: scaleOf(left) + scaleOf(right) } as const;
  const [by, other] = numeral(left) === undefined ? [numeral(right), left] : [numeral(left), right];
  if (by === undefined) throw new LanguageError('NOT_A_LITERAL', right.path, 'multiplies, and is no literal number');
  const { expression } = other;
  if (expression.op !== 'literal' || typeof expression.value !== 'bigint') {
    return { sort, expression: { op: '*', arg: expression, by } };
  }
  return { sort, expression: literal(expression.value * by) };
}

function divide(op: 'div' | 'mod', left: Operand, right: Operand): Typed {
  for (const operand of [left, right]) {
    if (scaleOf(operand) === 0) continue;
    throw new LanguageError('TYPE_MISMATCH', operand.path, 'has decimals, and is divided or divides');
  }
  const by = numeral(right);
  if (by === undefined) throw new LanguageError('NOT_A_LITERAL', right.path, 'divides, and is no literal number');
  // SMT-LIB leaves division by zero uninterpreted: a solver could choose its result.
  if (by === 0n) throw new LanguageError('DIVISION_BY_ZERO', right.path, 'is zero, and divides');
  return { sort: { sort: 'number', scale: 0 }, expression: { op, arg: left.expression, by } };
}

function numeral({ expression }: Operand): bigint | undefined {
  return expression.op === 'literal' && typeof expression.value === 'bigint' ? expression.value : undefined;
}

function extreme(op: 'min' | 'max', operands: readonly Operand[]): Typed {
  const { sort, aligned } = align(operands);
  return { sort, expression: halve(op, aligned) };
}

/** A balanced tree of pairs: one of 900 levels would overflow the stack of who walks it. */
function halve(op: 'min' | 'max', terms: readonly Expression[]): Expression {
  const [first] = terms;
  if (first === undefined) throw new TypeError('the arity was not checked');
  if (terms.length === 1) return first;
  const middle = terms.length >> 1;
  return { op, left: halve(op, terms.slice(0, middle)), right: halve(op, terms.slice(middle)) };
}
