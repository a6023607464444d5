import { defined } from '../../../exact/defined.ts';
import { convert, sortOf } from '../../language/operands.ts';
import type { Sort, ValueType } from '../../language/types.ts';
import { formatValue } from '../../language/values.ts';
import { CelError } from './cel-error.ts';
import { lowerNumber } from './lower-literal.ts';
import { type Json, type Lowered, type Lowering, lowered, offsetOf } from './lowering.ts';
import { fitting, headOf, isNumeral } from './misfit.ts';
import type { OperatorSyntax, Syntax } from './syntax.ts';

/** Operators that the canonical form calls otherwise. */
const HEADS: Readonly<Record<string, string>> = { '&&': 'and', '||': 'or', '!': 'not', '==': '=', '/': 'div' };

/** Operators but `in`. @throws {CelError} */
export function lowerOperator(syntax: OperatorSyntax, lowering: Lowering, expected: Sort | undefined): Lowered {
  const { operator, operands, mark } = syntax;
  const lowerEach = () => operands.map((operand) => lowering.lower(operand));
  switch (operator) {
    case '&&':
    case '||':
    case '!': {
      const conditions = operands.map((operand) => condition(operand, lowering, operator));
      return operate(operator, conditions, mark, lowering);
    }
    case '==':
    case '!=':
      return operate(operator, alike(syntax, lowering), mark, lowering);
    case '+':
      return lowerEach().reduce((sum, next) => chain('+', [sum, next], mark, lowering));
    case '-':
      return chain('-', lowerEach(), mark, lowering);
    case '*':
      return operate('*', withFactor(syntax, lowering), mark, lowering);
    case '/':
      return divide(syntax, lowering);
    case '?:':
      return choose(syntax, lowering, expected);
    default:
      return operate(operator, lowerEach(), mark, lowering);
  }
}

/** What operands that are not below 0 give is not below 0 either, but for `-`. @throws {CelError} */
export function operate(operator: string, operands: readonly Lowered[], mark: number, lowering: Lowering): Lowered {
  const isNonNegative = operator !== '-' && operands.every((operand) => operand.isNonNegative);
  return fitting({ operator, operands, mark }, () =>
    lowered([HEADS[operator] ?? operator, ...operands], mark, lowering, isNonNegative),
  );
}

/** A chain of numbers is one list. Nested pairs would reach the limit of depth after 30 summands. */
function chain(operator: '+' | '-', operands: readonly Lowered[], mark: number, lowering: Lowering): Lowered {
  const result = operate(operator, operands, mark, lowering);
  const [first, second] = operands;
  const { json }: { readonly json: Json } = defined(first);
  const isChain = Array.isArray(json) && headOf(defined(first)) === operator && json.length > 2;
  return isChain && second !== undefined && result.sort.sort === 'number'
    ? { ...result, json: [...json, second.json] }
    : result;
}

/** @throws {CelError} TYPE_MISMATCH */
export function condition(syntax: Syntax, lowering: Lowering, what: string): Lowered {
  const operand = lowering.lower(syntax);
  fitting({ operator: what, operands: [operand], mark: syntax.mark }, () => convert(operand, { type: 'bool' }));
  return operand;
}

/** An expression whose value has a type. @throws {CelError} TYPE_MISMATCH. `what` names the place in the message */
export function ofType(
  syntax: Syntax,
  { type, what }: { readonly type: ValueType; readonly what: string },
  lowering: Lowering,
): Lowered {
  const operand = lowering.lower(syntax, sortOf(type));
  const written = { operator: what, operands: [operand], mark: syntax.mark, wanted: type };
  fitting(written, () => convert(operand, type));
  return operand;
}

const isText = (syntax: Syntax): boolean => syntax.kind === 'string';

/** Both sides of an equation. A text beside an enum is one of its values. */
function alike({ operands }: OperatorSyntax, lowering: Lowering): readonly [Lowered, Lowered] {
  const [one, other] = two(operands);
  const isSwapped = isText(one) && !isText(other);
  const first = lowering.lower(isSwapped ? other : one);
  const second = lowering.lower(isSwapped ? one : other, first.sort);
  return isSwapped ? [second, first] : [first, second];
}

/** The number that a given value is: it is the same in every run, as if it were written here. */
function asNumeral(operand: Lowered, lowering: Lowering): Lowered {
  const { expression } = operand;
  const { given, factors } = lowering.scope;
  const constant = expression.op === 'reference' && expression.scope === 'var' ? given.get(expression.name) : undefined;
  if (expression.op !== 'reference' || (constant?.type.type !== 'int' && constant?.type.type !== 'decimal'))
    return operand;
  factors.add(expression.name);
  return lowerNumber({ text: String(formatValue(constant.value, constant.type)), at: offsetOf(operand) }, lowering);
}

function withFactor({ operands }: OperatorSyntax, lowering: Lowering): readonly [Lowered, Lowered] {
  const [one, second] = two(operands.map((operand) => lowering.lower(operand)));
  const right = isNumeral(one) ? second : asNumeral(second, lowering);
  return [isNumeral(right) ? one : asNumeral(one, lowering), right];
}

/** CEL rounds a quotient towards zero, and the canonical form downwards: they agree where both numbers are not negative. */
function divide({ operands, mark }: OperatorSyntax, lowering: Lowering): Lowered {
  const [left, divisor] = two(operands.map((operand) => lowering.lower(operand)));
  const right = asNumeral(divisor, lowering);
  const quotient = operate('/', [left, right], mark, lowering);
  if (!right.isNonNegative) throw new CelError('DIVISION', offsetOf(right), 'the divisor of / must be at least 1');
  if (left.isNonNegative) return quotient;
  const message =
    'the number before / may be negative, and its rounding would be unclear: give it a type such as int(0..)';
  throw new CelError('DIVISION', offsetOf(left), message);
}

function choose(
  { operands: [test, ...branches], mark }: OperatorSyntax,
  lowering: Lowering,
  expected: Sort | undefined,
): Lowered {
  const holds = condition(defined(test), lowering, '?');
  const [one, other] = two(branches);
  const first = lowering.lower(one, expected);
  const second = lowering.lower(other, expected ?? first.sort);
  const isNonNegative = first.isNonNegative && second.isNonNegative;
  return fitting({ operator: ':', operands: [first, second], mark }, () =>
    lowered(['ite', holds, first, second], mark, lowering, isNonNegative),
  );
}

function two<T>(items: readonly T[]): readonly [T, T] {
  return [defined(items[0]), defined(items[1])];
}
