import { defined } from '../../../exact/defined.ts';
import { maxOf } from '../../bounds/interval.ts';
import { type PayeeArgument, type Payees, payeesOf } from '../../bounds/payees.ts';
import { onePerPart, spokenPart } from '../../language/parts.ts';
import type { ValueType } from '../../language/types.ts';
import type { Value } from '../../language/values.ts';
import type { Plan, Step } from '../../plan.ts';
import { valueInWords } from '../words/amount.ts';
import { code } from '../words/escape.ts';
import { differingLines, type NamingRows } from './payee-differences.ts';
import { amountIn, sumInWords, sumOf, type Tally, tallied } from './payee-tally.ts';

/** The plan with whose payees those of a plan are compared. */
export interface Comparison {
  /** Which one it is, in words. */
  readonly which: string;
  readonly plan: Plan;
}

/** Lines about payees, and those of them about rows that differ. */
const MAX_LINES = 20;
const MAX_PAIRS = 10;
/** Cells of tables that are looked at, so that many steps with one long table do not take too long. */
const MAX_CELLS = 1_200_000;
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
  /** Of the other plan. */
  readonly before: Tallies | undefined;
  readonly tables: readonly NamingRows[];
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
    moving.slice(0, index + 1).reduce((sum, { tool }) => sum + longest * onePerPart([...tool.args.keys()]).length, 0);
  const steps = moving
    .filter((_, index) => cellsUntil(index) <= MAX_CELLS)
    .map((step) => paidStep(step, plan, other?.plan));
  const skipped = moving.slice(steps.length);
  const differences: (readonly string[])[] = [];
  for (const paid of steps)
    differences.push(
      differingLines(paid.tables, paid.payees.scale, Math.max(0, MAX_PAIRS - differences.flat().length)),
    );
  const left = Math.max(0, MAX_LINES - differences.flat().length);
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
      ...paid.payees.open.map((name) => `  - ${code(spokenPart(name))}: **not listed**, see above`),
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
  return { step, payees, before, tables, all };
}

const nameOf = (ref: string): string => defined(ref.split('@')[0]);

type Tallies = ReadonlyMap<string, ReadonlyMap<Value, Tally>>;

/** Argument → value → what goes to it. Where several tables have an argument, the first one counts. */
function talliesOf({ rows, listed: lists, scale }: Payees): Tallies {
  const all = new Map<string, Map<Value, Tally>>();
  for (const { columns, money } of rows)
    for (const { argument, values } of columns)
      if (!all.has(argument)) all.set(argument, tallied(values, money, scale));
  for (const { argument, values } of lists)
    all.set(argument, new Map(values.map((value) => [value, { rows: 0, money: undefined, scale }])));
  return all;
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

function differs({ before, ...now }: Payee): boolean {
  if (before === undefined) return false;
  const currencies = [...(now.money?.keys() ?? []), ...(before.money?.keys() ?? [])];
  const isBounded = now.money !== undefined;
  return (
    isBounded !== (before.money !== undefined) ||
    currencies.some((currency) => amountIn(now, currency) !== amountIn(before, currency))
  );
}

/** What has no limit rose most. */
function riseOf({ before, ...now }: Payee): bigint {
  if (now.money === undefined) return 10n ** 99n;
  const rises = [...now.money.keys()].map(
    (one) => amountIn(now, one) - (before === undefined ? 0n : amountIn(before, one)),
  );
  return defined(maxOf([0n, ...rises]));
}

function payeesInWords(
  { all, tables, before }: PaidStep,
  shown: ReadonlySet<Payee>,
  isCompared: boolean,
): readonly string[] {
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
      const news = others.filter((other) => isCompared && other.before === undefined).length;
      const words = [...(sum.rows === 0 ? [] : [sumInWords(sum)]), ...(news === 0 ? [] : [`**${news} of them new**`])];
      return `  - … and ${others.length} more of ${code(spokenPart(argument))}${words.length === 0 ? '' : `: ${words.join(', ')}`}`;
    }),
    ...unlike.map(({ argument, values }) => {
      const news = values.filter((value) => before?.get(argument)?.has(value) !== true).length;
      const words = news === values.length ? `${news} of them new` : `**${news} of them new**`;
      return `  - ${code(spokenPart(argument))}: another one in each of ${values.length} rows${isCompared ? `, ${words}` : ''}`;
    }),
  ];
}

function payeeInWords(payee: Payee, isCompared: boolean): string {
  const { argument, type, value, before } = payee;
  const words = [
    ...(isCompared && before === undefined ? ['**new**'] : []),
    ...(payee.rows === 0 ? [] : [sumInWords(payee)]),
    ...(before !== undefined && differs(payee) ? [`before: ${sumInWords(before)}`] : []),
  ];
  return `  - ${code(spokenPart(argument))} ${valueInWords(value, type)}${words.length === 0 ? '' : `: ${words.join(', ')}`}`;
}
