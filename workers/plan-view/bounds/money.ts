import type { StepDocument } from '../../exact/plan-schema.ts';
import type { ToolAmount } from '../../exact/tool-schema.ts';
import { argumentOf, equalTo } from '../parts/expression.ts';
import { conditionsOf, constantText, type PlanParts } from '../parts/plan-parts.ts';
import { type Limit, multiply, toAmount } from './amount.ts';
import { boundNumber, type NumberBound } from './bound-number.ts';
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
  return amounts?.map((amount) => boundMoney(step, amount, parts));
}

function boundMoney(step: StepDocument, { of, unit, currency }: ToolAmount, parts: PlanParts): MoneyBound {
  const [part = '', name = ''] = of;
  const bound = boundNumber(step, [part, name], parts);
  const one = typeof unit === 'string' ? toAmount(unit) : undefined;
  const inUnits = (limit: Limit): Limit => limit && one && multiply(limit, one);
  const code = typeof currency === 'string' ? currency : onlyValue(step, argumentOf(currency), parts);
  const open = [...(one === undefined ? [unit] : []), ...(code === undefined ? [currency] : [])];
  return {
    ...bound,
    each: inUnits(bound.each),
    all: inUnits(bound.all),
    currency: code,
    open: open.flatMap((argument) => argumentOf(argument) ?? []),
  };
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
