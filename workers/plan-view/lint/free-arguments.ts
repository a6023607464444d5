import type { StepDocument } from '../../exact/plan-schema.ts';
import { argumentOf, type Expr, equalTo, operandsOf } from '../parts/expression.ts';
import { COMPARISONS, lookUpOf } from '../parts/look-ups.ts';
import { conditionsOf, fieldsOf, isChanged, type PlanParts } from '../parts/plan-parts.ts';

/** Arguments of a step that are no numbers, and that no condition ties to anything: the agent chooses them. */
export function freeArguments(step: StepDocument, parts: PlanParts): readonly string[] {
  return looseArguments(step, parts).filter((name) => !isNumber(step, name, parts));
}

/** All arguments of a step that no condition ties to anything. Numbers may have bounds. */
export function looseArguments(step: StepDocument, parts: PlanParts): readonly string[] {
  const names = [...fieldsOf(parts.tools.get(step.tool)?.args).keys()];
  return names.filter((argument) => !isTied({ step, argument }, { parts, asked: [], ranges: new Map() }));
}

export function isNumber(step: StepDocument, name: string, { tools }: PlanParts): boolean {
  const type = fieldsOf(fieldsOf(tools.get(step.tool)?.args).get(name)).get('type');
  return type === 'int' || type === 'decimal';
}

interface Argument {
  readonly step: StepDocument;
  readonly argument: string;
}

interface Place {
  readonly parts: PlanParts;
  /** Arguments that are asked about, of which none is tied to itself. */
  readonly asked: readonly Argument[];
  /** What names of aggregates stand for. */
  readonly ranges: ReadonlyMap<unknown, Expr>;
}

function isTied(one: Argument, place: Place): boolean {
  const isAsked = place.asked.some(({ step, argument }) => step === one.step && argument === one.argument);
  if (isAsked) return false;
  const inside = { ...place, asked: [...place.asked, one], ranges: new Map() };
  return conditionsOf(one.step, place.parts).some((condition) => ties(condition, one.argument, inside));
}

/** Whether a condition can only hold for values of the argument that the agent does not choose. */
function ties(expr: Expr, argument: string, place: Place): boolean {
  // Without the row, the comparison would be undefined, and the condition not true.
  if (operandsOf(expr, ...COMPARISONS) !== undefined && lookUpOf(expr, argument) !== undefined) return true;
  const equal = equalTo(expr, argument);
  if (equal !== undefined && isGiven(equal, place)) return true;
  // A truth value that is a condition itself, or the opposite of one.
  if (argumentOf(operandsOf(expr, 'not')?.[0] ?? expr) === argument) return true;
  const [, keys] = operandsOf(expr, 'in') ?? [];
  if (Array.isArray(keys)) return keys.some((key: unknown) => argumentOf(key) === argument);
  const every = operandsOf(expr, 'and');
  if (every !== undefined) return every.some((part) => ties(part, argument, place));
  const some = operandsOf(expr, 'or') ?? operandsOf(expr, 'ite')?.slice(1);
  if (some !== undefined) return some.every((part) => ties(part, argument, place));
  const [range, binder, body] = operandsOf(expr, 'exists') ?? [];
  if (body === undefined) return false;
  return ties(body, argument, { ...place, ranges: new Map([...place.ranges, [binder, range]]) });
}

/** Operators of which every operand must be given. A condition may choose between values that all are given. */
const OF_OPERANDS = new Set('+ - * div min max'.split(' '));
const CONSTANTS = new Set('int dec str enum bool time duration var look col run'.split(' '));

/**
 * Whether the agent does not choose the value, on any path: a constant, a column of a table, a response of another step all of
 * whose arguments are tied, a state that nothing changes, or an argument of another step that is tied itself.
 */
function isGiven(expr: Expr, place: Place): boolean {
  if (typeof expr === 'number') return true;
  const [operator, first, second, third]: readonly unknown[] = Array.isArray(expr) ? expr : [];
  if (CONSTANTS.has(String(operator))) return true;
  if (OF_OPERANDS.has(String(operator))) return (operandsOf(expr) ?? []).every((part) => isGiven(part, place));
  switch (operator) {
    case 'ite':
      return isGiven(second, place) && isGiven(third, place);
    case 'state':
    case 'final':
      return !isChanged(String(first), place.parts);
    case 'at':
      return !isChanged(String(second), place.parts);
    case 'arg':
    case 'resp': {
      const step = place.parts.plan.steps.find(({ step_id }) => step_id === place.ranges.get(first));
      const isOwn = step === undefined || step === place.asked.at(-1)?.step;
      if (isOwn) return false;
      if (operator === 'arg') return isTied({ step, argument: String(second) }, place);
      // Whoever chooses what is asked chooses among the answers.
      return [...fieldsOf(place.parts.tools.get(step.tool)?.args).keys()].every((argument) =>
        isTied({ step, argument }, place),
      );
    }
    default:
      return false;
  }
}
