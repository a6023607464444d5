import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { defined } from '../../exact/defined.ts';
import type { Plan, Step } from '../../plan/plan.ts';
import { PlanError } from '../../plan/plan-error.ts';
import type { ActionElement } from '../elaborate/element.ts';
import type { EncodingSession, Scope } from '../elaborate/scope.ts';
import type { Action, EarlierRuns } from './action.ts';
import { elementOf } from './action-element.ts';
import { append } from './append.ts';
import { readActions } from './read-actions.ts';
import { reportedTimes } from './times.ts';

const lists = Compile(Type.Array(Type.Unknown()));

/**
 * Reads the runs that were recorded before. An action whose arguments are not those of its tool has no values.
 * @throws {PlanError} MALFORMED_ACTIONS @throws {DocumentError} as `readActions`
 */
export function readEarlierRuns(json: unknown, plan: Plan): EarlierRuns {
  if (!lists.Check(json)) throw new PlanError('MALFORMED_ACTIONS', '/runs', 'is not a list');
  return plan.runs.length === 0 ? [] : json.map((actions) => readActions(actions, plan, () => undefined));
}

/** What aggregates of rules over the runs range over besides the actions of this run: the acts of earlier ones, by their steps. */
export function earlierElements(
  plan: Plan,
  runs: EarlierRuns,
  session: EncodingSession,
): ReadonlyMap<string, readonly ActionElement[]> {
  const found = new Map<string, ActionElement[]>();
  let position = -runs.reduce((sum, actions) => sum + actions.length, 0);
  for (const [run, actions] of runs.entries()) {
    for (const [index, action] of actions.entries()) {
      const placedAt = { path: `/runs/${run}/actions/${index}`, index };
      for (const step of stepsOf(action, plan)) {
        const placing = {
          position,
          session,
          times: reportedTimes(session),
          counted:
            action.doneAs === undefined ? undefined : { ...defined(actions[action.doneAs]), index: action.doneAs },
        };
        append(found, step.stepId, {
          ...elementOf({ ...action, ...placedAt, step }, placing),
          name: `action ${index + 1} of run ${run + 1}`,
        });
      }
      position += 1;
    }
  }
  return found;
}

/** Of an act that its step does not do, also each step with its tool: naming another step must not hide it. */
function stepsOf({ step, tool }: Action, { steps }: Plan): readonly Step[] {
  const nameOf = (ref: string) => ref.slice(0, ref.lastIndexOf('@'));
  const hasTool = (each: Step) => nameOf(each.tool.ref) === nameOf(tool);
  return step !== undefined && hasTool(step) ? [step] : steps.filter((each) => each === step || hasTool(each));
}

/** The scope of rules over the runs, at the end of this one. */
export function overRuns(end: Scope): Scope {
  const actions = new Map(end.actions);
  for (const [stepId, earlier] of end.earlier ?? []) actions.set(stepId, [...earlier, ...(actions.get(stepId) ?? [])]);
  return { ...end, actions, memo: new Map() };
}
