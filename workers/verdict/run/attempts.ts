import { canonicalText } from '../../exact/canonical-json.ts';
import { defined } from '../../exact/defined.ts';
import { literal } from '../../plan/language/terms.ts';
import type { Formula } from '../decide/problem.ts';
import { type Action, isDone } from './action.ts';
import { append } from './append.ts';

/** The tool and the idempotency key of an action. Undefined: it is an act of its own. */
export function attemptOf({ step, args }: Pick<Action, 'step' | 'args'>): string | undefined {
  const key = step?.tool.once === undefined ? undefined : args?.get(step.tool.once);
  return key === undefined ? undefined : `${step?.tool.ref} ${key}`;
}

/** Actions of one tool with one idempotency key, by their indexes. */
function* attemptsIn(actions: readonly Action[]): Generator<readonly number[]> {
  const byKey = new Map<string, number[]>();
  for (const [index, action] of actions.entries()) {
    const act = attemptOf(action);
    if (act !== undefined) append(byKey, act, index);
  }
  for (const indexes of byKey.values()) if (indexes.length > 1) yield indexes;
}

/** Marks attempts of one act but one, which counts for all: the one that is done, or the first. */
export function markAttempts(actions: readonly Action[]): readonly Action[] {
  const attempts = new Set<number>();
  for (const indexes of attemptsIn(actions)) {
    const counted = indexes.find((index) => isDone(defined(actions[index]))) ?? indexes[0];
    for (const index of indexes) if (index !== counted) attempts.add(index);
  }
  return actions.map((action, index) => (attempts.has(index) ? { ...action, isAttempt: true } : action));
}

/** Attempts of one act have equal arguments, and at most one of them is done. Ids: `/actions/2/once`. */
export function attemptRules(actions: readonly Action[]): readonly Formula[] {
  const rules: Formula[] = [];
  for (const indexes of attemptsIn(actions)) {
    const [first = 0, ...others] = indexes;
    const name = `action ${first + 1} of the run`;
    let done = isDone(defined(actions[first])) ? first : undefined;
    for (const index of others) {
      const action = defined(actions[index]);
      const isSame = textOf(action) === textOf(defined(actions[first]));
      const isRepeated = done !== undefined && isDone(action);
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

const textOf = ({ args }: Action): string =>
  canonicalText([...defined(args)].map(([name, value]) => [name, `${value}`]));
