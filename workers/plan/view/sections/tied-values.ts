import { defined } from '../../../exact/defined.ts';
import { type ListedValues, listedIfThere } from '../../bounds/listed-values.ts';
import { claimsOfStep } from '../../claims.ts';
import { groupsOf, neededFor, onePerPart, presenceOf, spokenPart } from '../../language/parts.ts';
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
  return onePerPart([...step.tool.args.keys()]).flatMap((name) => {
    const type = defined(step.tool.args.get(name));
    if (loose.includes(name) || without.has(name)) return [];
    const values = listedIfThere(step, name, plan);
    if (isBrief && values === undefined) return [];
    const row = rowOf(step, name, plan);
    const source =
      row === undefined ? '' : `by ${listed(row.keys.map((key) => code(spokenPart(key))))} in ${code(row.table)}: `;
    return [
      `${partInWords(step, name)}: ${source}${values === undefined ? '**not listed**, see its conditions' : inWords(values, type)}`,
    ];
  });
}

/** A part of the arguments, and whether it may be left out, or how many of it there are. */
export function partInWords({ tool: { args } }: Step, name: string): string {
  const notes = neededFor(name, args).some((presence) => !presence.includes('#')) ? ['may be left out'] : [];
  const list = name.includes('#') ? groupsOf(args).get(name.slice(0, name.indexOf('#'))) : undefined;
  if (list !== undefined) {
    const least = list.parts.filter((part) => !args.has(presenceOf(part))).length;
    notes.push(least === list.parts.length ? `${least} of them` : `${least} to ${list.parts.length} of them`);
  }
  return `${code(spokenPart(name))}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`;
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
