import { defined } from '../../exact/defined.ts';
import type { Plan, Step } from '../../plan/plan.ts';
import type { Scope } from '../elaborate/scope.ts';
import { obeys, propagate } from './choose-arguments.ts';
import { conditionsOf } from './conditions.ts';
import { type Args, AS_WRITTEN, requiredLink } from './links.ts';

/** Maximum number of rows that are counted one by one. */
const MAX_ROWS = 256;

/**
 * The rows of which every action of the step has one in a run that obeys the plan: what a list or a table says about its
 * arguments. Undefined if no condition requires one, or there are too many.
 * @param scope that of some action
 */
export function listedRows(step: Step, plan: Plan, scope: Scope): readonly Args[] | undefined {
  const conditions = conditionsOf(step, plan);
  const links = conditions.flatMap((condition) => requiredLink(condition, plan) ?? []);
  const [link] = links.toSorted((one, other) => one.size - other.size);
  if (link === undefined || link.size > MAX_ROWS) return undefined;
  const rows = Array.from({ length: link.size }, (_, index) => {
    const key = link.keyAt(index, AS_WRITTEN);
    const known = new Map(link.args.map((name, position) => [name, defined(key[position])] as const));
    const args = propagate({ step, conditions }, known, scope);
    return args !== undefined && obeys({ conditions }, args, scope) ? args : undefined;
  });
  return rows.filter((row) => row !== undefined);
}
