import { APPROVED_MICROSECONDS, ARGS, type DrawnAct, ENTRIES, KEYS, type RelationalCase, STATES } from './draw-case.ts';
import { type Act, meaningOf, type World } from './interpret.ts';

// The right verdicts about a small run, by following it with the interpreter.

interface Followed {
  /** Whether every action meets the conditions of its step. */
  readonly conditions: readonly boolean[];
  /** Whether every state stays within its type. */
  readonly isWithin: boolean;
  readonly end: World;
}

const SECOND = 1_000_000;
const within = (value: number, { min, max }: { readonly min: number; readonly max: number }) =>
  min <= value && value <= max;

function follow(one: RelationalCase, drawn: readonly DrawnAct[]): Followed {
  let x = one.initial;
  let map: ReadonlyMap<number, number> = new Map();
  let isWithin = true;
  const acts = drawn.map(toAct);
  const base = {
    rows: one.rows,
    approvals: countedApprovals(acts[0]),
    bound: new Map(),
  };
  const constants = { c: one.constant };
  const conditions = acts.map((act, index) => {
    const step = stepOf(one, drawn[index]);
    const names = { arg: act.arg, resp: act.resp, state: { x }, var: constants };
    const world: World = { ...base, names, map, acts: [], own: act };
    const isMet = step.where.every((rule) => meaningOf(rule, world) === true);
    const next = step.effect === undefined ? x : meaningOf(step.effect, world);
    const entries = step.entries.map(({ key, value }) => [meaningOf(key, world), meaningOf(value, world)] as const);
    if (typeof next !== 'number') isWithin = false;
    else {
      if (!within(next, STATES)) isWithin = false;
      x = next;
    }
    const changed = new Map(map);
    for (const [key, value] of entries) {
      if (typeof key !== 'number' || typeof value !== 'number') isWithin = false;
      else {
        if (!within(key, KEYS) || !within(value, ENTRIES)) isWithin = false;
        changed.set(key, value);
      }
    }
    map = changed;
    return isMet;
  });
  return { conditions, isWithin, end: { ...base, names: { final: { x }, var: constants }, map, acts } };
}

/** Two approvals were needed. The third one counts if the run began later. */
function countedApprovals(first: Act | undefined): World['approvals'] {
  const late = APPROVED_MICROSECONDS + 2 * SECOND;
  const needed = [
    { at: APPROVED_MICROSECONDS, group: 'g' },
    { at: APPROVED_MICROSECONDS - 5 * SECOND, group: 'h' },
  ];
  return first !== undefined && first.started < late ? needed : [...needed, { at: late, group: 'late' }];
}

function toAct({ step, a, e, r, started, ended }: DrawnAct, position: number): Act {
  return {
    step: `s${step}`,
    position,
    arg: { a, e },
    resp: { r },
    started: APPROVED_MICROSECONDS + started * SECOND,
    ended: APPROVED_MICROSECONDS + ended * SECOND,
  };
}

function stepOf({ steps }: RelationalCase, act: DrawnAct | undefined) {
  const step = steps[act?.step ?? -1];
  if (step === undefined) throw new TypeError('there is no such step');
  return step;
}

/** Whether the order of the actions is that of the plan. */
function isInOrder(one: RelationalCase, acts: readonly DrawnAct[]): boolean {
  return acts.every((act, index) =>
    stepOf(one, act).after.every(({ step, atLeast }) => {
      const isOther = (other: DrawnAct) => other.step === step;
      if (atLeast === 0) return !acts.slice(index + 1).some(isOther);
      return acts.slice(0, index).filter(isOther).length >= atLeast;
    }),
  );
}

const isOftenEnough = ({ steps }: RelationalCase, acts: readonly DrawnAct[]): boolean =>
  steps.every(({ min, max }, index) => {
    const count = acts.filter(({ step }) => step === index).length;
    return min <= count && count <= max;
  });

export function isAligned(one: RelationalCase, acts = one.acts): boolean {
  return isInOrder(one, acts) && isOftenEnough(one, acts) && follow(one, acts).conditions.every((isMet) => isMet);
}

export function obeysRules(one: RelationalCase, acts = one.acts): boolean {
  const { isWithin, end } = follow(one, acts);
  return isWithin && one.constraints.every((rule) => meaningOf(rule, end) === true);
}

/** Most actions that may follow in cases for which every continuation is tried. */
export const MOST_FOLLOWING = 2;

/**
 * Whether some continuation of at most two actions completes the run. Undefined if the plan allows longer ones and none of
 * these does.
 */
export function canBeCompleted(one: RelationalCase): boolean | undefined {
  const isLonger = one.steps.reduce((sum, { max }) => sum + max, 0) > one.acts.length + MOST_FOLLOWING;
  const found = tryAll(one, one.acts, MOST_FOLLOWING);
  return found || !isLonger ? found : undefined;
}

function tryAll(one: RelationalCase, acts: readonly DrawnAct[], left: number): boolean {
  if (isComplete(one, acts)) return true;
  if (left === 0) return false;
  return one.steps.some((_, step) =>
    ARGS.some((a) =>
      (['p', 'q'] as const).some((e) =>
        [0, 1].some((r) => tryAll(one, [...acts, { step, a, e, r, started: 0, ended: 0 }], left - 1)),
      ),
    ),
  );
}

/** Each step is done often enough, and not too often by later actions. */
const isEnough = ({ steps, acts: done }: RelationalCase, acts: readonly DrawnAct[]): boolean =>
  steps.every(({ min, max }, index) => {
    const [before, count] = [done, acts].map((all) => all.filter(({ step }) => step === index).length);
    return before !== undefined && count !== undefined && min <= count && count <= Math.max(max, before);
  });

/** Conditions, order and number of actions that were done before are not asked: alignment judges them. */
function isComplete(one: RelationalCase, acts: readonly DrawnAct[]): boolean {
  const isLater = (index: number) => index >= one.acts.length;
  if (!isEnough(one, acts) || !obeysRules(one, acts)) return false;
  const { conditions } = follow(one, acts);
  if (!conditions.every((isMet, index) => isMet || !isLater(index))) return false;
  return acts.every((act, index) => {
    if (!isLater(index)) return true;
    const waits = stepOf(one, act).after.every(
      ({ step, atLeast }) => acts.slice(0, index).filter((other) => other.step === step).length >= atLeast,
    );
    const isTooLate = acts
      .slice(0, index)
      .some((earlier) => stepOf(one, earlier).after.some(({ step, atLeast }) => atLeast === 0 && step === act.step));
    return waits && !isTooLate;
  });
}
