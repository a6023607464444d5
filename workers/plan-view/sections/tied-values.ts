import type { StepDocument } from '../../exact/plan-schema.ts';
import { type ListedValue, listedValues } from '../bounds/listed-values.ts';
import { looseArguments } from '../lint/free-arguments.ts';
import { code, listed } from '../markdown/escape.ts';
import { argumentOf, equalTo, operandsOf } from '../parts/expression.ts';
import { conditionsOf, fieldsOf, type PlanParts } from '../parts/plan-parts.ts';

const MAX_VALUES = 5;

/**
 * The values that the tied arguments of a step can have: in words such as "`payee`: `Acme` or `Borealis`".
 * @param isBrief whether those are left out of which the plan lists no values
 * @param without arguments of which something else is said
 */
export function tiedValues(
  step: StepDocument,
  parts: PlanParts,
  isBrief = false,
  without: ReadonlySet<string> = new Set(),
): readonly string[] {
  const loose = looseArguments(step, parts);
  const names = [...fieldsOf(parts.tools.get(step.tool)?.args).keys()];
  return names.flatMap((name) => {
    if (loose.includes(name) || without.has(name)) return [];
    const values = listedValues(step, name, parts);
    if (isBrief && values === undefined) return [];
    const row = rowOf(step, name, parts);
    const source = row === undefined ? '' : `by ${listed(row.keys.map(code))} in ${code(row.table)}: `;
    return [`${code(name)}: ${source}${values === undefined ? '**not listed**, see its conditions' : inWords(values)}`];
  });
}

/** The table whose row has the value of an argument, and the arguments that name the row. */
function rowOf(step: StepDocument, argument: string, parts: PlanParts) {
  for (const condition of conditionsOf(step, parts)) {
    const [table, , keys] = operandsOf(equalTo(condition, argument), 'look') ?? [];
    const names = Array.isArray(keys) ? keys.map((key: unknown) => argumentOf(key)) : [];
    const known = names.filter((name) => name !== undefined);
    if (typeof table === 'string' && known.length === names.length) return { table, keys: known };
  }
  return undefined;
}

function inWords(values: readonly ListedValue[]): string {
  if (values.length > MAX_VALUES) return `one of ${values.length} values`;
  return values.length === 0
    ? 'nothing'
    : listed(
        values.map((value) => value.inWords()),
        'or',
      );
}
