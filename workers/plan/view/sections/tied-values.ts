import { type ListedValues, listedValues } from '../../bounds/listed-values.ts';
import { claimsOfStep } from '../../claims.ts';
import type { ValueType } from '../../language/types.ts';
import { looseArguments } from '../../lint/free-arguments.ts';
import { argumentOf, equalTo } from '../../own-parts.ts';
import type { Plan, Step } from '../../plan.ts';
import { valueInWords } from '../words/amount.ts';
import { code, listed } from '../words/escape.ts';

const MAX_VALUES = 5;

/**
 * The values that the tied arguments of a step can have: in words such as "`payee`: `Acme` or `Borealis`".
 * @param isBrief whether those are left out of which the plan lists no values
 * @param without arguments of which something else is said
 */
export function tiedValues(
  step: Step,
  plan: Plan,
  isBrief = false,
  without: ReadonlySet<string> = new Set(),
): readonly string[] {
  const loose = looseArguments(step, plan);
  return [...step.tool.args].flatMap(([name, type]) => {
    if (loose.includes(name) || without.has(name)) return [];
    const values = listedValues(step, name, plan);
    if (isBrief && values === undefined) return [];
    const row = rowOf(step, name, plan);
    const source = row === undefined ? '' : `by ${listed(row.keys.map(code))} in ${code(row.table)}: `;
    return [
      `${code(name)}: ${source}${values === undefined ? '**not listed**, see its conditions' : inWords(values, type)}`,
    ];
  });
}

/** The table whose row has the value of an argument, and the arguments that name the row. */
function rowOf(step: Step, argument: string, plan: Plan) {
  for (const condition of claimsOfStep(step, plan)) {
    const look = equalTo(condition, argument);
    if (look?.op !== 'look') continue;
    const keys = look.keys.flatMap((key) => argumentOf(key) ?? []);
    if (keys.length === look.keys.length) return { table: look.table, keys };
  }
  return undefined;
}

function inWords(values: ListedValues, type: ValueType): string {
  if (values.size > MAX_VALUES) return `one of ${values.size} values`;
  const words = Array.from(values, (value) => valueInWords(value, type));
  return words.length === 0 ? 'nothing' : listed(words, 'or');
}
