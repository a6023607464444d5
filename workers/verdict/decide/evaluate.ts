import type { Term } from '../../plan/language/terms.ts';
import type { Value } from '../../plan/language/values.ts';

/** Known values by the key of their variable. A variable without a value is unknown. */
export type Values = ReadonlyMap<string, Value>;

/**
 * The exact value of a term, in BigInt, or undefined if it depends on unknown values. This is Kleene's strong logic of
 * three values: `false and unknown` is false. A term has the same value for every completion of `values`.
 * @throws {TypeError} if a variable's value is not of the sort that the term expects
 */
export function evaluate(term: Term, values: Values): Value | undefined {
  switch (term.op) {
    case 'literal':
      return term.value;
    case 'variable':
      return values.get(term.key);
    case 'not': {
      const arg = truth(term.arg, values);
      return arg === undefined ? undefined : !arg;
    }
    case 'and':
      return connect(term.args, values, false);
    case 'or':
      return connect(term.args, values, true);
    case 'ite':
      return choose(term, values);
    case '=': {
      const left = evaluate(term.left, values);
      const right = evaluate(term.right, values);
      if (left === undefined || right === undefined) return undefined;
      if (typeof left !== typeof right) throw new TypeError('values of different sorts are compared');
      return left === right;
    }
    case '+':
      return add(term.args, values);
    default:
      return 'by' in term ? byLiteral(term.op, number(term.arg, values), term.by) : pair(term, values);
  }
}

/** One operand with the value `decisive` decides: false for "and", true for "or". */
function connect(args: readonly Term[], values: Values, decisive: boolean): boolean | undefined {
  let result: boolean | undefined = !decisive;
  for (const arg of args) {
    const value = truth(arg, values);
    if (value === decisive) return decisive;
    if (value === undefined) result = undefined;
  }
  return result;
}

function choose(term: Term & { readonly op: 'ite' }, values: Values): Value | undefined {
  const condition = truth(term.condition, values);
  if (condition !== undefined) return evaluate(condition ? term.whenTrue : term.whenFalse, values);
  const value = evaluate(term.whenTrue, values);
  return value !== undefined && value === evaluate(term.whenFalse, values) ? value : undefined;
}

function add(args: readonly Term[], values: Values): bigint | undefined {
  let sum = 0n;
  for (const arg of args) {
    const value = number(arg, values);
    if (value === undefined) return undefined;
    sum += value;
  }
  return sum;
}

function pair(term: Term & { readonly op: '<' | '<=' | 'min' | 'max' | 'times' }, values: Values): Value | undefined {
  const left = number(term.left, values);
  const right = number(term.right, values);
  if (left === undefined || right === undefined) return undefined;
  const inOrder = left <= right;
  switch (term.op) {
    case '<':
      return left < right;
    case '<=':
      return inOrder;
    case 'min':
      return inOrder ? left : right;
    case 'max':
      return inOrder ? right : left;
    case 'times':
      return left * right;
  }
}

function byLiteral(op: '*' | 'div', value: bigint | undefined, by: bigint): bigint | undefined {
  if (value === undefined) return undefined;
  if (op === '*') return value * by;
  // BigInt's % has the sign of the dividend. The Euclidean remainder, as in SMT-LIB's Ints, is never negative.
  const remainder = value % by;
  const euclidean = remainder < 0n ? remainder + (by < 0n ? -by : by) : remainder;
  return (value - euclidean) / by;
}

function truth(term: Term, values: Values): boolean | undefined {
  const value = evaluate(term, values);
  if (value === undefined || typeof value === 'boolean') return value;
  throw new TypeError('a value is not a truth value');
}

function number(term: Term, values: Values): bigint | undefined {
  const value = evaluate(term, values);
  if (value === undefined || typeof value === 'bigint') return value;
  throw new TypeError('a value is not a number');
}
