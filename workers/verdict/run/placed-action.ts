import type { Value } from '../../plan/language/values.ts';
import type { Step } from '../../plan/plan.ts';
import type { Action } from './action.ts';

/** An action in a run. */
export interface PlacedAction {
  /** Prefix of the ids of its rules: `/actions/1`. */
  readonly path: string;
  readonly step: Step;
  /** Known values of arguments and of response fields. The others are open. */
  readonly args: ReadonlyMap<string, Value> | undefined;
  readonly response: ReadonlyMap<string, Value> | undefined;
  readonly record: Action['record'];
  readonly isAttempt?: boolean | undefined;
  readonly earlier?: readonly number[] | undefined;
  readonly doneAs?: number | undefined;
  /** Index among the recorded or proposed actions. Undefined if it is not done yet. */
  readonly index: number | undefined;
}

/** The actions whose step and tool are the plan's. Alignment reports the others. */
export function placed(actions: readonly Action[]): readonly PlacedAction[] {
  return actions.flatMap(({ step, args, ...rest }, index) => {
    if (step === undefined || args === undefined) return [];
    return [{ ...rest, path: `/actions/${index}`, step, args, index }];
  });
}
