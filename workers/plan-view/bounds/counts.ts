import type { StepDocument } from '../../exact/plan-schema.ts';
import { operandsOf } from '../parts/expression.ts';
import { type PlanParts, rulesOf } from '../parts/plan-parts.ts';
import { listedValues } from './listed-values.ts';

/**
 * How often a step can be done in one run: as often as it says, or less where a rule wants its actions to differ and the plan
 * lists what they can differ in.
 */
export function mostActions(step: StepDocument, parts: PlanParts): number {
  const kinds = uniqueArguments(step.step_id, parts).map((names) =>
    names.reduce((product, name) => product * (listedValues(step, name, parts)?.length ?? Number.POSITIVE_INFINITY), 1),
  );
  // Where fewer are possible than it wants, lint says so.
  return Math.max(step.min, Math.min(step.max, ...kinds));
}

/** The arguments by which no two actions of a step may be the same, for each rule that says so of all actions. */
export function uniqueArguments(stepId: string, parts: PlanParts): readonly (readonly string[])[] {
  return rulesOf(parts).flatMap((rule) => {
    const operands = operandsOf(rule, 'unique');
    const [range, binder, keys] = operands ?? [];
    if (operands?.length !== 3 || range !== stepId || !Array.isArray(keys)) return [];
    const names = keys.map((key: unknown) => {
      const [of, name] = operandsOf(key, 'arg') ?? [];
      return of === binder && typeof name === 'string' ? name : undefined;
    });
    return names.every((name) => name !== undefined) ? [names] : [];
  });
}
