import { defined } from '../../../exact/defined.ts';
import { formatValue } from '../../language/values.ts';
import { explainDuration } from '../types/time-text.ts';
import { CelError } from './cel-error.ts';
import { lowerNumber } from './lower-literal.ts';
import { type Json, type Lowered, type Lowering, lowered } from './lowering.ts';
import { BOOL, DURATION, describeSort, INT, isComparable, type Sort, TIME } from './sorts.ts';
import type { Operator, OperatorSyntax, Syntax } from './syntax.ts';

/** Operators but `in`. @throws {CelError} */
export function lowerOperator(syntax: OperatorSyntax, lowering: Lowering, expected: Sort | undefined): Lowered {
  const { operator, operands, mark } = syntax;
  switch (operator) {
    case '&&':
    case '||':
    case '!': {
      const head = { '&&': 'and', '||': 'or', '!': 'not' }[operator];
      return lowered([head, ...operands.map((operand) => condition(operand, lowering, operator))], BOOL, mark);
    }
    case '==':
    case '!=': {
      const [left, right] = alike(syntax, lowering);
      return lowered([operator === '==' ? '=' : '!=', left.json, right.json], BOOL, mark);
    }
    case '<':
    case '<=':
    case '>':
    case '>=':
      return compare(syntax, operator, lowering);
    case '+':
      return operands.map((operand) => lowering.lower(operand)).reduce((sum, next) => add(sum, next, mark));
    case '-':
      return subtract(syntax, lowering);
    case '*':
      return multiply(syntax, lowering);
    case '/':
      return divide(syntax, lowering);
    case '?:':
      return choose(syntax, lowering, expected);
    case 'in':
      throw new TypeError('in is not lowered here');
  }
}

/** @throws {CelError} TYPE_MISMATCH */
export function condition(syntax: Syntax, lowering: Lowering, what: string): Json {
  const { json, sort, at } = lowering.lower(syntax);
  if (sort.sort === 'bool') return json;
  throw new CelError(
    'TYPE_MISMATCH',
    at,
    `${what} takes conditions, and this is ${describeSort(sort)}: compare it, for example with ==`,
  );
}

const isText = (syntax: Syntax): boolean => syntax.kind === 'string';

/** Both sides of an equation. A text beside an enum is one of its values. */
function alike({ operator, operands, mark }: OperatorSyntax, lowering: Lowering): readonly [Lowered, Lowered] {
  const [one, other] = two(operands);
  const isSwapped = isText(one) && !isText(other);
  const first = lowering.lower(isSwapped ? other : one);
  const second = lowering.lower(isSwapped ? one : other, first.sort);
  const [left, right] = isSwapped ? [second, first] : [first, second];
  if (isComparable(left.sort, right.sort)) return [left, right];
  throw isComparison(one) ? chained(mark) : mismatch(operator, left, right, mark);
}

/** `1 <= x <= 5`, which compares a truth value with 5. */
const isComparison = (syntax: Syntax): boolean => syntax.kind === 'operator' && /^[<>=]/.test(syntax.operator);
const chained = (at: number) =>
  new CelError('TYPE_MISMATCH', at, 'a comparison has two sides: for 1 <= a <= 5, write 1 <= a && a <= 5');

function compare({ operands, mark }: OperatorSyntax, operator: Operator, lowering: Lowering): Lowered {
  const [one, other] = two(operands);
  const left = lowering.lower(one);
  const right = lowering.lower(other);
  const isOrdered = ['number', 'time', 'duration'].includes(left.sort.sort);
  if (isComparison(one)) throw chained(mark);
  if (left.sort.sort === right.sort.sort && isOrdered) return lowered([operator, left.json, right.json], BOOL, mark);
  if (left.sort.sort === right.sort.sort) {
    throw new CelError(
      'TYPE_MISMATCH',
      mark,
      `${operator} compares numbers and times, and these are each ${describeSort(left.sort)}`,
    );
  }
  throw mismatch(operator, left, right, mark);
}

function mismatch(operator: string, left: Lowered, right: Lowered, at: number): CelError {
  const hint = hintFor(left, right) || hintFor(right, left);
  const message = `${operator} has ${describeSort(left.sort)} on the left and ${describeSort(right.sort)} on the right${hint}`;
  return new CelError('TYPE_MISMATCH', at, message);
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;

function hintFor(one: Lowered, text: Lowered): string {
  if (text.isNumeral && one.sort.sort === 'time') return ': write timestamp("2099-12-31T00:00:00Z")';
  if (text.sort.sort === 'number' && one.sort.sort === 'duration') return ': write duration("24h")';
  if (!Array.isArray(text.json) || text.json[0] !== 'str') return '';
  const value = String(text.json[1]);
  if (one.sort.sort === 'number') return ': write the number without quotes';
  if (one.sort.sort === 'time') return `: write timestamp(${JSON.stringify(value.replace(DATE, '$&T00:00:00Z'))})`;
  if (one.sort.sort === 'duration') return `: write duration(${JSON.stringify(explainDuration(value) ?? value)})`;
  return one.sort.sort === 'bool' ? ': write true or false without quotes' : '';
}

function add(left: Lowered, right: Lowered, mark: number): Lowered {
  const sorts = `${left.sort.sort} ${right.sort.sort}`;
  const isNonNegative = left.isNonNegative && right.isNonNegative;
  if (left.sort.sort === 'number' && right.sort.sort === 'number') {
    const sort: Sort = { sort: 'number', scale: Math.max(left.sort.scale, right.sort.scale) };
    // A chain is one list. Nested pairs would reach the limit of depth after 30 summands.
    const parts = Array.isArray(left.json) && left.json[0] === '+' ? left.json : ['+', left.json];
    return { ...lowered([...parts, right.json], sort, mark), isNonNegative };
  }
  const sort = SUMS[sorts];
  if (sort !== undefined) return lowered(['+', left.json, right.json], sort, mark);
  throw cannot('+', 'adds numbers, durations, or a duration to a time', left, right, mark);
}

const SUMS: Readonly<Record<string, Sort>> = {
  'duration duration': DURATION,
  'time duration': TIME,
  'duration time': TIME,
};
const DIFFERENCES: Readonly<Record<string, Sort>> = {
  'duration duration': DURATION,
  'time duration': TIME,
  'time time': DURATION,
};

function subtract({ operands, mark }: OperatorSyntax, lowering: Lowering): Lowered {
  const [one, other] = operands;
  const left = lowering.lower(defined(one));
  if (other === undefined) {
    if (left.sort.sort !== 'number' && left.sort.sort !== 'duration') {
      throw new CelError('TYPE_MISMATCH', mark, `- takes a number, and this is ${describeSort(left.sort)}`);
    }
    return lowered(['-', left.json], left.sort, mark);
  }
  const right = lowering.lower(other);
  if (left.sort.sort === 'number' && right.sort.sort === 'number') {
    const isChain = Array.isArray(left.json) && left.json[0] === '-' && left.json.length > 2;
    const parts = isChain && Array.isArray(left.json) ? left.json : ['-', left.json];
    return lowered(
      [...parts, right.json],
      { sort: 'number', scale: Math.max(left.sort.scale, right.sort.scale) },
      mark,
    );
  }
  const sort = DIFFERENCES[`${left.sort.sort} ${right.sort.sort}`];
  if (sort !== undefined) return lowered(['-', left.json, right.json], sort, mark);
  throw cannot('-', 'subtracts numbers, durations or times', left, right, mark);
}

/** The number that a given value is: it is the same in every run, as if it were written here. */
function asNumeral(operand: Lowered, { scope }: Lowering): Lowered {
  const [head, name]: readonly Json[] = Array.isArray(operand.json) ? operand.json : [];
  const given = head === 'var' && typeof name === 'string' ? scope.given.get(name) : undefined;
  if (given?.type.type !== 'int' && given?.type.type !== 'decimal') return operand;
  scope.factors.add(String(name));
  return lowerNumber({ text: String(formatValue(given.value, given.type)), at: operand.at });
}

function multiply({ operands, mark }: OperatorSyntax, lowering: Lowering): Lowered {
  const [one, second] = two(operands.map((operand) => lowering.lower(operand)));
  const right = one.isNumeral ? second : asNumeral(second, lowering);
  const left = right.isNumeral ? one : asNumeral(one, lowering);
  const [numeral, other] = left.isNumeral ? [left, right] : [right, left];
  if (
    other.sort.sort === 'duration' &&
    numeral.sort.sort === 'number' &&
    numeral.sort.scale === 0 &&
    numeral.isNumeral
  ) {
    return lowered(['*', left.json, right.json], DURATION, mark);
  }
  if (left.sort.sort !== 'number' || right.sort.sort !== 'number') {
    throw cannot('*', 'multiplies numbers, or a duration by a whole number', left, right, mark);
  }
  if (!numeral.isNumeral) {
    const message =
      'one side of * must be a number that is written here or given, such as 2 * args.count: products of two values are not decided';
    throw new CelError('NOT_A_LITERAL', mark, message);
  }
  const scale = left.sort.scale + right.sort.scale;
  const isNonNegative = left.isNonNegative && right.isNonNegative;
  return { ...lowered(['*', left.json, right.json], { sort: 'number', scale }, mark), isNonNegative };
}

/** CEL rounds a quotient towards zero, and the canonical form downwards: they agree where both numbers are not negative. */
function divide({ operands, mark }: OperatorSyntax, lowering: Lowering): Lowered {
  const [left, divisor] = two(operands.map((operand) => lowering.lower(operand)));
  const right = asNumeral(divisor, lowering);
  for (const operand of [left, right]) {
    if (operand.sort.sort === 'number' && operand.sort.scale === 0) continue;
    throw new CelError('TYPE_MISMATCH', operand.at, `/ takes whole numbers, and this is ${describeSort(operand.sort)}`);
  }
  if (!right.isNumeral) {
    throw new CelError('NOT_A_LITERAL', right.at, 'the divisor of / must be a number that is written here or given');
  }
  if (!right.isNonNegative || right.json === 0) {
    throw new CelError('DIVISION', right.at, 'the divisor of / must be at least 1');
  }
  if (!left.isNonNegative) {
    const message =
      'the number before / may be negative, and its rounding would be unclear: give it a type such as int(0..)';
    throw new CelError('DIVISION', left.at, message);
  }
  return { ...lowered(['div', left.json, right.json], INT, mark), isNonNegative: true };
}

function choose({ operands, mark }: OperatorSyntax, lowering: Lowering, expected: Sort | undefined): Lowered {
  const [test, ...branches] = operands;
  const json = condition(defined(test), lowering, '?');
  const [one, other] = two(branches);
  const first = lowering.lower(one, expected);
  const second = lowering.lower(other, expected ?? first.sort);
  if (!isComparable(first.sort, second.sort)) throw mismatch(':', first, second, mark);
  const { sort } = first;
  const joined: Sort =
    sort.sort === 'number' && second.sort.sort === 'number'
      ? { sort: 'number', scale: Math.max(sort.scale, second.sort.scale) }
      : sort;
  const isNonNegative = first.isNonNegative && second.isNonNegative;
  return { ...lowered(['ite', json, first.json, second.json], joined, mark), isNonNegative };
}

function cannot(operator: string, does: string, left: Lowered, right: Lowered, at: number): CelError {
  const found = `${describeSort(left.sort)} and ${describeSort(right.sort)}`;
  return new CelError('TYPE_MISMATCH', at, `${operator} ${does}, and these are ${found}`);
}

function two<T>(items: readonly T[]): readonly [T, T] {
  return [defined(items[0]), defined(items[1])];
}
