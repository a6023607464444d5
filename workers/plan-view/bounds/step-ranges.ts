import type { StepDocument } from '../../exact/plan-schema.ts';
import { type Expr, isPart, operandsOf } from '../parts/expression.ts';
import { conditionsOf, fieldsOf, type PlanParts, type Row } from '../parts/plan-parts.ts';
import { descending, type Limit, toAmount, total, ZERO } from './amount.ts';
import { ANY, both, type Interval, point } from './interval.ts';
import { boundsFrom, type Site } from './linear.ts';

/** A number of an action: `["arg","amount"]` or `["resp","fee"]`. */
export type NumberPart = readonly [part: string, name: string];

type Ranges = ReadonlyMap<string, Interval>;
const known = new WeakMap<PlanParts, Map<string, Ranges>>();

const keyOf = ([part, name]: NumberPart): string => `${part} ${name}`;

/** What each number of every action of a step can be, by types, conditions, tables and rules about each action. */
export function rangeOf(step: StepDocument, part: NumberPart, parts: PlanParts): Interval {
  const ranges = known.get(parts) ?? new Map<string, Ranges>();
  known.set(parts, ranges);
  const found = ranges.get(step.step_id) ?? rangesOf(step, parts);
  ranges.set(step.step_id, found);
  return found.get(keyOf(part)) ?? ANY;
}

function rangesOf(step: StepDocument, parts: PlanParts): Ranges {
  const numbers = numbersOf(step, parts);
  const conditions = [...conditionsOf(step, parts), ...promisesOf(step, parts)];
  let ranges: Ranges = new Map(numbers.map((part) => [keyOf(part), typeRange(step, part, parts)]));
  // Twice, because a condition can bound a number by another one, which conditions bound.
  for (let round = 0; round < 2; round += 1) {
    const before = ranges;
    const own = (part: NumberPart) => before.get(keyOf(part)) ?? ANY;
    ranges = new Map(
      numbers.map((part) => {
        const isTarget = (expr: Expr) => isPart(expr, part);
        const site = siteOf({ parts, own, isTarget, scale: scaleOf(step, part, parts), bound: new Map() });
        return [keyOf(part), conditions.map((one) => boundsFrom(one, site)).reduce(both, own(part))];
      }),
    );
  }
  return ranges;
}

/** Conditions that the tool's responses must obey. */
function promisesOf({ tool }: StepDocument, { tools }: PlanParts): readonly Expr[] {
  return tools.get(tool)?.post.map(({ expr }) => expr) ?? [];
}

/** Numbers among the arguments and in the response of a step's tool. */
export function numbersOf(step: StepDocument, { tools }: PlanParts): readonly NumberPart[] {
  const tool = tools.get(step.tool);
  return [['arg', tool?.args] as const, ['resp', tool?.responds] as const].flatMap(([part, types]) =>
    [...fieldsOf(types)].flatMap(([name, type]): NumberPart[] => {
      const kind = fieldsOf(type).get('type');
      return kind === 'decimal' || kind === 'int' ? [[part, name]] : [];
    }),
  );
}

function typeOf(step: StepDocument, [part, name]: NumberPart, { tools }: PlanParts) {
  const tool = tools.get(step.tool);
  return fieldsOf(fieldsOf(part === 'arg' ? tool?.args : tool?.responds).get(name));
}

const typeRange = (step: StepDocument, part: NumberPart, parts: PlanParts): Interval =>
  boundsOfType(typeOf(step, part, parts));

const boundsOfType = (type: ReadonlyMap<string, unknown>): Interval => ({
  least: toAmount(type.get('min')),
  greatest: toAmount(type.get('max')),
});

export const scaleOf = (step: StepDocument, part: NumberPart, parts: PlanParts): number =>
  scaleIn(typeOf(step, part, parts));

/** The decimals of a type. */
export function scaleIn(type: ReadonlyMap<string, unknown>): number {
  const scale = type.get('scale');
  return typeof scale === 'number' ? scale : 0;
}

interface Place {
  readonly parts: PlanParts;
  readonly isTarget: Site['isTarget'];
  readonly scale: number;
  /** Bounds of the action's own numbers. */
  readonly own: (part: NumberPart) => Interval;
  /** What names of aggregates stand for: a step, or a range of a table. */
  readonly bound: ReadonlyMap<unknown, Expr>;
  readonly inside?: Site['inside'];
}

/** Where a condition of a step, or a rule, finds the bounds of what it refers to. */
export function siteOf(place: Place): Site {
  const { isTarget, scale, bound, inside } = place;
  return {
    isTarget,
    scale,
    leaf: (expr) => leafOf(expr, place),
    under: (binder, range) => siteOf({ ...place, bound: new Map([...bound, [binder, range]]) }),
    ...(inside === undefined ? {} : { inside }),
  };
}

function leafOf(expr: Expr, { parts, own, bound }: Place): Interval {
  const [operator, first, second]: readonly unknown[] = Array.isArray(expr) ? expr : [];
  const { plan } = parts;
  switch (operator) {
    case 'arg':
    case 'resp': {
      if (second === undefined) return own([operator, String(first)]);
      const step = plan.steps.find(({ step_id }) => step_id === bound.get(first));
      return step === undefined ? ANY : typeRange(step, [operator, String(second)], parts);
    }
    case 'var':
      return point(toAmount(fieldsOf(plan.variables[String(first)]).get('value')));
    case 'state':
    case 'final':
      return boundsOfType(fieldsOf(plan.state[String(first)]));
    case 'at':
      return boundsOfType(fieldsOf(fieldsOf(plan.state[String(second)]).get('value')));
    case 'look':
      return spanOf(columnOf(parts, first, second));
    case 'col': {
      const [table] = operandsOf(bound.get(first), 'table') ?? [];
      return spanOf(columnOf(parts, table, second));
    }
    case 'sum':
      return point(sumOfColumn(expr, parts));
    case 'count': {
      const step = plan.steps.find(({ step_id }) => step_id === first);
      return { least: ZERO, greatest: toAmount(step?.max) };
    }
    default:
      return ANY;
  }
}

/** The numbers of a column in some rows. Undefined if a cell is no number or the rows are not known. */
export function columnOf(
  { rows }: PlanParts,
  table: unknown,
  column: unknown,
  isAsked: (row: Row) => boolean = () => true,
) {
  const known = typeof table === 'string' ? rows.get(table) : undefined;
  const values = known?.filter(isAsked).map((row) => toAmount(row[String(column)]));
  return values?.every((value) => value !== undefined) === true ? values : undefined;
}

function spanOf(values: ReturnType<typeof columnOf>): Interval {
  const sorted = values?.toSorted(descending);
  return { least: sorted?.at(-1), greatest: sorted?.[0] };
}

/** `sum(approved, r, r.amount)`, of all rows. */
function sumOfColumn(expr: Expr, parts: PlanParts): Limit {
  const [range, binder, body, condition] = operandsOf(expr, 'sum') ?? [];
  const [table] = operandsOf(range, 'table') ?? [];
  const [of, column] = operandsOf(body, 'col') ?? [];
  if (of !== binder || condition !== undefined) return undefined;
  const values = columnOf(parts, table, column);
  return values && total(values);
}
