import { defined } from '../../exact/defined.ts';
import { parseInstant } from '../../exact/instants.ts';
import { expressionsOf, readsTimes } from '../../plan/expressions.ts';
import type { Expression } from '../../plan/language/terms.ts';
import type { Value } from '../../plan/language/values.ts';
import { walkExpressions } from '../../plan/language/walk.ts';
import type { Plan, Table } from '../../plan/plan.ts';
import { knownValue } from '../elaborate/kleene.ts';
import { createSession, type PlannedRun, type RunContext } from './encoding-session.ts';
import type { PlacedAction } from './placed-action.ts';

/** Values of a run's open times. */
export type Schedule = ReadonlyMap<string, Value>;

const DAY = 86_400_000_000n;
const LONGEST_DISTANCE = 366n * DAY;
const SHORTEST_DISTANCE = 1_000_000n;
/** Instants, distances and names of arguments that are tried: at most 16 schedules. */
const MAX_OF_EACH = 3;
/** Distances from each time of an action that is done: a hostile plan names thousands. */
const MAX_DISTANCES = 32;
/** In microseconds. */
const MILLISECOND = 1000n;

/** A run with the actions that follow. */
interface Beginning {
  readonly plan: Plan;
  readonly runContext?: RunContext | undefined;
}

/**
 * Schedules that are worth trying before a solver looks for times, because most rules about times are windows and rates:
 * 1. All actions that are not done happen at once, after the approval and the last action.
 * 2. They happen at an instant that a rule names.
 * 3. They keep a distance that a rule names: from the one before, or from the last one with the same value of an argument.
 */
export function* schedulesOf({ plan, runContext }: Beginning, actions: readonly PlacedAction[]): Generator<Schedule> {
  const { run } = createSession(plan, { runContext });
  const approved = asInstant(knownValue(run.approvedAt)) ?? parseInstant(plan.expiresAt, '/expires_at') - DAY;
  const last = actions.findLast(({ record }) => record !== undefined);
  const free = last?.record === undefined ? approved : parseInstant(last.record.ended_at, `${last.path}/ended_at`);
  const from = runContext?.start && parseInstant(runContext.start.at, '/start');
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
  for (const instant of instants.slice(0, MAX_OF_EACH)) {
    if (instant > earliest && instant <= expiresAt) yield schedule(() => instant);
  }
  const names = new Set(open.flatMap(({ step }) => [...step.tool.args.keys()]));
  // A rule may ask for more than the distance.
  for (const distance of distances.slice(0, MAX_OF_EACH).map((named) => named + 1n)) {
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

/**
 * Instants of the schedule after `from` at which an action may be the first that passes, in order: those that rules and tables
 * name, and the approvals and the actions that are done, alone and with a distance that a rule names. They are whole
 * milliseconds, because agents wait in milliseconds, and each is followed by the next one, because a rule may ask for more.
 */
export function startsOf({ plan, actions, runContext }: PlannedRun, from: bigint): readonly bigint[] {
  const { instants, distances } = namedTimes(plan);
  const before = [
    ...(runContext?.approvals ?? []).map(({ at }) => at),
    ...actions.flatMap(({ record }) => (record === undefined ? [] : [record.started_at, record.ended_at])),
  ].map((time) => parseInstant(time, '/start'));
  const expiresAt = parseInstant(plan.expiresAt, '/expires_at');
  const starts = [
    ...instants,
    ...[...plan.tables.values()].flatMap(instantsIn),
    ...[0n, ...distances.slice(0, MAX_DISTANCES)].flatMap((distance) => before.map((time) => time + distance)),
  ].flatMap((time) => [onMillisecond(time), onMillisecond(time + 1n)]);
  return inOrder(starts.filter((start) => start > from && start <= expiresAt));
}

const instantsIn = ({ columns, positions, rows }: Table): readonly bigint[] =>
  [...columns]
    .filter(([, { type }]) => type === 'time')
    .flatMap(([name]) => rows.map((row) => row[defined(positions.get(name))]))
    .filter((value) => typeof value === 'bigint');

/** The first whole millisecond that is not before a time. */
const onMillisecond = (time: bigint): bigint => time + ((MILLISECOND - (time % MILLISECOND)) % MILLISECOND);

const inOrder = (times: Iterable<bigint>): readonly bigint[] => [...new Set(times)].sort((a, b) => (a < b ? -1 : 1));

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
  const sorted = inOrder(named);
  return {
    instants: sorted.filter((value) => value > LONGEST_DISTANCE),
    distances: sorted.filter((value) => value >= SHORTEST_DISTANCE && value <= LONGEST_DISTANCE),
  };
}

const asInstant = (value: Value | undefined): bigint | undefined => (typeof value === 'bigint' ? value : undefined);
