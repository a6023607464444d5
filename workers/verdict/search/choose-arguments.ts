import { defined } from '../../exact/defined.ts';
import type { Bounds } from '../../plan/bounds/linear.ts';
import { nameOf } from '../../plan/bounds/numbers.ts';
import { rangesOf } from '../../plan/bounds/step-ranges.ts';
import { type Expression, literal } from '../../plan/language/terms.ts';
import { isOfType, type Value } from '../../plan/language/values.ts';
import type { Plan, Step } from '../../plan/plan.ts';
import { keyText } from '../../plan/read/read-table.ts';
import { definitely, elaborate } from '../elaborate/elaborate.ts';
import { knownOutcome, knownValue } from '../elaborate/kleene.ts';
import type { Scope } from '../elaborate/scope.ts';
import type { PlacedAction } from '../run/placed-action.ts';
import type { Choose } from '../run/trace.ts';
import { conditionsOf, followsFrom } from './conditions.ts';
import { type Args, type Link, linksOf, type RowOrder } from './links.ts';

interface Chooser {
  readonly step: Step;
  readonly conditions: readonly Expression[];
  readonly links: readonly Link[];
  readonly bounds: Bounds;
}

/** Rows that are tried in a whole run. Each costs an evaluation of the conditions of its step. */
const MAX_TRIED = 20_000;

/**
 * Chooses arguments of actions that are not done yet: what the conditions say they equal, and keys of rows that no action of
 * the step has used yet. What is left stays open, for the solver.
 * @param areMany whether so many actions follow that nothing is left open: texts differ from each other, and numbers are as
 * small as the conditions allow
 */
export function createChooser(
  plan: Plan,
  done: readonly PlacedAction[],
  { order, areMany }: { readonly order: RowOrder; readonly areMany: boolean },
): Choose {
  const choosers = new Map<Step, Chooser>();
  const used = new Map<string, Set<string>>();
  const next = new Map<string, number>();
  let left = MAX_TRIED;
  for (const { step, args } of done) if (args !== undefined) markUsed(chooserOf(step), args);

  function chooserOf(step: Step): Chooser {
    const known = choosers.get(step);
    if (known !== undefined) return known;
    const conditions = conditionsOf(step, plan);
    const chooser = { step, conditions, links: linksOf(conditions, plan), bounds: rangesOf(step, plan, 'open') };
    choosers.set(step, chooser);
    return chooser;
  }

  function markUsed({ step, links }: Chooser, args: Args): void {
    for (const [index, link] of links.entries()) {
      const key = link.args.map((name) => args.get(name)).filter((value) => value !== undefined);
      if (key.length === link.args.length) usedOf(step, index).add(keyText(key));
    }
  }

  function usedOf(step: Step, link: number): Set<string> {
    const id = `${step.stepId} ${link}`;
    const set = used.get(id) ?? new Set<string>();
    used.set(id, set);
    return set;
  }

  /** The first unused row, from where the search ended before, with which no condition is false. */
  function fitRow(chooser: Chooser, index: number, args: Args, scope: Scope): Args | undefined {
    const { step, links } = chooser;
    const { size, keyAt, args: names } = defined(links[index]);
    const taken = usedOf(step, index);
    const id = `${step.stepId} ${index}`;
    let isContiguous = true;
    for (let at = next.get(id) ?? 0; at < size && left > 0; at++) {
      const key = keyAt(at, order);
      const isTaken = taken.has(keyText(key));
      if (!isTaken) {
        left -= 1;
        const withKey = new Map([...args, ...names.map((name, position) => [name, defined(key[position])] as const)]);
        const isSame = [...args].every(([name, value]) => withKey.get(name) === value);
        const found = isSame ? propagate(chooser, withKey, scope) : undefined;
        if (found !== undefined && obeys(chooser, found, scope)) return found;
        isContiguous = false;
      }
      if (isContiguous) next.set(id, at + 1);
    }
    return undefined;
  }

  return (action, scope) => {
    const chooser = chooserOf(action.step);
    let args = propagate(chooser, action.args ?? new Map(), scope) ?? action.args ?? new Map();
    for (const [index, link] of chooser.links.entries()) {
      if (link.args.every((name) => args.has(name))) continue;
      args = fitRow(chooser, index, args, scope) ?? args;
    }
    if (areMany) args = withLeastNumbers(chooser, withOwnTexts(action.step, args, action.path));
    markUsed(chooser, args);
    return args;
  };
}

function withLeastNumbers({ step, bounds }: Chooser, args: Args): Args {
  const open = [...step.tool.args.keys()].flatMap((name): readonly (readonly [string, Value])[] => {
    const interval = args.has(name) ? undefined : bounds.get(nameOf('arg', name));
    if (interval === undefined) return [];
    const { min = 0n, max = 0n } = interval;
    return [[name, min > 0n ? min : max < 0n ? max : 0n]];
  });
  return new Map([...args, ...open]);
}

/** Gives each open text a value that no other action has: its path, which is folded in every way. */
function withOwnTexts({ tool }: Step, args: Args, path: string): Args {
  const open = [...tool.args].filter(([name, type]) => {
    return type.type === 'string' && !args.has(name) && type.max >= path.length;
  });
  return new Map([...args, ...open.map(([name]) => [name, path] as const)]);
}

/** The arguments with those that equal known values. Undefined if they would be outside their types. */
export function propagate(
  { step, conditions }: Pick<Chooser, 'step' | 'conditions'>,
  args: Args,
  scope: Scope,
): Args | undefined {
  const known = new Map(args);
  const { args: types } = step.tool;
  for (const [name, value] of args) {
    const type = types.get(name);
    if (type === undefined || !isOfType(value, type)) return undefined;
  }
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    const literals = new Map([...known].map(([name, value]) => [name, literal(value)]));
    const inside = { ...scope, names: { ...scope.names, arg: literals }, memo: new Map() };
    for (const condition of conditions) {
      const found = assigned(condition, known, inside);
      if (found === undefined) continue;
      const type = types.get(found.name);
      if (type === undefined || !isOfType(found.value, type)) return undefined;
      known.set(found.name, found.value);
      isChanged = true;
      break;
    }
  }
  return known;
}

function assigned(
  condition: Expression,
  known: Args,
  scope: Scope,
): { readonly name: string; readonly value: Value } | undefined {
  const nameOf = (expression: Expression): string | undefined =>
    expression.op === 'reference' && expression.scope === 'arg' && !known.has(expression.name)
      ? expression.name
      : undefined;
  const own = nameOf(condition);
  if (own !== undefined) return { name: own, value: true };
  if (condition.op === 'not') {
    const denied = nameOf(condition.arg);
    return denied === undefined ? undefined : { name: denied, value: false };
  }
  const needed = neededBy(condition).find((name) => !known.has(name));
  if (needed !== undefined) return { name: needed, value: true };
  if (condition.op !== '=') return undefined;
  for (const [one, other] of [
    [condition.left, condition.right],
    [condition.right, condition.left],
  ] as const) {
    const name = nameOf(one);
    if (name === undefined || !followsFrom(other, known)) continue;
    const value = knownOutcome(elaborate(other, scope));
    if (value !== undefined) return { name, value };
  }
  return undefined;
}

/** What must be there, or the condition is not true. */
function neededBy(condition: Expression): readonly string[] {
  const isComparison = condition.op === '=' || condition.op === '<' || condition.op === '<=';
  const operands = isComparison ? [condition.left, condition.right] : condition.op === 'in' ? condition.keys : [];
  return operands.flatMap((one) => (one.op === 'reference' && one.scope === 'arg' ? (one.needs ?? []) : []));
}

/** Whether no condition is false whose truth follows from these arguments. */
export function obeys({ conditions }: Pick<Chooser, 'conditions'>, args: Args, scope: Scope): boolean {
  const literals = new Map([...args].map(([name, value]) => [name, literal(value)]));
  const inside = { ...scope, names: { ...scope.names, arg: literals }, memo: new Map() };
  return conditions.every(
    (condition) => !followsFrom(condition, args) || knownValue(definitely(condition, inside)) !== false,
  );
}
