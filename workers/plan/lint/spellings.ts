import { defined } from '../../exact/defined.ts';
import { foldText, isFolded } from '../../exact/fold-text.ts';
import type { Finding } from '../finding.ts';
import { onePerPart, spokenPart } from '../language/parts.ts';
import type { Plan } from '../plan.ts';
import { looseArguments } from './free-arguments.ts';
import { type TextComparison, type TextSource, textComparisons } from './text-comparisons.ts';

type Argument = Extract<TextSource, { kind: 'argument' }>;

/** Comparisons of arguments that depend on how a text is spelled. */
export function spellingDangers(plan: Plan): readonly Finding[] {
  const comparisons = textComparisons(plan).flatMap(([one, other]): readonly TextComparison[] => [
    [one, other],
    [other, one],
  ]);
  const found = [...unfoldedValues(comparisons, plan), ...unfoldedArguments(comparisons, plan)];
  return [...new Map(found.map((each) => [JSON.stringify(each), each])).values()];
}

/** Values with which an argument that is folded is never equal. */
function unfoldedValues(comparisons: readonly TextComparison[], plan: Plan): readonly Finding[] {
  return comparisons.flatMap(([argument, other]): readonly Finding[] => {
    if (argument.kind !== 'argument') return [];
    const { fold } = textTypeOf(argument) ?? {};
    if (fold === undefined) return [];
    const say = (path: string, where: string, text: string): Finding => {
      const [is, wanted] = [text, foldText(text, fold)].map((each) => JSON.stringify(each));
      const message = `${where} ${is}, with which ${nameOf(argument)} (${fold}) is never equal: write ${wanted}`;
      return { code: 'VALUE_NOT_FOLDED', path, message };
    };
    if (other.kind === 'text')
      return isFolded(other.text, fold) ? [] : [say(pathOf(argument, plan), 'there is', other.text)];
    if (other.kind !== 'column') return [];
    const { rows, positions } = defined(plan.tables.get(other.table));
    const position = defined(positions.get(other.column));
    const index = rows.findIndex((row) => !isFolded(String(row[position]), fold));
    const value = rows[index]?.[position];
    if (value === undefined) return [];
    return [say(`/tables/${other.table}`, `${other.column} of row ${index + 1} is`, String(value))];
  });
}

/**
 * Arguments of acts that write, which another spelling would let through: the agent chooses the text, or two lists may spell it
 * differently, or the operator counts by it.
 */
function unfoldedArguments(comparisons: readonly TextComparison[], plan: Plan): readonly Finding[] {
  return plan.steps.flatMap((step): readonly Finding[] => {
    if (step.tool.effect === 'none') return [];
    const loose = new Set(looseArguments(step, plan));
    return onePerPart([...step.tool.args.keys()]).flatMap((name): readonly Finding[] => {
      const argument: Argument = { kind: 'argument', step, name };
      const type = textTypeOf(argument);
      if (type === undefined || type.fold !== undefined) return [];
      const limits = step.tool.limits.flatMap(({ id, per }) => (per === name ? [`the limit ${id}`] : []));
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
      return [{ code: 'ARGUMENT_NOT_FOLDED', path: pathOf(argument, plan), message }];
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

const nameOf = ({ step, name }: Argument): string => `args.${spokenPart(name)} of ${step.stepId}`;
const pathOf = ({ step }: Argument, { steps }: Plan): string => `/steps/${steps.indexOf(step)}`;

/** The type of an argument, if it is a text. */
function textTypeOf({ step, name }: Argument) {
  const type = step.tool.args.get(name);
  return type?.type === 'string' ? type : undefined;
}
