import type { StepDocument } from '../../exact/plan-schema.ts';
import { looseArguments } from '../lint/free-arguments.ts';
import { code, listed } from '../markdown/escape.ts';
import { argumentOf, conjunctsOf, type Expr, equalTo, operandsOf } from '../parts/expression.ts';
import { conditionsOf, constantText, fieldsOf, isChanged, type PlanParts } from '../parts/plan-parts.ts';

const MAX_VALUES = 5;

/** The values that the tied texts of an act can have: in words such as "`payee`: `Acme` or `Borealis`". */
export function tiedValues(step: StepDocument, parts: PlanParts): readonly string[] {
  const args = fieldsOf(parts.tools.get(step.tool)?.args);
  const conditions = conditionsOf(step, parts);
  const loose = looseArguments(step, parts);
  return [...args].flatMap(([name, type]) => {
    const kind = fieldsOf(type).get('type');
    if (kind !== 'string' && kind !== 'enum') return [];
    if (loose.includes(name)) return [];
    const values = conditions.flatMap((condition) => {
      const found = valuesIn(condition, name, parts);
      return found === undefined ? [] : [found];
    });
    // The condition that leaves least.
    const [fewest] = values.toSorted((one, other) => one.length - other.length);
    return [`${code(name)}: ${fewest === undefined ? '**not listed**, see its conditions' : inWords(fewest)}`];
  });
}

function inWords(values: readonly string[]): string {
  if (values.length > MAX_VALUES) return `one of ${values.length} values`;
  return values.length === 0 ? 'nothing' : listed(values.map(code), 'or');
}

/** The values that a condition leaves to an argument. Undefined if it does not list them. */
function valuesIn(condition: Expr, argument: string, parts: PlanParts): readonly string[] | undefined {
  const equal = equalTo(condition, argument);
  if (equal !== undefined) return valuesOf(equal, parts);
  const alternatives = operandsOf(condition, 'or');
  if (alternatives !== undefined) return union(alternatives.map((one) => valuesIn(one, argument, parts)));
  const [table, keys] = operandsOf(condition, 'in') ?? [];
  const key = (Array.isArray(keys) ? keys : []).findIndex((one: unknown) => argumentOf(one) === argument);
  const name = key === -1 ? undefined : parts.plan.tables[String(table)]?.key[key];
  if (name !== undefined) return columnOf(String(table), name, parts);
  const [range, binder, body] = operandsOf(condition, 'exists') ?? [];
  const [ofTable] = operandsOf(range, 'table') ?? [];
  if (ofTable === undefined) return undefined;
  for (const part of conjunctsOf(body)) {
    const sides = operandsOf(part, '=') ?? [];
    const column = sides.map((side) => operandsOf(side, 'col')).find((operands) => operands?.[0] === binder)?.[1];
    const isCompared = sides.some((side) => argumentOf(side) === argument);
    if (isCompared && column !== undefined) return columnOf(String(ofTable), String(column), parts);
  }
  return undefined;
}

/** The values that an expression can have. Undefined if they are not listed in the plan. */
function valuesOf(expr: Expr, parts: PlanParts): readonly string[] | undefined {
  const text = constantText(expr, parts);
  if (text !== undefined) return [text];
  const [state] = operandsOf(expr, 'state') ?? [];
  if (typeof state === 'string') {
    const initial = fieldsOf(parts.plan.state[state]).get('initial');
    return typeof initial === 'string' && !isChanged(state, parts) ? [initial] : undefined;
  }
  const [table, column] = operandsOf(expr, 'look') ?? [];
  if (typeof table === 'string') return columnOf(table, String(column), parts);
  const branches = operandsOf(expr, 'ite')?.slice(1);
  return branches && union(branches.map((branch) => valuesOf(branch, parts)));
}

function union(lists: readonly (readonly string[] | undefined)[]): readonly string[] | undefined {
  const known = lists.flatMap((list) => (list === undefined ? [] : [list]));
  return known.length === lists.length ? [...new Set(known.flat())] : undefined;
}

function columnOf(table: string, column: string, { rows }: PlanParts): readonly string[] | undefined {
  const known = rows.get(table);
  return known && [...new Set(known.map((row) => String(row[column])))];
}
