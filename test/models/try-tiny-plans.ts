import { defined } from '../../workers/exact/defined.ts';
import { meaningOf, numberOf, type Thing, type World } from './meaning.ts';
import { ARGS, RESPONSES, STATES, type TinyCase, type TinySheet } from './tiny-plans.ts';

interface Act {
  readonly step: number;
  readonly a: number;
  readonly r: number;
}

/** Whether the run can be completed, by trying every continuation. */
export function tryAll(one: TinyCase): boolean {
  return pasts(one).some((done) => {
    const x = stateAfterAll(one, done);
    return x !== undefined && canEnd(one, done, x);
  });
}

/** Whether the done actions obey the rules, in any order and number. Undefined if that depends on the responses. */
export function obeysRules(one: TinyCase): boolean | undefined {
  return inAllWays(one, (done) => {
    const x = stateAfterAll(one, done);
    return x !== undefined && areMet(one, done, x);
  });
}

/** Whether the done actions are aligned, with the state inside or outside its type. Undefined if that depends on the responses. */
export function isAligned(one: TinyCase): boolean | undefined {
  return inAllWays(one, (done) => {
    let x = one.initial;
    const areSteps = done.every((act, index) => {
      const may = mayFollow(one, done.slice(0, index), { act, x });
      x = nextState(one, act, x);
      return may;
    });
    return areSteps && one.steps.every(({ min }, step) => timesOf(done, step) >= min);
  });
}

/** The runs with each response of the last action, if the plan allows them so far. */
export function beginnings(one: TinyCase): readonly TinyCase[] {
  const last = one.done.at(-1);
  if (last === undefined) return [];
  const ways = RESPONSES.map((r) => ({ ...one, done: [...one.done.slice(0, -1), { ...last, r }], isRecorded: true }));
  return ways.filter((way) => {
    let x = way.initial;
    return way.done.every((act, index) => {
      const may = mayFollow(way, way.done.slice(0, index), { act, x });
      x = nextState(way, act, x);
      return may;
    });
  });
}

function inAllWays(one: TinyCase, isSo: (done: readonly Act[]) => boolean): boolean | undefined {
  const ways = pasts(one).map(isSo);
  return new Set(ways).size > 1 ? undefined : ways[0];
}

function mayFollow(
  { steps }: TinyCase,
  before: readonly Act[],
  { act, x }: { readonly act: Act; readonly x: number },
): boolean {
  const { where, after, max } = defined(steps[act.step]);
  return (
    timesOf(before, act.step) < max &&
    after.every((other) => timesOf(before, other) >= Math.max(1, defined(steps[other]).min)) &&
    where.every((json) => meaningOf(json, worldOf(act, x)) === true)
  );
}

/** The final state. Undefined if the state leaves its type at some time. */
function stateAfterAll(one: TinyCase, acts: readonly Act[]): number | undefined {
  let x: number | undefined = one.initial;
  for (const act of acts) x = x === undefined ? undefined : stateAfter(one, act, x);
  return x;
}

/** The done actions with each combination of possible responses. */
function pasts({ done, isRecorded }: TinyCase): readonly (readonly Act[])[] {
  if (isRecorded) return [done];
  return done.reduce<readonly (readonly Act[])[]>(
    (all, act) => all.flatMap((acts) => RESPONSES.map((r) => [...acts, { ...act, r }])),
    [[]],
  );
}

/** @param dead states and actions without a continuation; the order of the actions makes no difference */
function canEnd(one: TinyCase, acts: readonly Act[], x: number, dead = new Set<string>()): boolean {
  if (isOver(one, acts, x)) return true;
  const place = `${x}:${acts.map(({ step, a, r }) => `${step}${a}${r}`).sort()}`;
  if (dead.has(place)) return false;
  for (const step of one.steps.keys()) {
    for (const a of ARGS) {
      if (!mayFollow(one, acts, { act: { step, a, r: 0 }, x })) continue;
      for (const r of RESPONSES) {
        const act = { step, a, r };
        const next = stateAfter(one, act, x);
        if (next === undefined || !obeysSheets(one, { act, x })) continue;
        if (canEnd(one, [...acts, act], next, dead)) return true;
      }
    }
  }
  dead.add(place);
  return false;
}

function isOver(one: TinyCase, acts: readonly Act[], x: number): boolean {
  return one.steps.every(({ min }, step) => timesOf(acts, step) >= min) && areMet(one, acts, x);
}

function areMet(one: TinyCase, acts: readonly Act[], x: number): boolean {
  const { steps, constraints, sheets } = one;
  const actions = new Map(
    steps.map((_, step) => [`s${step}`, acts.filter((act) => act.step === step).map((act) => namesOf(act))]),
  );
  const world: World = { names: new Map([['final x', whole(x)]]), actions };
  let before = one.initial;
  for (const act of acts) {
    if (!obeysSheets(one, { act, x: before })) return false;
    before = nextState(one, act, before);
  }
  const ofRun = sheets.filter(({ step }) => step === undefined);
  return constraints.every((json) => meaningOf(json, world) === true) && ofRun.every((sheet) => isObeyed(sheet, world));
}

/** Whether an act in a state obeys the sheets of its step. */
function obeysSheets({ sheets }: TinyCase, { act, x }: { readonly act: Act; readonly x: number }): boolean {
  return sheets.filter(({ step }) => step === act.step).every((sheet) => isObeyed(sheet, worldOf(act, x)));
}

function isObeyed({ bind, bounds, rule }: TinySheet, world: World): boolean {
  const v = meaningOf(bind, world);
  const [value] = numberOf(v);
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = bounds;
  return min <= value && value <= max && meaningOf(rule, { names: new Map([['var v', v]]) }) === true;
}

const timesOf = (acts: readonly Act[], step: number) => acts.filter((act) => act.step === step).length;
const whole = (value: number): Thing => [BigInt(value), 1n];
const namesOf = ({ a, r }: Act) =>
  new Map<string, Thing>([
    ['arg a', whole(a)],
    ['resp r', whole(r)],
  ]);
const worldOf = (act: Act, x: number): World => ({ names: new Map([...namesOf(act), ['state x', whole(x)]]) });

function nextState({ steps }: TinyCase, act: Act, x: number): number {
  const { effect } = defined(steps[act.step]);
  if (effect === undefined) return x;
  const [numerator] = numberOf(meaningOf(effect, worldOf(act, x)));
  return Number(numerator);
}

/** The next state. Undefined if it is outside its type. */
function stateAfter(one: TinyCase, act: Act, x: number): number | undefined {
  const next = nextState(one, act, x);
  return STATES.min <= next && next <= STATES.max ? next : undefined;
}
