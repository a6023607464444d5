import { canonicalText } from '../../exact/canonical-json.ts';
import { defined } from '../../exact/defined.ts';
import { usesTimes } from '../../plan/expressions.ts';
import { literal } from '../../plan/language/terms.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Formula } from '../decide/problem.ts';
import { type Action, isDone, outcomeOf } from './action.ts';
import { append } from './append.ts';

/** Actions of one tool, or one step, with one idempotency key, by their indexes. */
function* attemptsIn(actions: readonly Action[], of: 'tool' | 'stepId'): Generator<readonly number[]> {
  const byKey = new Map<string, number[]>();
  for (const [index, action] of actions.entries()) {
    const { step, args } = action;
    const key = step?.tool.once === undefined ? undefined : args?.get(step.tool.once);
    if (key !== undefined) append(byKey, `${action[of]} ${key}`, index);
  }
  for (const indexes of byKey.values()) if (indexes.length > 1) yield indexes;
}

/**
 * Of the attempts of one act of a step, one counts for all: the one that is done, or the first. The others are marked. An action
 * that is done, or has other arguments, is an act of its own, which limits count whatever its key. Of equal intents, it is open
 * which one will be done: the first one counts.
 */
export function markAttempts(actions: readonly Action[], plan: Plan): readonly Action[] {
  // Some rule tells attempts apart by their times.
  const areTimed = usesTimes(plan);
  const marked = [...actions];
  for (const indexes of attemptsIn(actions, 'stepId')) {
    const done = indexes.find((index) => isDone(defined(actions[index])));
    const counted = done ?? defined(indexes[0]);
    const text = textOf(defined(actions[counted]));
    const isAttempt = (action: Action) => !isReportedDone(action) && textOf(action) === text;
    const attempts = indexes.filter((index) => index === counted || isAttempt(defined(actions[index])));
    const isUnlike = (one: number, other: number) =>
      done === undefined && outcomeOf(defined(actions[one])) !== outcomeOf(defined(actions[other]));
    const isApart = (one: number, other: number) => areTimed || other !== one + 1 || isUnlike(one, other);
    const chances = chancesIn(attempts, { done, isApart });
    for (const index of attempts) {
      const isChance = chances.length > 1 && chances.includes(index);
      const earlier = isChance ? chances.slice(0, chances.indexOf(index)) : undefined;
      const isOther = index !== counted;
      marked[index] = { ...defined(actions[index]), ...(isOther ? { isAttempt: true, doneAs: done } : {}), earlier };
    }
  }
  return marked;
}

interface Attempted {
  readonly done: number | undefined;
  /** Whether it makes a difference at which of two attempts in a row the act took effect. */
  readonly isApart: (one: number, other: number) => boolean;
}

/**
 * Attempts at which the act may have taken effect. Of those that no rule tells apart, between which nothing else was done, one is
 * enough, but for one that may still take effect. After one that is done, none changes anything.
 */
function chancesIn(attempts: readonly number[], { done, isApart }: Attempted): readonly number[] {
  const chances: number[] = [];
  for (const [number, index] of attempts.entries()) {
    const last = attempts[number - 1];
    if (last === undefined || isApart(last, index)) chances.push(index);
    if (index !== done) continue;
    chances[chances.length - 1] = index;
    break;
  }
  return chances;
}

/** Attempts of one act have equal arguments, and at most one of them is done. Ids: `/actions/2/once`. */
export function attemptRules(actions: readonly Action[]): readonly Formula[] {
  const rules: Formula[] = [];
  for (const indexes of attemptsIn(actions, 'tool')) {
    const [first = 0, ...others] = indexes;
    const name = `action ${first + 1} of the run`;
    let done = isDone(defined(actions[first])) ? first : undefined;
    for (const index of others) {
      const action = defined(actions[index]);
      const isSame = textOf(action) === textOf(defined(actions[first]));
      const isRepeated = done !== undefined && isReportedDone(defined(actions[done])) && isDone(action);
      const fault = () =>
        isSame
          ? `is done a second time: action ${defined(done) + 1} of the run has the same ${action.step?.tool.once}`
          : `has the ${action.step?.tool.once} of ${name}, and other arguments`;
      rules.push({ id: `/actions/${index}/once`, term: literal(isSame && !isRepeated), fault });
      if (isDone(action)) done ??= index;
    }
  }
  return rules;
}

/** Of an intent, it is open whether it will be. */
const isReportedDone = (action: Action): boolean => action.record !== undefined && isDone(action);

const textOf = ({ args }: Action): string =>
  canonicalText([...defined(args)].map(([name, value]) => [name, `${value}`]));
