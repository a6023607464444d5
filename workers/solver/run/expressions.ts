import type { Expression } from '../language/terms.ts';
import type { MapUpdate, Plan, Step, Tool } from '../plan/plan.ts';

/** Every expression of a plan. */
export function expressionsOf({ tools, steps, constraints, sheets }: Plan): readonly Expression[] {
  return [
    ...[...tools.values()].flatMap((tool) => [...effectsOf(tool), ...tool.post.map(({ expression }) => expression)]),
    ...steps.flatMap((step) => [
      ...effectsOf(step),
      ...[...step.where, ...step.evidence.flatMap(({ binds }) => binds)].map(({ expression }) => expression),
    ]),
    ...constraints.map(({ expression }) => expression),
    ...sheets.flatMap(({ bind }) => [...bind.values()]),
  ];
}

/** The expressions of the changes that an action makes. */
export function effectsOf({ effects, mapEffects }: Pick<Tool | Step, 'effects' | 'mapEffects'>): readonly Expression[] {
  const updates: readonly MapUpdate[] = [...mapEffects.values()].flat();
  return [...effects.values(), ...updates.flatMap(({ key, value }) => [key, value])];
}
