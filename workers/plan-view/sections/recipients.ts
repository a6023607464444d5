import type { StepDocument } from '../../exact/plan-schema.ts';
import { code, listed } from '../markdown/escape.ts';
import { argumentOf, type Expr, operandsOf } from '../parts/expression.ts';
import { conditionsOf, fieldsOf, type PlanParts } from '../parts/plan-parts.ts';

const MAX_VALUES = 5;

/** The values that the texts of an act can have: in words such as "`payee`: `Acme` or `Borealis`". Others are left out. */
export function recipients(step: StepDocument, parts: PlanParts): readonly string[] {
  const args = fieldsOf(parts.tools.get(step.tool)?.args);
  const conditions = conditionsOf(step, parts);
  return [...args].flatMap(([name, type]) => {
    const kind = fieldsOf(type).get('type');
    if (kind !== 'string' && kind !== 'enum') return [];
    const values = conditions.flatMap((condition) => valuesIn(condition, name, parts));
    // The condition that leaves least.
    const [fewest] = values.toSorted((one, other) => one.length - other.length);
    return fewest === undefined ? [] : [`${code(name)}: ${inWords(fewest)}`];
  });
}

function inWords(values: readonly string[]): string {
  if (values.length > MAX_VALUES) return `one of ${values.length} in a table`;
  return values.length === 0 ? 'nothing' : listed(values.map(code), 'or');
}

/** The values that a condition leaves to an argument. Empty if it does not list them. */
function valuesIn(condition: Expr, argument: string, parts: PlanParts): readonly (readonly string[])[] {
  const [left, right] = operandsOf(condition, '=') ?? [];
  const other = argumentOf(left) === argument ? right : argumentOf(right) === argument ? left : undefined;
  const [text] = operandsOf(other, 'str', 'enum') ?? [];
  if (typeof text === 'string') return [[text]];
  const [looked, column] = operandsOf(other, 'look') ?? [];
  if (typeof looked === 'string') return columnOf(looked, String(column), parts);
  const [table, keys] = operandsOf(condition, 'in') ?? [];
  const key = (Array.isArray(keys) ? keys : []).findIndex((one: unknown) => argumentOf(one) === argument);
  const name = key === -1 ? undefined : parts.plan.tables[String(table)]?.key[key];
  return name === undefined ? [] : columnOf(String(table), name, parts);
}

function columnOf(table: string, column: string, { rows }: PlanParts): readonly (readonly string[])[] {
  const known = rows.get(table);
  return known === undefined ? [] : [[...new Set(known.map((row) => String(row[column])))]];
}
