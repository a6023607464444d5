import { defined } from '../../exact/defined.ts';
import { claimsOfRun } from '../claims.ts';
import type { Plan, Step } from '../plan.ts';
import { ANY } from './interval.ts';
import { listedValues } from './listed-values.ts';
import { nameOf } from './numbers.ts';
import { casesOf, rangesOf } from './step-ranges.ts';

/** How many values an argument can have: those that the plan lists, or those of its type within its bounds. Unknown: enough. */
export function countOfValues(step: Step, argument: string, plan: Plan): number {
  const listed = casesOf(step, argument, plan) ?? listedValues(step, argument, plan);
  if (listed !== undefined) return listed.size;
  const type = defined(step.tool.args.get(argument));
  if (type.type === 'enum') return type.values.length;
  const { min, max } = rangesOf(step, plan, 'proven').get(nameOf('arg', argument)) ?? ANY;
  return min === undefined || max === undefined ? step.max : Math.max(0, Number(max - min + 1n));
}

/** How often a step can be done, where rules want its actions to differ: as often as there are values in which they can differ. */
export const distinctActions = (step: Step, plan: Plan): number =>
  Math.min(
    step.max,
    ...uniqueArguments(step, plan).map(({ names }) =>
      names.reduce((product, name) => product * countOfValues(step, name, plan), 1),
    ),
  );

/** The arguments by which no two actions of a step may be the same, for each rule that says so of all actions. */
export const uniqueArguments = ({ stepId }: Step, plan: Plan) =>
  claimsOfRun(plan).flatMap(({ id, expression: rule }) => {
    if (
      rule.op !== 'unique' ||
      rule.range.kind !== 'step' ||
      rule.range.name !== stepId ||
      rule.condition !== undefined
    )
      return [];
    const names = rule.keys.flatMap((key) =>
      key.op === 'part' && key.part === 'arg' && key.binder === rule.binder ? [key.name] : [],
    );
    return names.length === rule.keys.length ? [{ id, names }] : [];
  });
