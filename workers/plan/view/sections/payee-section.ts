import { defined } from '../../../exact/defined.ts';
import { maxOf } from '../../bounds/interval.ts';
import { type PaidRows, type PayeeArgument, type Payees, payeesOf, type RowMoney } from '../../bounds/payees.ts';
import type { ValueType } from '../../language/types.ts';
import type { Value } from '../../language/values.ts';
import type { Plan, Step } from '../../plan.ts';
import { describeAmount, valueInWords } from '../words/amount.ts';
import { code, listed, plural } from '../words/escape.ts';

/** The plan with whose payees those of a plan are compared. */
export interface Comparison {
  /** Which one it is, in words. */
  readonly which: string;
  readonly plan: Plan;
}

/** Lines about payees, and those of them about payees of payees. */
const MAX_LINES = 20;
const MAX_PAIRS = 10;
/** Cells of tables that are looked at, so that many steps with one long table do not take too long. */
const MAX_CELLS = 2_000_000;
/** Columns that are compared with each other. */
const MAX_COLUMNS = 12;
/** Other values that a line about one payee shows. */
const MAX_OTHERS = 3;

/** What goes to one payee. `rows` is 0 for one that no row has. */
interface Tally {
  readonly rows: number;
  readonly money: RowMoney;
  readonly scale: number;
}

/** A value of an argument that may say who is paid. */
interface Payee extends Tally {
  readonly argument: string;
  readonly type: ValueType;
  readonly value: Value;
  /** Whether it names a row of its own, as an invoice does. */
  readonly isKey: boolean;
  /** What went to it in the other plan. Undefined: nothing. */
  readonly before: Tally | undefined;
}

interface PaidStep {
  readonly step: Step;
  readonly payees: Payees;
  /** The arguments of which values are shown, by table. */
  readonly tables: readonly { readonly rows: PaidRows; readonly columns: PaidRows['columns'] }[];
  readonly all: readonly Payee[];
}

/**
 * Who is paid, as the tables and conditions of a plan name them, compared with another plan. First what differs among the rows of
 * one payee, then payees that are new, those whose amount differs, and those with the fewest rows. Empty if no step moves money.
 */
export function payeeLines(plan: Plan, other: Comparison | undefined): readonly string[] {
  const moving = plan.steps.filter(({ tool }) => tool.effect === 'revenue_write');
  if (moving.length === 0) return [];
  const longest = [plan, other?.plan]
    .map((one) => Math.max(0, ...Array.from(one?.tables.values() ?? [], ({ rows }) => rows.length)))
    .reduce((sum, rows) => sum + rows);
  const cellsUntil = (index: number) =>
    moving.slice(0, index + 1).reduce((sum, { tool }) => sum + longest * tool.args.size, 0);
  const steps = moving
    .filter((_, index) => cellsUntil(index) <= MAX_CELLS)
    .map((step) => paidStep(step, plan, other?.plan));
  const skipped = moving.slice(steps.length);
  const differences: (readonly string[])[] = [];
  for (const paid of steps) differences.push(differenceLines(paid, Math.max(0, MAX_PAIRS - differences.flat().length)));
  const left = MAX_LINES - differences.flat().length;
  const shown = new Set(
    steps
      .flatMap(({ all }) => all.map((payee) => ({ payee, order: orderOf(payee, other !== undefined) })))
      .toSorted((one, next) => compareOrders(one.order, next.order))
      .slice(0, left)
      .map(({ payee }) => payee),
  );
  const compared = other === undefined ? 'There is no earlier plan to compare with.' : `Compared with ${other.which}.`;
  return [
    `${compared} The hash does not cover this comparison. Amounts are what acts move at most, if each row is used once.`,
    '',
    ...steps.flatMap((paid, index) => [
      `- Step ${code(paid.step.stepId)}:`,
      ...defined(differences[index]),
      ...payeesInWords(paid, shown, other !== undefined),
      ...paid.payees.open.map((name) => `  - ${code(name)}: **not listed**, see what the agent may do`),
    ]),
    ...skipped.map(({ stepId }) => `- Step ${code(stepId)}: **not looked at**, because the tables are too long`),
  ];
}

function paidStep(step: Step, plan: Plan, other: Plan | undefined): PaidStep {
  const payees = payeesOf(step, plan);
  const same = other?.steps.filter(({ tool }) => tool.effect === 'revenue_write');
  const was =
    same?.find(({ stepId }) => stepId === step.stepId) ??
    same?.find(({ tool }) => nameOf(tool.ref) === nameOf(step.tool.ref));
  const before = was === undefined || other === undefined ? undefined : talliesOf(payeesOf(was, other));
  const now = talliesOf(payees);
  // Payees come again in the next plan, and numbers of invoices do not.
  const recurs = ({ argument, values }: PayeeArgument) =>
    2 * values.filter((value) => before?.get(argument)?.has(value) === true).length > values.length;
  const tables = payees.rows.map((rows) => {
    const named = rows.columns.filter(
      (column) =>
        (!column.isKey && (rows.count <= MAX_LINES || new Set(column.values).size < rows.count)) || recurs(column),
    );
    return { rows, columns: rows.columns.every(({ isKey }) => isKey) ? rows.columns : named };
  });
  const shown = [
    ...payees.listed.map((list) => ({ ...list, isKey: false })),
    ...tables.flatMap(({ columns }) =>
      columns.map((column) => ({ ...column, isKey: column.isKey && !recurs(column) })),
    ),
  ];
  const inOrder = shown.toSorted((one, next) => Number(next.isKey) - Number(one.isKey));
  const all = [...new Map(inOrder.map((one) => [one.argument, one]))].flatMap(([argument, { type, isKey }]) =>
    Array.from(defined(now.get(argument)), ([value, tally]) => {
      return { ...tally, argument, type, value, isKey, before: before?.get(argument)?.get(value) };
    }),
  );
  return { step, payees, tables, all };
}

const nameOf = (ref: string): string => defined(ref.split('@')[0]);

type Tallies = ReadonlyMap<string, ReadonlyMap<Value, Tally>>;

/** Argument → value → what goes to it. Where several tables have a value, that of the first one counts. */
function talliesOf({ rows, listed: lists, scale }: Payees): Tallies {
  const all = new Map<string, Map<Value, Tally>>();
  for (const { columns, money } of rows)
    for (const { argument, values } of columns)
      if (!all.has(argument)) all.set(argument, tallied(values, money, scale));
  for (const { argument, values } of lists)
    all.set(argument, new Map(values.map((value) => [value, { rows: 0, money: undefined, scale }])));
  return all;
}

function tallied<Key>(keys: readonly Key[], money: readonly RowMoney[], scale: number): Map<Key, Tally> {
  const found = new Map<Key, { rows: number; money: Map<string, bigint> | undefined; readonly scale: number }>();
  for (const [index, key] of keys.entries()) {
    const tally = found.get(key) ?? { rows: 0, money: new Map<string, bigint>(), scale };
    found.set(key, tally);
    tally.rows += 1;
    const moved = money[index];
    if (moved === undefined) tally.money = undefined;
    else for (const [currency, amount] of moved) tally.money?.set(currency, (tally.money.get(currency) ?? 0n) + amount);
  }
  return found;
}

/** Two columns of a table, of which the second differs among rows with one value of the first. */
interface Relation {
  readonly of: Numbered;
  readonly column: Numbered;
  /** Numbers of the values of the first. */
  readonly differing: ReadonlySet<number>;
  readonly rows: PaidRows;
}

/** A column with a number for each of its values: comparing numbers takes a tenth of the time. */
interface Numbered extends PayeeArgument {
  readonly ids: Int32Array;
  readonly count: number;
}

function numbered(column: PayeeArgument): Numbered {
  const numbers = new Map<Value, number>();
  const ids = Int32Array.from(column.values, (value) => {
    const id = numbers.get(value) ?? numbers.size;
    numbers.set(value, id);
    return id;
  });
  return { ...column, ids, count: numbers.size };
}

/** Where few payees differ, it is more likely an oversight than where most do: those come first. */
const relationsOf = ({ tables }: PaidStep): readonly Relation[] =>
  tables
    .flatMap(({ rows, columns: all }) => {
      const columns = all
        .filter(({ isKey }) => !isKey)
        .slice(0, MAX_COLUMNS)
        .map(numbered);
      return columns.flatMap((of) =>
        columns.flatMap((column) => {
          const differing = of === column ? new Set<number>() : valuesThatDiffer(of, column);
          return differing.size === 0 ? [] : [{ of, column, differing, rows }];
        }),
      );
    })
    .toSorted((one, other) => one.differing.size - other.differing.size);

/** "`iban` of `supplier` `Acme`: `DE1` (9 rows), **`DE2` (1 row)**", those with the fewest other rows first. */
function relationInWords({ of, column, differing, rows }: Relation, most: number, scale: number): readonly string[] {
  const groups = new Map<number, number[]>();
  for (const [index, id] of of.ids.entries()) {
    if (!differing.has(id)) continue;
    const group = groups.get(id) ?? [];
    groups.set(id, group);
    group.push(index);
  }
  const words = ([value, tally]: readonly [Value, Tally]) =>
    `${valueInWords(value, column.type)} (${sumInWords(tally)})`;
  return Array.from(groups.values(), (indices) => {
    const value = defined(of.values[defined(indices[0])]);
    const values = indices.map((index) => defined(column.values[index]));
    const money = indices.map((index) => rows.money[index]);
    const [first, ...others] = [...tallied(values, money, scale)].toSorted(([, one], [, next]) => next.rows - one.rows);
    return { value, first: defined(first), others, left: indices.length - defined(first)[1].rows };
  })
    .toSorted((one, next) => one.left - next.left)
    .slice(0, most)
    .map(({ value, first, others }) => {
      const more = others.length - MAX_OTHERS;
      const shown = [
        words(first),
        ...others.slice(-MAX_OTHERS).map((one) => `**${words(one)}**`),
        ...(more > 0 ? [`**${plural(more, 'other')}**`] : []),
      ];
      return `  - ${code(column.argument)} of ${code(of.argument)} ${valueInWords(value, of.type)}: ${listed(shown)}`;
    });
}

/** What differs among the rows of one payee, in lines of which at most `most` are shown. */
function differenceLines(paid: PaidStep, most: number): readonly string[] {
  const relations = relationsOf(paid);
  const lines: string[] = [];
  for (const relation of relations) {
    const left = most - lines.length;
    if (left > 0) lines.push(...relationInWords(relation, left, paid.payees.scale));
  }
  const hidden = relations.reduce((sum, { differing }) => sum + differing.size, 0) - lines.length;
  return hidden === 0 ? lines : [...lines, `  - **… and ${plural(hidden, 'other')} that differ so**`];
}

/** The values beside which there are several values of another column. */
function valuesThatDiffer({ ids, count }: Numbered, other: Numbered): ReadonlySet<number> {
  const first = new Int32Array(count).fill(-1);
  const found = new Set<number>();
  for (const [index, id] of ids.entries()) {
    if (first[id] === -1) first[id] = defined(other.ids[index]);
    else if (first[id] !== other.ids[index]) found.add(id);
  }
  return found;
}

/** New ones first, then those whose amount differs, by how much it rose, then those with the fewest rows. Keys of rows come last. */
type Order = readonly [kind: number, rise: bigint, rows: number];

function orderOf(payee: Payee, isCompared: boolean): Order {
  if (payee.isKey) return [3, 0n, payee.rows];
  if (isCompared && payee.before === undefined) return [0, 0n, payee.rows];
  return differs(payee) ? [1, riseOf(payee), payee.rows] : [2, 0n, payee.rows];
}

const compareOrders = ([kind, rise, rows]: Order, [otherKind, otherRise, otherRows]: Order): number =>
  kind - otherKind || (rise > otherRise ? -1 : rise < otherRise ? 1 : rows - otherRows);

/** In units of the smallest scale. */
const at = ({ money, scale }: Tally, currency: string): bigint =>
  (money?.get(currency) ?? 0n) * 10n ** BigInt(MAX_SCALE - scale);

function differs({ before, ...now }: Payee): boolean {
  if (before === undefined) return false;
  const currencies = [...(now.money?.keys() ?? []), ...(before.money?.keys() ?? [])];
  const isBounded = now.money !== undefined;
  return (
    isBounded !== (before.money !== undefined) ||
    currencies.some((currency) => at(now, currency) !== at(before, currency))
  );
}

/** What has no limit rose most. */
function riseOf({ before, ...now }: Payee): bigint {
  if (now.money === undefined) return 10n ** 99n;
  const rises = [...now.money.keys()].map((one) => at(now, one) - (before === undefined ? 0n : at(before, one)));
  return defined(maxOf([0n, ...rises]));
}

/** That of amounts with their units. */
const MAX_SCALE = 36;

function payeesInWords({ all, tables }: PaidStep, shown: ReadonlySet<Payee>, isCompared: boolean): readonly string[] {
  const rest = new Map<string, Payee[]>();
  for (const payee of all) {
    if (shown.has(payee)) continue;
    const others = rest.get(payee.argument) ?? [];
    rest.set(payee.argument, others);
    others.push(payee);
  }
  const lines = [...shown].filter((payee) => all.includes(payee)).map((payee) => payeeInWords(payee, isCompared));
  const unlike = tables.flatMap(({ rows, columns }) =>
    rows.columns.filter((column) => !column.isKey && !columns.includes(column)),
  );
  return [
    ...lines,
    ...Array.from(rest, ([argument, others]) => {
      const sum = sumOf(others);
      const news = others.filter(({ before }) => isCompared && before === undefined).length;
      const words = [...(sum.rows === 0 ? [] : [sumInWords(sum)]), ...(news === 0 ? [] : [`**${news} of them new**`])];
      return `  - … and ${others.length} more of ${code(argument)}${words.length === 0 ? '' : `: ${words.join(', ')}`}`;
    }),
    ...unlike.map(({ argument, values }) => `  - ${code(argument)}: another one in each of ${values.length} rows`),
  ];
}

function sumOf(all: readonly Tally[]): Tally {
  const [{ scale }] = all as readonly [Tally];
  const sum = tallied(
    all.map(() => ''),
    all.map(({ money }) => money),
    scale,
  ).get('');
  return { ...defined(sum), rows: all.reduce((rows, tally) => rows + tally.rows, 0) };
}

function payeeInWords(payee: Payee, isCompared: boolean): string {
  const { argument, type, value, before } = payee;
  const words = [
    ...(isCompared && before === undefined ? ['**new**'] : []),
    ...(payee.rows === 0 ? [] : [sumInWords(payee)]),
    ...(before !== undefined && differs(payee) ? [`before: ${sumInWords(before)}`] : []),
  ];
  return `  - ${code(argument)} ${valueInWords(value, type)}${words.length === 0 ? '' : `: ${words.join(', ')}`}`;
}

/** "3 rows, 30.00 EUR" */
const sumInWords = (tally: Tally): string => [plural(tally.rows, 'row'), moneyInWords(tally)].join(', ');

const moneyInWords = ({ money, scale }: Tally): string =>
  money === undefined
    ? '**no limit**'
    : listed(
        [...money]
          .toSorted(([one], [next]) => (one < next ? -1 : 1))
          .map(([currency, amount]) => `${describeAmount(amount, scale)} ${currency}`),
      );
