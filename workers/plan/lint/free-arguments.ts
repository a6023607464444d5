import { claimsOfStep } from '../claims.ts';
import { isChanged } from '../expressions.ts';
import { onePerPart, spokenPart } from '../language/parts.ts';
import type { Expression, ScopeWord } from '../language/terms.ts';
import { argumentOf, equalTo, rowFor, saysAbsent } from '../own-parts.ts';
import type { Plan, Step } from '../plan.ts';
import { type Ranges, withRange } from '../walk-ranges.ts';

/** Arguments of a step that are no numbers, and that no condition ties to anything: the agent chooses them. As authors write them. */
export const freeArguments = (step: Step, plan: Plan): readonly string[] =>
  onePerPart(looseArguments(step, plan).filter((name) => !isNumber(step, name))).map(spokenPart);

/** All arguments of a step that no condition ties to anything. Numbers may have bounds. */
export const looseArguments = (step: Step, plan: Plan): readonly string[] =>
  [...step.tool.args.keys()].filter((argument) => !isTied({ step, argument }, { plan, asked: [], ranges: new Map() }));

export function isNumber({ tool }: Step, name: string): boolean {
  const type = tool.args.get(name)?.type;
  return type === 'int' || type === 'decimal';
}

interface Argument {
  readonly step: Step;
  readonly argument: string;
}

interface Place {
  readonly plan: Plan;
  /** Arguments that are asked about, of which none is tied to itself. */
  readonly asked: readonly Argument[];
  readonly ranges: Ranges;
}

function isTied(one: Argument, place: Place): boolean {
  const isAsked = place.asked.some(({ step, argument }) => step === one.step && argument === one.argument);
  if (isAsked) return false;
  const type = one.step.tool.args.get(one.argument);
  if (type?.type === 'enum' && type.values.length === 1) return true;
  const inside = { ...place, asked: [...place.asked, one], ranges: new Map() };
  return claimsOfStep(one.step, place.plan).some((condition) => ties(condition, one.argument, inside));
}

/** Whether a condition can only hold for values of the argument that the agent does not choose. */
function ties(condition: Expression, argument: string, place: Place): boolean {
  if (rowFor(condition, argument) !== undefined) return true;
  const equal = equalTo(condition, argument);
  if (equal !== undefined && isGiven(equal, place)) return true;
  const tied = (part: Expression) => ties(part, argument, place);
  switch (condition.op) {
    // A truth value that is a condition itself, or the opposite of one.
    case 'reference':
      return argumentOf(condition) === argument;
    case 'not':
      return argumentOf(condition.arg) === argument;
    case 'and':
      return condition.args.some(tied);
    case 'or':
      // Where the argument is not there, it has no value to be chosen.
      return condition.args.filter((part) => !saysAbsent(part, argument)).every(tied);
    case 'ite':
      return tied(condition.whenTrue) && tied(condition.whenFalse);
    case 'any':
      return (
        condition.body !== undefined &&
        ties(condition.body, argument, { ...place, ranges: withRange(condition, place.ranges) })
      );
    default:
      return false;
  }
}

/**
 * Whether the agent does not choose the value, on any path: a constant, a column of a table, a response of another step all of
 * whose arguments are tied, a state that nothing changes, or an argument of another step that is tied itself.
 */
function isGiven(expression: Expression, place: Place): boolean {
  const given = (part: Expression) => isGiven(part, place);
  switch (expression.op) {
    case 'literal':
    case 'look':
    case 'run':
      return true;
    case '+':
      return expression.args.every(given);
    case '*':
    case 'div':
      return given(expression.arg);
    case 'min':
    case 'max':
    case 'times':
      return given(expression.left) && given(expression.right);
    // A condition may choose between values that all are given.
    case 'ite':
      return given(expression.whenTrue) && given(expression.whenFalse);
    case 'reference': {
      const { scope, name } = expression;
      const asked = place.asked.at(-1);
      if (scope === 'arg' && asked !== undefined) return isTied({ step: asked.step, argument: name }, place);
      return FIXED.has(scope) && !(scope !== 'var' && isChanged(name, place.plan));
    }
    case 'at':
      return !isChanged(expression.map, place.plan);
    case 'part':
      return expression.part === 'col' || isGivenPart(expression, place);
    default:
      return false;
  }
}

const FIXED: ReadonlySet<ScopeWord> = new Set<ScopeWord>(['var', 'state', 'final']);

function isGivenPart({ binder, part, name }: Extract<Expression, { op: 'part' }>, place: Place): boolean {
  const range = place.ranges.get(binder);
  const step = place.plan.steps.find(({ stepId }) => range?.kind === 'step' && stepId === range.name);
  if (step === undefined || step === place.asked.at(-1)?.step) return false;
  if (part === 'arg') return isTied({ step, argument: name }, place);
  // Whoever chooses what is asked chooses among the answers.
  return part === 'resp' && [...step.tool.args.keys()].every((argument) => isTied({ step, argument }, place));
}
