import type { StepDocument } from '../../exact/plan-schema.ts';
import { type Expr, operandsOf } from '../parts/expression.ts';
import { conditionsOf, fieldsOf, type PlanParts, rulesOf } from '../parts/plan-parts.ts';

/** Where a text that is compared comes from. */
export type TextSource =
  | { readonly kind: 'argument'; readonly step: StepDocument; readonly name: string }
  | { readonly kind: 'column'; readonly table: string; readonly column: string }
  | { readonly kind: 'text'; readonly text: string }
  /** Other actions of the same run: `unique`, or the keys of a state. */
  | { readonly kind: 'actions'; readonly what: string };

/** Two texts that must be equal, or must differ. */
export type TextComparison = readonly [TextSource, TextSource];

interface Place {
  readonly parts: PlanParts;
  /** The step whose action has the arguments that name no other action. */
  readonly own: StepDocument | undefined;
  /** What names of aggregates stand for. */
  readonly ranges: ReadonlyMap<unknown, Expr>;
}

/** All comparisons for equality in a plan, its sheets and its tools, as far as they name arguments, columns or texts. */
export function textComparisons(parts: PlanParts): readonly TextComparison[] {
  const ofSteps = parts.plan.steps.flatMap((own) => {
    const { effects, post } = parts.tools.get(own.tool) ?? {};
    const computed = [conditionsOf(own, parts), own.effects, own.evidence.map(({ binds }) => binds), effects, post];
    return comparisonsIn(computed, { parts, own, ranges: new Map() });
  });
  return [...ofSteps, ...comparisonsIn(rulesOf(parts), { parts, own: undefined, ranges: new Map() })];
}

const BINDERS = ['forall', 'exists', 'count', 'sum', 'least', 'greatest', 'unique'];

function comparisonsIn(expr: Expr, place: Place): readonly TextComparison[] {
  if (typeof expr !== 'object' || expr === null) return [];
  const [range, binder] = operandsOf(expr, ...BINDERS) ?? [];
  const inside = binder === undefined ? place : { ...place, ranges: new Map([...place.ranges, [binder, range]]) };
  return [...ownComparisons(expr, inside), ...Object.values(expr).flatMap((part) => comparisonsIn(part, inside))];
}

function ownComparisons(expr: Expr, place: Place): readonly TextComparison[] {
  const pairs = (one: Expr, others: readonly TextSource[]) =>
    sourcesOf(one, place).flatMap((source) => others.map((other): TextComparison => [source, other]));
  const [left, right] = operandsOf(expr, '=', '!=') ?? [];
  if (right !== undefined) return pairs(left, sourcesOf(right, place));
  const [keys] = operandsOf(expr, 'unique')?.slice(2) ?? [];
  if (keys !== undefined) return listOf(keys).flatMap((key) => pairs(key, [{ kind: 'actions', what: 'unique' }]));
  const [, map, key] = operandsOf(expr, 'at') ?? [];
  if (key !== undefined) return pairs(key, [{ kind: 'actions', what: `keys of ${String(map)}` }]);
  const looked = operandsOf(expr, 'in', 'look');
  const table = String(looked?.[0]);
  return listOf(looked?.at(-1)).flatMap((part, index) => {
    const column = place.parts.plan.tables[table]?.key[index];
    return column === undefined ? [] : pairs(part, [{ kind: 'column', table, column }]);
  });
}

const listOf = (json: unknown): readonly Expr[] => (Array.isArray(json) ? json : []);

/** Where the value of an expression may come from. */
function sourcesOf(expr: Expr, place: Place): readonly TextSource[] {
  const [operator, first, second, third]: readonly unknown[] = listOf(expr);
  const { plan } = place.parts;
  switch (operator) {
    case 'ite':
      return [...sourcesOf(second, place), ...sourcesOf(third, place)];
    case 'str':
      return [{ kind: 'text', text: String(first) }];
    case 'var': {
      const value = fieldsOf(plan.variables[String(first)]).get('value');
      return typeof value === 'string' ? [{ kind: 'text', text: value }] : [];
    }
    case 'look':
      return [{ kind: 'column', table: String(first), column: String(second) }];
    case 'col': {
      const [table] = operandsOf(place.ranges.get(first), 'table') ?? [];
      return [{ kind: 'column', table: String(table), column: String(second) }];
    }
    case 'arg': {
      const isOwn = second === undefined;
      const step = isOwn ? place.own : plan.steps.find(({ step_id }) => step_id === place.ranges.get(first));
      return step === undefined ? [] : [{ kind: 'argument', step, name: String(isOwn ? first : second) }];
    }
    default:
      return [];
  }
}
