import { defined } from '../../../exact/defined.ts';
import { DocumentError } from '../../../exact/document-error.ts';
import { sortOf } from '../../language/operands.ts';
import type { Sort, ValueType } from '../../language/types.ts';
import { describeType } from '../types/describe-type.ts';
import { explainDuration } from '../types/time-text.ts';
import { CelError } from './cel-error.ts';
import { type Lowered, offsetOf } from './lowering.ts';

/** An operator as an author knows it, with its operands and its place. */
interface Written {
  readonly operator: string;
  readonly operands: readonly Lowered[];
  readonly mark: number;
  /** The type of the place. The operator is then what names the place. */
  readonly wanted?: ValueType;
}

/** Runs what types operands, and says in an author's words which of them does not fit. @throws {CelError} */
export function fitting<T>(written: Written, type: () => T): T {
  try {
    return type();
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw misfit(error, written);
  }
}

function misfit({ code, path }: DocumentError, { operator, operands, mark, wanted }: Written): CelError {
  const operand = operands.find((each) => each.path === path) ?? defined(operands[0]);
  const is = describeSort(operand.sort);
  const [at, found] = [offsetOf(operand), operands.map(({ sort }) => describeSort(sort)).join(' and ')];
  const wrong = (place: number, message: string) => new CelError('TYPE_MISMATCH', place, message);
  if (wanted !== undefined) {
    const { sort } = operand;
    const isFiner = sort.sort === 'number' && sortOf(wanted).sort === 'number';
    const value = isFiner ? `has ${sort.scale} decimals` : `is ${is}`;
    return wrong(at, `${operator} is ${describeType(wanted)}, and this ${value}`);
  }
  switch (operator) {
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
    case ':':
      return wrong(mark, unlike(operator, operands));
    case '+':
      return wrong(mark, `+ adds numbers, durations, or a duration to a time, and these are ${found}`);
    case '-':
      if (operands.length === 1) return wrong(mark, `- takes a number, and this is ${is}`);
      return wrong(mark, `- subtracts numbers, durations or times, and these are ${found}`);
    case '*':
      return wrong(mark, `* multiplies numbers, or a duration by a whole number, and these are ${found}`);
    case '/':
      if (code === 'TYPE_MISMATCH') return wrong(at, `/ takes whole numbers, and this is ${is}`);
      if (code === 'DIVISION_BY_ZERO') return new CelError('DIVISION', at, 'the divisor of / must be at least 1');
      return new CelError('NOT_A_LITERAL', at, 'the divisor of / must be a number that is written here or given');
    case 'min':
    case 'max':
      return wrong(at, `${operator} takes numbers, or only times, and this is ${is}`);
    case 'sum':
    case 'least':
    case 'greatest':
      return wrong(at, `${operator} takes numbers, and this is ${is}`);
    case 'in':
      return wrong(at, `the list has ${is}, and ${describeSort(defined(operands[0]).sort)} is searched`);
    default:
      return wrong(at, `${operator} takes conditions, and this is ${is}: compare it, for example with ==`);
  }
}

/** What is said of two sides that are not compared. */
function unlike(operator: string, operands: readonly Lowered[]): string {
  const [left, right] = [defined(operands[0]), defined(operands[1])];
  const [one, other] = [describeSort(left.sort), describeSort(right.sort)];
  // `1 <= x <= 5` compares a truth value with 5.
  if (operator !== ':' && /^[<>=]/.test(String(headOf(left))))
    return 'a comparison has two sides: for 1 <= a <= 5, write 1 <= a && a <= 5';
  if (/^[<>]/.test(operator) && left.sort.sort === right.sort.sort)
    return `${operator} compares numbers and times, and these are each ${one}`;
  const hint = hintFor(left, right) || hintFor(right, left);
  return `${operator} has ${one} on the left and ${other} on the right${hint}`;
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;

function hintFor({ sort: { sort } }: Lowered, text: Lowered): string {
  if (isNumeral(text) && sort === 'time') return ': write timestamp("2099-12-31T00:00:00Z")';
  if (text.sort.sort === 'number' && sort === 'duration') return ': write duration("24h")';
  if (!Array.isArray(text.json) || text.json[0] !== 'str') return '';
  const value = String(text.json[1]);
  if (sort === 'number') return ': write the number without quotes';
  if (sort === 'time') return `: write timestamp(${JSON.stringify(value.replace(DATE, '$&T00:00:00Z'))})`;
  if (sort === 'duration') return `: write duration(${JSON.stringify(explainDuration(value) ?? value)})`;
  return sort === 'bool' ? ': write true or false without quotes' : '';
}

/** What a value of the sort is, for messages. */
function describeSort(sort: Sort): string {
  switch (sort.sort) {
    case 'number':
      return sort.scale === 0 ? 'a whole number' : `a number with ${sort.scale} decimals`;
    case 'bool':
      return 'true or false';
    case 'string':
      return 'a text';
    case 'enum':
      return `one of ${(sort.declared ?? sort.used).join(', ')}`;
    default:
      return `a ${sort.sort}`;
  }
}

/** The operator of an expression. Undefined for an integer. */
export const headOf = ({ json }: Lowered) => (Array.isArray(json) ? json[0] : undefined);

/** Whether it is a number that is written here. */
export const isNumeral = (operand: Lowered): boolean =>
  typeof operand.json === 'number' || headOf(operand) === 'int' || headOf(operand) === 'dec';
