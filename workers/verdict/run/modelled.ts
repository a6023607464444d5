import { effectsOf, referencesIn } from '../../plan/expressions.ts';
import type { Expression, Scoped, Term } from '../../plan/language/terms.ts';
import type { Value } from '../../plan/language/values.ts';
import { amountsOf, mentions } from '../../plan/never-modelled.ts';
import type { Step, Tool } from '../../plan/plan.ts';
import { argumentsThatMatter, type ValueWith } from './depends-on-arguments.ts';

/**
 * What a state value was computed from. `plan`: the text of the plan alone. `run`: the arguments of actions, or the
 * fact that an action changed the value. `responses`: the responses of tools alone, which nobody has computed.
 */
type Origin = 'plan' | 'run' | 'responses';

/** By state variable. A variable that is missing still has its initial value. */
export type Origins = ReadonlyMap<string, Origin>;

type State = ReadonlyMap<string, Value>;

interface Transition {
  readonly origins: Origins;
  readonly before: State;
  readonly after: State;
}

/** The changes that an action makes, as its tool or its step describes them. */
type Changes = Pick<Tool | Step, 'effects' | 'mapEffects'>;

/** The origins of the state after an action with these changes. */
export function originsAfter(changes: Changes, { origins, before, after }: Transition): Origins {
  const next = new Map(origins);
  for (const [name, effect] of changes.effects) {
    const isChanged = before.get(name) !== after.get(name);
    next.set(name, originOf(effect, origins) ?? (isChanged ? 'run' : originIn(origins, name)));
  }
  for (const [name, updates] of changes.mapEffects) {
    const found = updates.flatMap(({ key, value }) => [originOf(key, origins), originOf(value, origins)]);
    // Entries that other actions have set remain.
    const all = [...found, originIn(origins, name)];
    next.set(name, all.includes('responses') ? 'responses' : 'run');
  }
  return next;
}

/**
 * Whether an action counts as modelled: its tool observes a state value that was computed without the action's own
 * response, from the run and not from the plan's text alone. An action that keeps a part of its response in the state is
 * believed, so it counts as recorded. Otherwise the kept part would count as computed later. For an action that moves
 * money, such a value must depend on every number among its arguments. Otherwise the plan does not check how much was
 * moved.
 * @param origins origins of the state after the action
 * @param names terms of the action, with the state before it
 * @param valueWith how an effect is evaluated
 */
export function isModelled(
  tool: Tool,
  origins: Origins,
  { names, valueWith }: { readonly names: Scoped<Term>; readonly valueWith: (effect: Expression) => ValueWith },
): boolean {
  if (effectsOf(tool).some((effect) => mentions(effect, 'resp'))) return false;
  const computed = [...tool.observe.keys()].filter((name) => originIn(origins, name) === 'run');
  if (tool.effect !== 'revenue_write') return computed.length > 0;
  const matter = computed.flatMap((name) => {
    const effect = tool.effects.get(name);
    if (effect === undefined) return [];
    return [...argumentsThatMatter(effect, tool, { names, valueWith: valueWith(effect) })];
  });
  return matter.length > 0 && amountsOf(tool).every((name) => matter.includes(name));
}

/** Undefined for an effect that depends on the plan's text alone. */
function originOf(effect: Expression, origins: Origins): Origin | undefined {
  const references = referencesIn(effect);
  const states = references.filter(({ scope }) => scope === 'state').map(({ name }) => originIn(origins, name));
  if (mentions(effect, 'resp')) return 'responses';
  if (mentions(effect, 'arg') || states.includes('run')) return 'run';
  return states.includes('responses') ? 'responses' : undefined;
}

function originIn(origins: Origins, name: string): Origin {
  return origins.get(name) ?? 'plan';
}
