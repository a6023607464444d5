import { isDeepStrictEqual } from 'node:util';
import { defined } from '../../exact/defined.ts';
import { parseNumber } from '../../exact/numbers.ts';
import type { ToolAmount } from '../../exact/tool-schema.ts';
import { claimsOfStep } from '../claims.ts';
import type { Expression } from '../language/terms.ts';
import { scaleOf } from '../language/types.ts';
import { equalTo } from '../own-parts.ts';
import type { Plan, Step, TableRow } from '../plan.ts';
import type { Limit } from './interval.ts';
import { valuesOf } from './listed-values.ts';
import { numbersOf, type StepNumber } from './step-ranges.ts';
import { boundNumber, type NumberBound, type RowFilter } from './total.ts';

/** An amount of money, exact: `numerator / 10^scale`. */
export interface Amounts {
  readonly each: Limit;
  readonly all: Limit;
  readonly runs: Limit;
  readonly scale: number;
}

/** Money that a step moves, as the catalogue describes it. */
export interface MoneyBound {
  readonly bound: NumberBound;
  /** In units of the currency, if the unit is known. */
  readonly amounts: Amounts;
  /** Undefined: it differs between actions, so that no sum means anything. */
  readonly currency: string | undefined;
  /** Arguments that say the currency or the unit, and have no one value in this plan. */
  readonly open: readonly string[];
}

/** What moves in a step, in its currency. Undefined if the catalogue does not describe it. */
export const moneyOf = (step: Step, plan: Plan): readonly MoneyBound[] | undefined =>
  step.tool.amounts?.flatMap((amount) => boundMoney(step, amount, plan));

function boundMoney(step: Step, amount: ToolAmount, plan: Plan): readonly MoneyBound[] {
  const number = numberOf(step, amount);
  const unit = typeof amount.unit === 'string' ? parseNumber(amount.unit, '') : undefined;
  const argument = typeof amount.currency === 'string' ? undefined : amount.currency[1];
  const boundIn = (currency: string | undefined, only?: RowFilter): MoneyBound => {
    const bound = boundNumber(step, number, plan, only);
    const inUnits = (limit: Limit): Limit =>
      limit === undefined || unit === undefined ? undefined : limit * unit.numerator;
    const open = [amount.unit, ...(currency === undefined ? [amount.currency] : [])];
    return {
      bound,
      amounts: {
        each: inUnits(bound.each),
        all: inUnits(bound.all),
        runs: inUnits(bound.runs),
        scale: scaleOf(number.type) + (unit?.scale ?? 0),
      },
      currency,
      open: open.flatMap((part) => (typeof part === 'string' ? [] : [defined(part[1])])),
    };
  };
  if (typeof amount.currency === 'string') return [boundIn(amount.currency)];
  const code = onlyCode(step, defined(argument), plan);
  const byRow = code === undefined ? currenciesByRow(step, defined(argument), plan) : [];
  return byRow.length === 0 ? [boundIn(code)] : byRow.map(({ currency, only }) => boundIn(currency, only));
}

const numberOf = (step: Step, { of: [part, name] }: ToolAmount): StepNumber =>
  defined(numbersOf(step).find((number) => number.scope === part && number.name === name));

/** The currencies among which a row of a table decides that the action looks up, with the rows of each. */
function currenciesByRow(step: Step, argument: string, plan: Plan) {
  for (const condition of claimsOfStep(step, plan)) {
    const look = equalTo(condition, argument);
    if (look?.op !== 'look') continue;
    const codes = [...(valuesOf(look, plan) ?? [])].filter(isCode);
    if (codes.length === 0 || codes.length < (valuesOf(look, plan)?.size ?? 0)) continue;
    const position = defined(plan.tables.get(look.table)?.positions.get(look.column));
    const isSameRow: RowFilter['isSameRow'] = ({ table, keys }) =>
      table === look.table && isDeepStrictEqual(keys, look.keys);
    return codes.map((currency) => ({
      currency,
      only: { isSameRow, isOurs: (row: TableRow) => row[position] === currency },
    }));
  }
  return [];
}

/** A code of the catalogue. A plan may write any text, which must not pass as the service's words. */
const CODE = /^[A-Z][A-Z0-9]{2,11}$/;
const isCode = (value: unknown): value is string => typeof value === 'string' && CODE.test(value);

/** The code that every action of a step has in an argument. */
function onlyCode(step: Step, argument: string, plan: Plan): string | undefined {
  const values = claimsOfStep(step, plan).map((condition) => constantOf(equalTo(condition, argument), plan));
  return values.find(isCode);
}

/** The value that an expression has in every action. */
function constantOf(expression: Expression | undefined, plan: Plan): unknown {
  if (expression?.op === 'literal') return expression.value;
  return expression?.op === 'reference' && expression.scope === 'var'
    ? plan.variables.get(expression.name)?.value
    : undefined;
}

/** Bounds of the numbers among a step's arguments that are not described as money. */
export function otherNumbers(step: Step, plan: Plan): readonly NumberBound[] {
  const described = new Set(step.tool.amounts?.map(({ of }) => of.join(' ')));
  return numbersOf(step)
    .filter(
      ({ scope, name, type }) =>
        scope === 'arg' && !described.has(`arg ${name}`) && (type.type === 'int' || type.type === 'decimal'),
    )
    .map((number) => boundNumber(step, number, plan));
}
