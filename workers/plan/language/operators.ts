import { defined } from '../../exact/defined.ts';
import { DocumentError } from '../../exact/document-error.ts';
import { align, allOf, BOOL, decimalsOf, type Operand, type Typed, unify } from './operands.ts';
import { type Expression, literal, type Written } from './terms.ts';

/** Makes the expression. The number of operands was checked before. */
type Build = (operands: readonly Operand[]) => Typed;

export interface Operator {
  /** Least and greatest number of operands. */
  readonly arity: readonly [number, number];
  readonly build: Build;
}

type Two = readonly [Operand, Operand];

const binary = (build: (...operands: Two) => Typed): Operator => ({
  arity: [2, 2],
  build: (operands) => build(defined(operands[0]), defined(operands[1])),
});
const nary = (build: Build): Operator => ({ arity: [1, Number.POSITIVE_INFINITY], build });

const bool = (expression: Expression): Typed => ({ sort: BOOL, expression });
const not = (arg: Expression): Expression => ({ op: 'not', arg });
const negate = (arg: Expression): Expression => ({ op: '*', arg, by: -1n });

/** The operators of documents, expressed by those of the kernel. */
export const OPERATORS: ReadonlyMap<string, Operator> = new Map([
  ['and', nary((operands) => bool({ op: 'and', args: allOf('bool', operands) }))],
  ['or', nary((operands) => bool({ op: 'or', args: allOf('bool', operands) }))],
  ['not', { arity: [1, 1], build: (operands) => bool(not(defined(allOf('bool', operands)[0]))) }],
  ['implies', binary((...two) => bool(connect(two, (left, right) => ({ op: 'or', args: [not(left), right] }))))],
  ['iff', binary((...two) => bool(connect(two, (left, right) => ({ op: '=', left, right }))))],
  ['ite', { arity: [3, 3], build: choose }],
  ['=', binary((...two) => bool(equal(two)))],
  ['!=', binary((...two) => bool(not(equal(two))))],
  ['<', binary((left, right) => bool(order('<', left, right)))],
  ['<=', binary((left, right) => bool(order('<=', left, right)))],
  ['>', binary((left, right) => bool(order('>', left, right)))],
  ['>=', binary((left, right) => bool(order('>=', left, right)))],
  ['+', nary((operands) => add(operands, (terms) => terms))],
  ['-', nary((operands) => add(operands, subtrahends))],
  ['*', binary(multiply)],
  ['div', binary(divide)],
  ['min', nary((operands) => extreme('min', operands))],
  ['max', nary((operands) => extreme('max', operands))],
]);

function connect(two: Two, combine: (left: Expression, right: Expression) => Expression): Expression {
  const [left, right] = two;
  allOf('bool', two);
  return combine(left.expression, right.expression);
}

function equal(two: Two): Expression {
  const { sort, aligned } = unify(two);
  return { op: '=', left: defined(aligned[0]), right: defined(aligned[1]), written: { operator: '==', sort } };
}

function order(operator: Order, left: Operand, right: Operand): Expression {
  const { sort, aligned } = align([left, right]);
  return ordered(defined(aligned[0]), defined(aligned[1]), { operator, sort });
}

type Order = Exclude<Written['operator'], '=='>;

/** The kernel has no `>` and no `>=`. */
export function ordered(
  left: Expression,
  right: Expression,
  written: Written & { readonly operator: Order },
): Expression {
  const { operator } = written;
  if (operator === '<' || operator === '<=') return { op: operator, left, right, written };
  return { op: operator === '>' ? '<' : '<=', left: right, right: left, written };
}

function choose([condition, ...branches]: readonly Operand[]): Typed {
  const { sort, aligned } = unify(branches);
  const [test] = allOf('bool', [defined(condition)]);
  return {
    sort,
    expression: {
      op: 'ite',
      condition: defined(test),
      whenTrue: defined(aligned[0]),
      whenFalse: defined(aligned[1]),
    },
  };
}

function add(operands: readonly Operand[], signs: (terms: readonly Expression[]) => readonly Expression[]): Typed {
  const { sort, aligned } = align(operands);
  return { sort, expression: { op: '+', args: signs(aligned) } };
}

/** The summands of `a - b - c`. One operand alone is negated. */
const subtrahends = (terms: readonly Expression[]): readonly Expression[] =>
  terms.map((term, index) => (index === 0 && terms.length > 1 ? term : negate(term)));

const scaleOfProduct = (left: Operand, right: Operand) =>
  ({ sort: 'number', scale: decimalsOf(left) + decimalsOf(right) }) as const;

/** A product of two numbers. The kernel has one operator for a factor that is a literal, and another for two values. */
export function product(left: Operand, right: Operand): Typed {
  if (numeral(left) !== undefined || numeral(right) !== undefined) return multiply(left, right);
  const sort = scaleOfProduct(left, right);
  return { sort, expression: { op: 'times', left: left.expression, right: right.expression } };
}

/** A linear product: one side is a literal number. The product has the decimals of both. */
function multiply(left: Operand, right: Operand): Typed {
  const sort = scaleOfProduct(left, right);
  const [by, other] = numeral(left) === undefined ? [numeral(right), left] : [numeral(left), right];
  if (by === undefined) throw new DocumentError('NOT_A_LITERAL', right.path, 'multiplies, and is not a literal number');
  const { expression } = other;
  if (expression.op !== 'literal' || typeof expression.value !== 'bigint') {
    return { sort, expression: { op: '*', arg: expression, by } };
  }
  return { sort, expression: literal(expression.value * by) };
}

function divide(left: Operand, right: Operand): Typed {
  for (const operand of [left, right]) {
    if (decimalsOf(operand) === 0) continue;
    throw new DocumentError('TYPE_MISMATCH', operand.path, 'has decimals, and division takes integers only');
  }
  const by = numeral(right);
  if (by === undefined) throw new DocumentError('NOT_A_LITERAL', right.path, 'divides, and is not a literal number');
  // SMT-LIB leaves division by zero open: a solver could choose its result.
  if (by === 0n) throw new DocumentError('DIVISION_BY_ZERO', right.path, 'divides, and is zero');
  return { sort: { sort: 'number', scale: 0 }, expression: { op: 'div', arg: left.expression, by } };
}

function numeral({ expression }: Operand): bigint | undefined {
  return expression.op === 'literal' && typeof expression.value === 'bigint' ? expression.value : undefined;
}

function extreme(op: 'min' | 'max', operands: readonly Operand[]): Typed {
  const { sort, aligned } = align(operands);
  return { sort, expression: halve(op, aligned) };
}

/** A balanced tree of pairs. A tree of 900 levels would overflow the stack of a recursive reader. */
function halve(op: 'min' | 'max', terms: readonly Expression[]): Expression {
  if (terms.length === 1) return defined(terms[0]);
  const middle = terms.length >> 1;
  return { op, left: halve(op, terms.slice(0, middle)), right: halve(op, terms.slice(middle)) };
}
