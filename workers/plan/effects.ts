import type { Expression } from '../solver/language/terms.ts';
import type { MapUpdate, Plan, Step, Tool } from '../solver/plan/plan.ts';

type Effects = Pick<Tool | Step, 'effects' | 'mapEffects'>;

/** What changes states and maps: the tools, and the steps themselves. */
const changersOf = ({ tools, steps }: Plan): readonly Effects[] => [...tools.values(), ...steps];

/** Whether an action may change the state or the map. */
export const isChanged = (name: string, plan: Plan): boolean =>
  changersOf(plan).some(({ effects, mapEffects }) => effects.has(name) || mapEffects.has(name));

/** The expressions of the changes that an action makes. */
export function effectsOf({ effects, mapEffects }: Effects): readonly Expression[] {
  const updates: readonly MapUpdate[] = [...mapEffects.values()].flat();
  return [...effects.values(), ...updates.flatMap(({ key, value }) => [key, value])];
}
