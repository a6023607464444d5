import { effectsOf, referencesIn } from './expressions.ts';
import type { Expression } from './language/terms.ts';
import { walkExpressions } from './language/walk.ts';
import type { Plan, Tool } from './plan.ts';

/** Whether every action of a tool is believed, and counts as recorded. */
export const isAlwaysRecorded = (tool: Tool, plan: Plan): boolean =>
  tool.replay === 'recorded' || neverModelled(tool, plan) !== undefined;

/** Why no action of a tool can ever count as modelled. Undefined if the plan's text does not rule it out. */
export function neverModelled(tool: Tool, plan: Plan): 'repeats_response' | 'says_nothing' | undefined {
  if (tool.replay !== 'effects') return undefined;
  if (effectsOf(tool).some((effect) => mentions(effect, 'resp'))) return 'repeats_response';
  const computed = [...tool.observe.keys()].filter((name) => mayBeComputed(tool, name, plan));
  return computed.length > 0 && mayNumbersMatter(tool, computed) ? undefined : 'says_nothing';
}

function mayBeComputed(tool: Tool, name: string, plan: Plan): boolean {
  const effect = tool.effects.get(name);
  if (tool.effect === 'revenue_write' && !mentions(effect, 'arg')) return false;
  if (effect !== undefined) return mayCompute(effect, name);
  return plan.steps.some((step) => {
    const other = step.tool.effects.get(name);
    return other !== undefined && mayCompute(other, name);
  });
}

/** Whether a computed value mentions each number among the arguments. Only tools that move money need that. */
function mayNumbersMatter(tool: Tool, computed: readonly string[]): boolean {
  if (tool.effect !== 'revenue_write') return true;
  const mentioned = computed.flatMap((name) => {
    const effect = tool.effects.get(name);
    return effect === undefined ? [] : referencesIn(effect).filter(({ scope }) => scope === 'arg');
  });
  return amountsOf(tool).every((number) => mentioned.some(({ name }) => name === number));
}

/** The arguments that are numbers. */
export function amountsOf({ args }: Tool): readonly string[] {
  return [...args].flatMap(([name, { type }]) => (type === 'int' || type === 'decimal' ? [name] : []));
}

/** Whether an effect computes a value. One that repeats the response or keeps the old value does not. */
function mayCompute(effect: Expression, name: string): boolean {
  const isUnchanged = effect.op === 'reference' && effect.scope === 'state' && effect.name === name;
  return !isUnchanged && !mentions(effect, 'resp');
}

/** Whether an effect depends on arguments, or on what the action reports: its response or its times. */
export function mentions(effect: Expression | undefined, scope: 'arg' | 'resp'): boolean {
  if (effect === undefined) return false;
  if (scope === 'resp' && reportsTime(effect)) return true;
  return referencesIn(effect).some((reference) => reference.scope === scope);
}

/** Whether an effect depends on the times of its action. Nobody has computed them, like a response. */
function reportsTime(effect: Expression): boolean {
  let found = false;
  walkExpressions([effect], (node) => {
    if (node.op === 'own') found = true;
  });
  return found;
}
