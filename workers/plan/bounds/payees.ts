import { isDeepStrictEqual } from 'node:util';
import { defined } from '../../exact/defined.ts';
import { parseNumber } from '../../exact/numbers.ts';
import type { ToolAmount } from '../../exact/tool-schema.ts';
import { claimsOfStep, conjunctsOf } from '../claims.ts';
import { onePerPart } from '../language/parts.ts';
import type { Expression, Lookup, Membership } from '../language/terms.ts';
import { scaleOf, type ValueType } from '../language/types.ts';
import type { Value } from '../language/values.ts';
import { argumentOf, equalTo } from '../own-parts.ts';
import type { Plan, Step, Table, TableRow } from '../plan.ts';
import { type Limit, minOf } from './interval.ts';
import { listedIfThere, listedValues, valuesOf } from './listed-values.ts';
import { isCode, numberOf, onlyCode } from './money.ts';
import { boundNumber, columnsAbove, limitsIn } from './total.ts';

/** An argument that may say who is paid, with its values. */
export interface PayeeArgument {
  readonly argument: string;
  readonly type: ValueType;
  /** Of each row, or those that the plan lists. */
  readonly values: readonly Value[];
}

/** What an act moves at most: currencies with amounts. Undefined: nothing limits it. */
export type RowMoney = Iterable<readonly [currency: string, amount: bigint]> | undefined;

/** The rows of a table of which each act has one. */
export interface PaidRows {
  readonly count: number;
  readonly columns: readonly (PayeeArgument & { readonly isKey: boolean })[];
  /** Of each row. */
  readonly money: readonly RowMoney[];
}

export interface Payees {
  readonly rows: readonly PaidRows[];
  /** Arguments whose values the plan lists without a row for each act. */
  readonly listed: readonly PayeeArgument[];
  /** Arguments whose values the plan does not list. */
  readonly open: readonly string[];
  /** Of all money. */
  readonly scale: number;
}

/** The row of a table that the conditions of a step look up, and the columns that its arguments equal. */
interface Source {
  /** A look-up or a membership, or a condition on some row of a table. */
  readonly row: object;
  /** Of the look-up. Empty for a condition. */
  readonly keys: readonly Expression[];
  readonly table: Table;
  /** Argument → place in a row. */
  readonly positions: Map<string, number>;
}

/**
 * The arguments of an act that can say who is paid: texts other than the currency, the unit and the idempotency key, with the rows of
 * the tables from which they come, and what an act moves at most for each row.
 */
export function payeesOf(step: Step, plan: Plan): Payees {
  const { amounts = [], once, args } = step.tool;
  const others = new Set([once, ...amounts.flatMap(({ unit, currency }) => [argumentIn(unit), argumentIn(currency)])]);
  const texts = onePerPart([...args.keys()])
    .map((name) => [name, defined(args.get(name))] as const)
    .filter(([name, { type }]) => (type === 'string' || type === 'enum') && !others.has(name));
  const sources = sourcesOf(step, plan);
  const scale = Math.max(0, ...amounts.map((amount) => scaleIn(step, amount)));
  const rows = sources.map((source) => rowsOf(step, source, { plan, texts, scale }));
  const free = texts.filter(([name]) => sources.every(({ positions }) => !positions.has(name)));
  const values = free.map(([argument, type]) => ({ argument, type, values: listedIfThere(step, argument, plan) }));
  return {
    rows: rows.filter(({ columns }) => columns.length > 0),
    listed: values.flatMap((one) => (one.values === undefined ? [] : [{ ...one, values: [...one.values] }])),
    open: values.flatMap((one) => (one.values === undefined ? [one.argument] : [])),
    scale,
  };
}

const argumentIn = (part: ToolAmount['unit']): string | undefined => (typeof part === 'string' ? undefined : part[1]);

const unitOf = ({ unit }: ToolAmount) => (typeof unit === 'string' ? parseNumber(unit, '') : undefined);

const scaleIn = (step: Step, amount: ToolAmount): number =>
  scaleOf(numberOf(step, amount).type) + (unitOf(amount)?.scale ?? 0);

function sourcesOf(step: Step, plan: Plan): readonly Source[] {
  const sources: Source[] = [];
  const find = ({ table: name, keys }: Lookup | Membership): Source => {
    const row = { name, keys };
    const found = sources.find((source) => isDeepStrictEqual(source.row, row));
    if (found !== undefined) return found;
    const table = defined(plan.tables.get(name));
    const own = keys.map((key, index) => [argumentOf(key), defined(table.positions.get(defined(table.key[index])))]);
    const positions = new Map(own.filter((entry): entry is [string, number] => entry[0] !== undefined));
    sources.push({ row, keys, table, positions });
    return defined(sources.at(-1));
  };
  for (const { look } of (step.tool.amounts ?? []).flatMap((one) => columnsAbove(step, numberOf(step, one), plan)))
    find(look);
  for (const condition of claimsOfStep(step, plan)) {
    if (condition.op === 'in') find(condition);
    if (condition.op === 'any' && condition.range.kind === 'table') {
      const table = defined(plan.tables.get(condition.range.name));
      const ties = conjunctsOf(condition.body ?? condition).flatMap((part) =>
        tiesIn(part, step, (other) => (other.op === 'part' && other.binder === condition.binder ? other : undefined)),
      );
      const positions = ties.map(([name, { name: column }]) => [name, defined(table.positions.get(column))] as const);
      if (ties.length > 0) sources.push({ row: condition, keys: [], table, positions: new Map(positions) });
    }
    for (const [name, look] of tiesIn(condition, step, (other) => (other.op === 'look' ? other : undefined))) {
      const { table, positions } = find(look);
      positions.set(name, defined(table.positions.get(look.column)));
    }
  }
  return sources;
}

/** What an equation says that arguments of the act equal, where it is of the wanted kind. */
function tiesIn<Wanted>(condition: Expression, step: Step, wanted: (other: Expression) => Wanted | undefined) {
  return [...step.tool.args.keys()].flatMap((name): readonly (readonly [string, Wanted])[] => {
    const other = equalTo(condition, name);
    const found = other && wanted(other);
    return found === undefined ? [] : [[name, found]];
  });
}

interface Place {
  readonly plan: Plan;
  readonly texts: readonly (readonly [string, ValueType])[];
  readonly scale: number;
}

function rowsOf(step: Step, source: Source, { plan, texts, scale }: Place): PaidRows {
  const { keys, table, positions } = source;
  const allowed = [
    ...[...positions].map(([name, position]) => ({ position, values: listedValues(step, name, plan) })),
    ...keys.map((key, index) => ({
      position: defined(table.positions.get(defined(table.key[index]))),
      values: valuesOf(key, plan),
    })),
  ].flatMap(({ position, values }) => (values === undefined ? [] : [{ position, values }]));
  const isUsable = (cells: TableRow) => allowed.every(({ position, values }) => values.has(defined(cells[position])));
  const usable = table.rows.flatMap((cells, index) => (isUsable(cells) ? [{ cells, index }] : []));
  const keyPositions = new Set(table.key.map((name) => table.positions.get(name)));
  const parts = step.tool.amounts?.map((amount) => moneyIn(step, amount, source, plan, scale));
  return {
    count: usable.length,
    columns: texts.flatMap(([argument, type]) => {
      const position = positions.get(argument);
      if (position === undefined) return [];
      const values = usable.map(({ cells }) => defined(cells[position]));
      return [{ argument, type, values, isKey: table.key.length === 1 && keyPositions.has(position) }];
    }),
    money: usable.map(({ cells, index }) => {
      const moved = parts?.flatMap((part) => part(cells, index));
      return moved?.length === parts?.length ? moved : undefined;
    }),
  };
}

type RowPart = (cells: TableRow, index: number) => readonly (readonly [currency: string, amount: bigint])[];

/** What of an amount of the catalogue moves at most with a row: what the row says, and what limits each act. Empty: no limit. */
function moneyIn(step: Step, amount: ToolAmount, source: Source, plan: Plan, scale: number): RowPart {
  const number = numberOf(step, amount);
  const { each } = boundNumber(step, number, plan);
  const { row, positions } = source;
  const limits = columnsAbove(step, number, plan)
    .filter(({ look: { table, keys } }) => isDeepStrictEqual(row, { name: table, keys }))
    .map((column) => limitsIn(column, plan));
  const own = number.scope === 'arg' ? positions.get(number.name) : undefined;
  const unit = unitOf(amount);
  const factor = (unit?.numerator ?? 0n) * 10n ** BigInt(scale - scaleIn(step, amount));
  const currencyArgument = argumentIn(amount.currency);
  const fixed = currencyArgument === undefined ? amount.currency : onlyCode(step, currencyArgument, plan);
  const column = currencyArgument === undefined ? undefined : positions.get(currencyArgument);
  return (cells, index) => {
    const cell = own === undefined ? undefined : cells[own];
    const most: Limit = minOf([each, typeof cell === 'bigint' ? cell : undefined, ...limits.map((all) => all[index])]);
    const currency = fixed ?? (column === undefined ? undefined : cells[column]);
    if (most === undefined || unit === undefined || !isCode(currency)) return [];
    return [[currency, (most < 0n ? 0n : most) * factor]];
  };
}
