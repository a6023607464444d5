import { parseInstant } from '../../exact/instants.ts';
import { expressionsOf, readsTimes } from '../../plan/expressions.ts';
import type { Expression } from '../../plan/language/terms.ts';
import type { Value } from '../../plan/language/values.ts';
import { walkExpressions } from '../../plan/language/walk.ts';
import type { Plan } from '../../plan/plan.ts';
import { knownValue } from '../elaborate/kleene.ts';
import type { PlacedAction } from './placed-action.ts';
import { createSession, type RunCircumstances } from './session.ts';

/** Values of a run's open times. */
export type Schedule = ReadonlyMap<string, Value>;

const DAY = 86_400_000_000n;
const LONGEST_DISTANCE = 366n * DAY;
const SHORTEST_DISTANCE = 1_000_000n;
/** Instants, distances and names of arguments that are tried: at most 16 schedules. */
const MAX_OF_EACH = 3;

/** A run with the actions that follow. */
interface Beginning {
  readonly plan: Plan;
  readonly circumstances?: RunCircumstances | undefined;
}

/**
 * Schedules that are worth trying before a solver looks for times, because most rules about times are windows and rates:
 * 1. All actions that are not done happen at once, after the approval and the last action.
 * 2. They happen at an instant that a rule names.
 * 3. They keep a distance that a rule names: from the one before, or from the last one with the same value of an argument.
 */
export function* schedulesOf(
  { plan, circumstances }: Beginning,
  actions: readonly PlacedAction[],
): Generator<Schedule> {
  const { run } = createSession(plan, { circumstances });
  const approved = asInstant(knownValue(run.approvedAt)) ?? parseInstant(plan.expiresAt, '/expires_at') - DAY;
  const last = actions.findLast(({ record }) => record !== undefined);
  const free = last?.record === undefined ? approved : parseInstant(last.record.ended_at, `${last.path}/ended_at`);
  const from = circumstances?.start && parseInstant(circumstances.start.at, '/start');
  const earliest = from !== undefined && from > free ? from : free;
  const open = actions.filter(({ record }) => record === undefined);
  const schedule = (startOf: (action: PlacedAction) => bigint): Schedule =>
    new Map([
      ['/run/approved_at', approved],
      ...open.flatMap((action): readonly (readonly [string, bigint])[] => {
        const at = startOf(action);
        return [
          [`${action.path}/started_at`, at],
          [`${action.path}/ended_at`, at],
        ];
      }),
    ]);
  yield schedule(() => earliest);
  const expiresAt = parseInstant(plan.expiresAt, '/expires_at');
  const { instants, distances } = namedTimes(plan);
  for (const instant of instants) {
    if (instant > earliest && instant <= expiresAt) yield schedule(() => instant);
  }
  const names = new Set(open.flatMap(({ step }) => [...step.tool.args.keys()]));
  for (const distance of distances) {
    for (const name of [undefined, ...[...names].slice(0, MAX_OF_EACH)]) {
      let last = earliest;
      const startOf = apart(distance, name, earliest);
      const spread = schedule((action) => {
        last = startOf(action);
        return last;
      });
      if (last <= expiresAt) yield spread;
    }
  }
}

/** Starts each action as soon as it keeps the distance from those before it that have the same value of the argument. */
function apart(distance: bigint, name: string | undefined, earliest: bigint): (action: PlacedAction) => bigint {
  const next = new Map<Value | undefined, bigint>();
  let before = earliest;
  return ({ args }) => {
    const value = name === undefined ? undefined : args?.get(name);
    const from = next.get(value) ?? before;
    if (from > before) before = from;
    next.set(value, before + distance);
    return before;
  };
}

/** Instants and distances in the rules that read times. */
function namedTimes(plan: Plan): { readonly instants: readonly bigint[]; readonly distances: readonly bigint[] } {
  const named = new Set<bigint>();
  const note = (value: Value) => {
    if (typeof value === 'bigint') named.add(value);
  };
  for (const { type, value } of plan.variables.values())
    if (type.type === 'time' || type.type === 'duration') note(value);
  walkExpressions(expressionsOf(plan).filter(readsTimes), (node: Expression) => {
    if (node.op === 'literal') note(node.value);
  });
  const sorted = [...named].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return {
    instants: sorted.filter((value) => value > LONGEST_DISTANCE).slice(0, MAX_OF_EACH),
    // A rule may ask for more than the distance.
    distances: sorted
      .filter((value) => value >= SHORTEST_DISTANCE && value <= LONGEST_DISTANCE)
      .slice(0, MAX_OF_EACH)
      .map((value) => value + 1n),
  };
}

const asInstant = (value: Value | undefined): bigint | undefined => (typeof value === 'bigint' ? value : undefined);
