import { type Fold, foldOfType, foldText, isFolded } from '../../exact/fold-text.ts';
import { type Finding, fieldsOf, type PlanParts } from '../parts/plan-parts.ts';
import { looseArguments } from './free-arguments.ts';
import { type TextComparison, type TextSource, textComparisons } from './text-comparisons.ts';

type Argument = Extract<TextSource, { kind: 'argument' }>;

/** Comparisons of arguments that depend on how a text is spelled. */
export function spellingDangers(parts: PlanParts): readonly Finding[] {
  const comparisons = textComparisons(parts).flatMap(([one, other]): readonly TextComparison[] => [
    [one, other],
    [other, one],
  ]);
  const found = [...unfoldedValues(comparisons, parts), ...unfoldedArguments(comparisons, parts)];
  return [...new Map(found.map((each) => [JSON.stringify(each), each])).values()];
}

/** Values with which an argument that is folded is never equal. */
function unfoldedValues(comparisons: readonly TextComparison[], parts: PlanParts): readonly Finding[] {
  return comparisons.flatMap(([argument, other]): readonly Finding[] => {
    if (argument.kind !== 'argument') return [];
    const { fold } = textTypeOf(argument, parts) ?? {};
    if (fold === undefined) return [];
    const say = (path: string, where: string, text: string): Finding => {
      const [is, wanted] = [text, foldText(text, fold)].map((each) => JSON.stringify(each));
      const message = `${where} ${is}, with which ${nameOf(argument)} (${fold}) is never equal: write ${wanted}`;
      return { code: 'VALUE_NOT_FOLDED', path, message };
    };
    if (other.kind === 'text')
      return isFolded(other.text, fold) ? [] : [say(pathOf(argument, parts), 'there is', other.text)];
    if (other.kind !== 'column') return [];
    const rows = parts.rows.get(other.table) ?? [];
    const index = rows.findIndex((row) => !isFolded(String(row[other.column]), fold));
    const value = rows[index]?.[other.column];
    if (value === undefined) return [];
    return [say(`/tables/${other.table}`, `${other.column} of row ${index + 1} is`, String(value))];
  });
}

/**
 * Arguments of acts that write, which another spelling would let through: the agent chooses the text, or two lists may spell it
 * differently, or the operator counts by it.
 */
function unfoldedArguments(comparisons: readonly TextComparison[], parts: PlanParts): readonly Finding[] {
  return parts.plan.steps.flatMap((step): readonly Finding[] => {
    const tool = fieldsOf(parts.tools.get(step.tool));
    if (tool.get('effect') !== 'write' && tool.get('effect') !== 'revenue_write') return [];
    const loose = new Set(looseArguments(step, parts));
    return [...fieldsOf(tool.get('args')).keys()].flatMap((name): readonly Finding[] => {
      const argument: Argument = { kind: 'argument', step, name };
      const type = textTypeOf(argument, parts);
      if (type === undefined || type.fold !== undefined) return [];
      const limits = limitsPer(name, tool.get('limits'));
      const others = new Set(
        comparisons.flatMap(([one, other]) => {
          const isIt = one.kind === 'argument' && one.step === step && one.name === name;
          return isIt ? comparedWith(other) : [];
        }),
      );
      const tables = [...others].filter((other) => other.startsWith('the table '));
      const matters = loose.has(name) ? others.size > 0 : tables.length > 1;
      const against = [...(matters ? others : []), ...limits];
      if (against.length === 0) return [];
      const message = `${nameOf(argument)} is compared character by character (${against.join(', ')}), so another spelling is another value: let the catalogue fold it, as in string(${type.max}, trimmed) or string(254, email)`;
      return [{ code: 'ARGUMENT_NOT_FOLDED', path: pathOf(argument, parts), message }];
    });
  });
}

function comparedWith(other: TextSource): readonly string[] {
  switch (other.kind) {
    case 'column':
      return [`the table ${other.table}`];
    case 'argument':
      return [nameOf(other)];
    case 'actions':
      return [other.what];
    case 'text':
      return [];
  }
}

function limitsPer(name: string, limits: unknown): readonly string[] {
  if (!Array.isArray(limits)) return [];
  return limits.flatMap((limit: unknown) => {
    const fields = fieldsOf(limit);
    return fields.get('per') === name ? [`the limit ${String(fields.get('id'))}`] : [];
  });
}

const nameOf = ({ step, name }: Argument): string => `args.${name} of ${step.step_id}`;
const pathOf = ({ step }: Argument, { plan }: PlanParts): string => `/steps/${plan.steps.indexOf(step)}`;

/** The type of an argument, if it is a text. */
function textTypeOf(
  { step, name }: Argument,
  { tools }: PlanParts,
): { readonly max: number; readonly fold: Fold | undefined } | undefined {
  const type = fieldsOf(tools.get(step.tool)?.args).get(name);
  const fields = fieldsOf(type);
  return fields.get('type') === 'string' ? { max: Number(fields.get('max')), fold: foldOfType(type) } : undefined;
}
