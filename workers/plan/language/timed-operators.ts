import { defined } from '../../exact/defined.ts';
import { DocumentError } from '../../exact/document-error.ts';
import { BOOL, type Operand, type Typed } from './operands.ts';
import { OPERATORS, type Operator, ordered, product } from './operators.ts';
import { type Expression, literal } from './terms.ts';
import type { Sort } from './types.ts';

const TIME: Sort = { sort: 'time' };
const DURATION: Sort = { sort: 'duration' };

const isTimed = ({ sort }: Operand): boolean => sort.sort === 'time' || sort.sort === 'duration';

/** Uses the operator of numbers unless an operand is a time or a duration. */
const timed = (
  head: string,
  build: (operands: readonly Operand[]) => Typed,
  ofNumbers = defined(OPERATORS.get(head)).build,
): readonly [string, Operator] => {
  const { arity } = defined(OPERATORS.get(head));
  return [head, { arity, build: (operands) => (operands.some(isTimed) ? build(operands) : ofNumbers(operands)) }];
};

/**
 * The operators of plans: those of sheets, products of two values, and arithmetic of times and durations. time - time is a
 * duration; a time or a duration and a duration can be added and subtracted; a duration can be multiplied by an int literal.
 * Comparisons, `min` and `max` are of one kind only.
 */
export const TIMED_OPERATORS: ReadonlyMap<string, Operator> = new Map([
  ...OPERATORS,
  ...(['<', '<=', '>', '>='] as const).map((operator) => timed(operator, (operands) => compare(operator, operands))),
  timed('+', add),
  timed('-', subtract),
  timed('*', multiply, ([left, right]) => product(defined(left), defined(right))),
  timed('min', (operands) => extreme('min', operands)),
  timed('max', (operands) => extreme('max', operands)),
]);

function compare(operator: '<' | '<=' | '>' | '>=', operands: readonly Operand[]): Typed {
  sameKind(operands);
  const [left, right] = [defined(operands[0]), defined(operands[1])];
  return { sort: BOOL, expression: ordered(left.expression, right.expression, { operator, sort: left.sort }) };
}

function add(operands: readonly Operand[]): Typed {
  const times = operands.filter(({ sort }) => sort.sort === 'time');
  for (const operand of operands) if (!isTimed(operand)) throw mismatch(operand, 'a time or a duration');
  if (times.length > 1) throw mismatch(defined(times[1]), 'a duration');
  return {
    sort: times.length === 1 ? TIME : DURATION,
    expression: { op: '+', args: operands.map(({ expression }) => expression) },
  };
}

function subtract(operands: readonly Operand[]): Typed {
  const [first, ...others] = operands;
  const from = defined(first);
  if (!isTimed(from)) throw mismatch(from, 'a time or a duration');
  if (others.length === 0) {
    if (from.sort.sort !== 'duration') throw mismatch(from, 'a duration');
    return { sort: DURATION, expression: negate(from.expression) };
  }
  let { sort } = from;
  for (const other of others) {
    const isDistance = sort.sort === 'time' && other.sort.sort === 'time';
    if (!isDistance && other.sort.sort !== 'duration') throw mismatch(other, 'a duration');
    if (isDistance) sort = DURATION;
  }
  return {
    sort,
    expression: { op: '+', args: [from.expression, ...others.map(({ expression }) => negate(expression))] },
  };
}

const negate = (arg: Expression): Expression => ({ op: '*', arg, by: -1n });

function multiply(operands: readonly Operand[]): Typed {
  const duration = operands.find(isTimed);
  const factor = operands.find((operand) => !isTimed(operand));
  if (duration === undefined || factor === undefined || duration.sort.sort !== 'duration') {
    throw mismatch(defined(operands[0]), 'a duration, with an int literal');
  }
  const { sort, expression, path } = factor;
  if (sort.sort !== 'number' || sort.scale !== 0 || expression.op !== 'literal') {
    throw new DocumentError('NOT_A_LITERAL', path, 'multiplies a duration, and is not an int literal');
  }
  if (typeof expression.value !== 'bigint') throw new TypeError('a literal number has no number');
  const arg = duration.expression;
  const product: Expression =
    arg.op === 'literal' && typeof arg.value === 'bigint'
      ? literal(arg.value * expression.value)
      : { op: '*', arg, by: expression.value };
  return { sort: DURATION, expression: product };
}

function extreme(op: 'min' | 'max', operands: readonly Operand[]): Typed {
  sameKind(operands);
  const expression = operands
    .map((operand) => operand.expression)
    .reduce((left, right): Expression => ({ op, left, right }));
  return { sort: defined(operands[0]).sort, expression };
}

function sameKind(operands: readonly Operand[]): void {
  const first = defined(operands[0]);
  const kind = first.sort.sort;
  if (kind !== 'number' && !isTimed(first)) throw mismatch(first, 'a number, a time or a duration');
  for (const operand of operands) if (operand.sort.sort !== kind) throw mismatch(operand, kind);
}

function mismatch({ sort, path }: Operand, wanted: string): DocumentError {
  return new DocumentError('TYPE_MISMATCH', path, `is of sort ${sort.sort}, and ${wanted} is required`);
}
