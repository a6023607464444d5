import { type Act, hasEnded, integerOf, meaningOf, type World } from '../interpret.ts';
import {
  APPROVED_MICROSECONDS,
  ARGS,
  type DrawnAct,
  drawAct,
  ENTRIES,
  KEYS,
  type RelationalCase,
  STATES,
} from './draw-case.ts';
import { createRandom } from './random.ts';

// The right verdicts about a small run, by following it with the interpreter.

interface Followed {
  /** Whether every action meets the conditions of its step. */
  readonly conditions: readonly boolean[];
  /** Whether every state stays within its type. */
  readonly isWithin: boolean;
  /** Whether every action obeys the sheets of its step. */
  readonly obeysSheets: boolean;
  /** Before each action. */
  readonly worlds: readonly World[];
  readonly end: World;
}

const SECOND = 1_000_000;
const within = (value: number, { min, max }: { readonly min: number; readonly max: number }) =>
  min <= value && value <= max;

function follow(one: RelationalCase, drawn: readonly DrawnAct[]): Followed {
  let x = one.initial;
  let map: ReadonlyMap<number, number> = new Map();
  let isWithin = true;
  let obeysSheets = true;
  const acts = drawn.map((act, index) => toAct(act, index, index < one.recorded));
  const worlds: World[] = [];
  const base = {
    tables: { t: { key: ['k'], rows: one.rows } },
    approvals: countedApprovals(acts[0]),
    bound: new Map(),
  };
  const constants = { c: one.constant };
  const conditions = acts.map((act, index) => {
    const step = stepOf(one, drawn[index]);
    const names = { arg: act.arg, resp: act.resp, state: { x }, var: constants };
    const world: World = { ...base, names, map, acts: [], own: act };
    worlds.push(world);
    obeysSheets &&= areObeyed(one, drawn[index]?.step, world);
    const isMet = step.where.every((rule) => meaningOf(rule, world) === true);
    if (drawn[index]?.isAbsent) return isMet;
    const next = step.effect === undefined ? x : integerOf(meaningOf(step.effect, world));
    const entries = step.entries.map(({ key, value }) => [key, value].map((part) => integerOf(meaningOf(part, world))));
    if (next === undefined) isWithin = false;
    else {
      if (!within(next, STATES)) isWithin = false;
      x = next;
    }
    const changed = new Map(map);
    for (const [key, value] of entries) {
      if (key === undefined || value === undefined) isWithin = false;
      else {
        if (!within(key, KEYS) || !within(value, ENTRIES)) isWithin = false;
        changed.set(key, value);
      }
    }
    map = changed;
    return isMet;
  });
  return {
    conditions,
    isWithin,
    obeysSheets,
    worlds,
    end: {
      ...base,
      names: { final: { x }, var: constants },
      map,
      acts: acts.filter((_, index) => !drawn[index]?.isAbsent),
    },
  };
}

function areObeyed({ sheets }: RelationalCase, step: number | undefined, world: World): boolean {
  return sheets
    .filter((sheet) => sheet.step === step)
    .every(({ bind, bounds, rule }) => {
      const v = integerOf(meaningOf(bind, world));
      const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = bounds;
      if (v === undefined || !within(v, { min, max })) return false;
      return meaningOf(rule, { ...world, names: { var: { v } } }) === true;
    });
}

/** Two approvals were needed. The third one counts if the run began at most five seconds before it. */
function countedApprovals(first: Act | undefined): World['approvals'] {
  const late = APPROVED_MICROSECONDS + 7 * SECOND;
  const needed = [
    { at: APPROVED_MICROSECONDS, group: 'g' },
    { at: APPROVED_MICROSECONDS - 5 * SECOND, group: 'h' },
  ];
  return first !== undefined && first.started + 5 * SECOND < late ? needed : [...needed, { at: late, group: 'late' }];
}

function toAct(
  { step, a, b, e, r, o, l = [], p, q = [], started, ended, outcome, isOpen = true }: DrawnAct,
  position: number,
  isDone: boolean,
): Act {
  return {
    isDone,
    step: `s${step}`,
    position,
    arg: { a, ...(b !== undefined && { b }), e, o: o ?? null, 'in/deep': a },
    resp: { r, p: p ?? null },
    lists: { l: l.map(({ v, w }) => ({ v, w: w ?? null })), q: q.map((value) => ({ '': value })) },
    started: APPROVED_MICROSECONDS + started * SECOND,
    ended: outcome === 'unknown' && isOpen ? Number.POSITIVE_INFINITY : APPROVED_MICROSECONDS + ended * SECOND,
  };
}

function stepOf({ steps }: RelationalCase, act: DrawnAct | undefined) {
  const step = steps[act?.step ?? -1];
  if (step === undefined) throw new TypeError('there is no such step');
  return step;
}

/** Whether the order of the actions is that of the plan. */
function isInOrder(one: RelationalCase, drawn: readonly DrawnAct[]): boolean {
  const acts = drawn.map((act, index) => toAct(act, index, index < one.recorded));
  return acts.every((act, index) =>
    stepOf(one, drawn[index]).after.every(({ step, atLeast }) => {
      const others = acts.filter((other) => other.step === `s${step}`);
      const before = others.filter((other) => other.position < index && hasEnded(other, act));
      // What did not certainly take effect does not help.
      const helping = before.filter(({ position }) => drawn[position]?.outcome === undefined);
      return atLeast === 0 ? before.length === others.length : helping.length >= atLeast;
    }),
  );
}

/** What an action reads or changes: `x`, an entry of the map such as `m 2`, or `m` for all of it. */
interface Touched {
  readonly reads: readonly string[];
  readonly changes: readonly string[];
}

function touchedBy(one: RelationalCase, act: DrawnAct, world: World): Touched {
  const { where, effect, entries } = stepOf(one, act);
  const bound = one.sheets.filter(({ step }) => step === act.step).map(({ bind }) => bind);
  const entry = (key: unknown) => {
    const value = hasElement(key) ? undefined : integerOf(meaningOf(key, world));
    return value === undefined ? 'm' : `m ${value}`;
  };
  const reads: string[] = [];
  const walk = (node: unknown): void => {
    if (!Array.isArray(node)) {
      if (typeof node === 'object' && node !== null) Object.values(node).forEach(walk);
      return;
    }
    if (node[0] === 'state') reads.push('x');
    if (node[0] === 'at') reads.push(entry(node[3]));
    node.forEach(walk);
  };
  walk([where, effect ?? [], entries, bound]);
  const changes = [...(effect === undefined ? [] : ['x']), ...entries.map(({ key }) => entry(key))];
  return { reads, changes };
}

/** Whether an expression is about an element of an aggregate. */
function hasElement(node: unknown): boolean {
  if (!Array.isArray(node)) return false;
  const [op, ...rest] = node as readonly unknown[];
  if (op === 'col' || op === 'item') return true;
  if ((op === 'arg' || op === 'resp') && rest.length === 2) return true;
  if ((op === 'started' || op === 'ended') && rest.length === 1) return true;
  return node.some(hasElement);
}

/** Whether no action starts before one of the same state has ended. */
function isApart(one: RelationalCase, drawn: readonly DrawnAct[]): boolean {
  const { worlds } = follow(one, drawn);
  const acts = drawn.map((act, index) => toAct(act, index, index < one.recorded));
  const touched = drawn.map((act, index) => touchedBy(one, act, worlds[index] as World));
  const meets = (some: readonly string[] = [], others: readonly string[] = []) =>
    some.some((a) => others.some((b) => a === b || (a[0] === b[0] && (a === 'm' || b === 'm'))));
  return acts.every((act, index) =>
    acts.slice(0, index).every((earlier, at) => {
      const [mine, theirs] = [touched[index], touched[at]];
      const share =
        meets(mine?.changes, theirs?.changes) ||
        meets(mine?.changes, theirs?.reads) ||
        meets(mine?.reads, theirs?.changes);
      return !share || hasEnded(earlier, act) || mayOverlap(one, drawn[index], drawn[at]);
    }),
  );
}

const mayOverlap = (one: RelationalCase, act: DrawnAct | undefined, other: DrawnAct | undefined): boolean =>
  stepOf(one, act).overlaps.includes(other?.step ?? -1) || stepOf(one, other).overlaps.includes(act?.step ?? -1);

const isOftenEnough = ({ steps }: RelationalCase, acts: readonly DrawnAct[]): boolean =>
  steps.every(({ min, max }, index) => {
    const count = acts.filter(({ step }) => step === index).length;
    const done = acts.filter(({ step, outcome }) => step === index && outcome === undefined).length;
    return min <= done && count <= max;
  });

export function isAligned(one: RelationalCase, acts = one.acts): boolean {
  return (
    isInOrder(one, acts) &&
    isApart(one, acts) &&
    isOftenEnough(one, acts) &&
    follow(one, acts).conditions.every((isMet) => isMet)
  );
}

export function obeysRules(one: RelationalCase, acts = one.acts): boolean {
  const { isWithin, obeysSheets, end } = follow(one, acts);
  const areMet = one.constraints.every((rule) => meaningOf(rule, end) === true);
  return isWithin && obeysSheets && areMet && areObeyed(one, undefined, end);
}

/** What is so however the proposed actions, and those without a response, turn out. Undefined: it depends on them. */
export function inAllWays(one: RelationalCase, isSo: (way: RelationalCase) => boolean): boolean | undefined {
  const ways = new Set(waysOf(one).map((way) => isSo(way)));
  return ways.size > 1 ? undefined : ways.has(true);
}

/** When an act of unknown outcome may have ended: before an action that follows, or after all. */
const ENDS = [0, 1, 2, 3];

/** Every response of a tool with parts. */
const RESPONSES = [0, 1].flatMap((r) => [undefined, 1].flatMap((p) => [[], [1]].map((q) => ({ r, p, q }))));

/** The case with each combination of responses that are not known, and of acts that may have taken effect. */
const waysOf = (one: RelationalCase): readonly RelationalCase[] =>
  one.acts
    .reduce<readonly (readonly DrawnAct[])[]>(
      (all, act, index) => {
        const isKnown = index < one.recorded && act.outcome === undefined;
        const ends = act.outcome === 'unknown' ? ENDS.filter((ended) => ended >= act.started) : [];
        const ended = [act, ...ends.map((end) => ({ ...act, ended: end, isOpen: false }))];
        const responses = isKnown ? [{}] : one.hasParts ? RESPONSES : [{ r: 0 }, { r: 1 }];
        const turnedOut = ended.flatMap((way) => responses.map((response) => ({ ...way, ...response })));
        const absent = act.outcome === undefined ? [] : [{ ...act, isAbsent: true }];
        return all.flatMap((acts) => [...turnedOut, ...absent].map((way) => [...acts, way]));
      },
      [[]],
    )
    .map((acts) => ({ ...one, acts }));

/** Most actions that may follow in cases for which every continuation is tried. */
export const MOST_FOLLOWING = 2;

/**
 * Whether some continuation of at most two actions completes the run. Undefined if the plan allows longer ones and none of
 * these does.
 */
export const canBeCompleted = (one: RelationalCase): boolean | undefined => canComplete(one, waysOf(one));

/** Whether the actions, of which the last one is proposed, may begin a run that can be completed. */
export function canBegin(one: RelationalCase): boolean | undefined {
  const begun = { ...one, steps: one.steps.map((step) => ({ ...step, min: 0 })) };
  return canComplete(
    one,
    waysOf(one).filter(({ acts }) => isAligned(begun, acts)),
  );
}

function canComplete(one: RelationalCase, ways: readonly RelationalCase[]): boolean | undefined {
  const isLonger = one.steps.reduce((sum, { max }) => sum + max, 0) > one.acts.length + MOST_FOLLOWING;
  const found = ways.some((way) => tryAll(way, way.acts, MOST_FOLLOWING));
  return found || ways.length === 0 || !isLonger ? found : undefined;
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

const GUESSES = 60;

/** Whether some of the continuations that are drawn completes the run. */
export function canBeGuessed(one: RelationalCase, seed: number): boolean {
  const random = createRandom(seed);
  return Array.from({ length: GUESSES }, () =>
    random.times(MOST_FOLLOWING, () => ({ ...drawAct(random, one.steps.length, true), started: 0, ended: 0 })),
  ).some((following) => isComplete(one, [...one.acts, ...following]));
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
