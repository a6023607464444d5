import type { StepDocument } from '../../exact/plan-schema.ts';
import type { ToolAmount } from '../../exact/tool-schema.ts';
import { argumentOf, type Expr, equalTo, operandsOf } from '../parts/expression.ts';
import { conditionsOf, constantText, type PlanParts, type Row } from '../parts/plan-parts.ts';
import { type Limit, multiply, toAmount } from './amount.ts';
import { boundNumber, type NumberBound, type RowFilter } from './bound-number.ts';
import { type NumberPart, numbersOf } from './step-ranges.ts';

/** Money that a step moves, as the catalogue describes it. */
export interface MoneyBound extends NumberBound {
  /** Undefined: it differs between actions, so that no sum means anything. */
  readonly currency: string | undefined;
  /** Arguments that say the currency or the unit, and have no one value in this plan. */
  readonly open: readonly string[];
}

/** What moves in a step, in its currency. Undefined if the catalogue does not describe it. */
export function moneyOf(step: StepDocument, parts: PlanParts): readonly MoneyBound[] | undefined {
  const tool = parts.tools.get(step.tool);
  const amounts = tool !== undefined && 'amounts' in tool ? tool.amounts : undefined;
  return amounts?.flatMap((amount) => boundMoney(step, amount, parts));
}

function boundMoney(step: StepDocument, amount: ToolAmount, parts: PlanParts): readonly MoneyBound[] {
  const [part = '', name = ''] = amount.of;
  const one = typeof amount.unit === 'string' ? toAmount(amount.unit) : undefined;
  const inUnits = (limit: Limit): Limit => limit && one && multiply(limit, one);
  const boundIn = (currency: string | undefined, only?: RowFilter): MoneyBound => {
    const bound = boundNumber(step, [part, name], parts, only);
    const open = [amount.unit, ...(currency === undefined ? [amount.currency] : [])];
    return {
      ...bound,
      each: inUnits(bound.each),
      all: inUnits(bound.all),
      currency,
      open: open.flatMap((argument) => argumentOf(argument) ?? []),
    };
  };
  if (typeof amount.currency === 'string') return [boundIn(amount.currency)];
  const argument = argumentOf(amount.currency);
  const code = onlyValue(step, argument, parts);
  const byRow = code === undefined ? currenciesByRow(step, argument, parts) : [];
  return byRow.length === 0 ? [boundIn(code)] : byRow.map(({ currency, only }) => boundIn(currency, only));
}

/** The currencies among which a row of a table decides that the action looks up, with the rows of each. */
function currenciesByRow(step: StepDocument, argument: string | undefined, parts: PlanParts) {
  if (argument === undefined) return [];
  for (const condition of conditionsOf(step, parts)) {
    const [table, column, keys] = operandsOf(equalTo(condition, argument), 'look') ?? [];
    const codes = new Set(parts.rows.get(String(table))?.map((row) => row[String(column)]));
    if (codes.size === 0 || ![...codes].every((code) => typeof code === 'string' && CODE.test(code))) continue;
    const isSameRow = (look: Expr) => {
      const [ofTable, , otherKeys] = operandsOf(look, 'look') ?? [];
      return ofTable === table && JSON.stringify(otherKeys) === JSON.stringify(keys);
    };
    return Array.from(codes, (code) => ({
      currency: String(code),
      only: { isSameRow, isOurs: (row: Row) => row[String(column)] === code },
    }));
  }
  return [];
}

/** A code of the catalogue. A plan may write any text, which must not pass as the service's words. */
const CODE = /^[A-Z][A-Z0-9]{2,11}$/;

/** The code that every action of a step has in an argument. */
function onlyValue(step: StepDocument, argument: string | undefined, parts: PlanParts): string | undefined {
  if (argument === undefined) return undefined;
  const values = conditionsOf(step, parts).map((condition) => constantText(equalTo(condition, argument), parts));
  return values.find((value) => value !== undefined && CODE.test(value));
}

/** Bounds of the numbers among a step's arguments that are not described as money. */
export function otherNumbers(step: StepDocument, parts: PlanParts): readonly NumberBound[] {
  const described = new Set(moneyOf(step, parts)?.map(({ part }) => part.join(' ')));
  return numbersOf(step, parts)
    .filter((part: NumberPart) => part[0] === 'arg' && !described.has(part.join(' ')))
    .map((part) => boundNumber(step, part, parts));
}
