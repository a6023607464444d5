import fc from 'fast-check';
import { meaningOf, type Thing, type World } from './judge.ts';
import { textOf, useOf } from './sheets.ts';

/** A plan over tiny types, and what was done of it: so small that every way to go on can be tried. */
export interface TinyCase {
  readonly initial: number;
  readonly steps: readonly TinyStep[];
  readonly constraints: readonly unknown[];
  readonly sheets: readonly TinySheet[];
  readonly done: readonly { readonly step: number; readonly a: number; readonly r: number }[];
  /** Whether it is known what the tools responded. */
  readonly isRecorded: boolean;
}

/** A sheet of one variable, and how it is used. */
interface TinySheet {
  /** Of each action of it; undefined: of the run. */
  readonly step: number | undefined;
  readonly bind: unknown;
  readonly bounds: { readonly min?: number; readonly max?: number };
  readonly rule: unknown;
}

interface TinyStep {
  /** What the state becomes; undefined where it stays. */
  readonly effect: unknown;
  readonly where: readonly unknown[];
  /** Steps before this one. */
  readonly after: readonly number[];
  readonly min: number;
  readonly max: number;
}

const [X, A, R] = [
  ['state', 'x'],
  ['arg', 'a'],
  ['resp', 'r'],
];
const STATES = { min: -2, max: 3 };
const ARGS = [0, 1, 2];
const RESPONSES = [0, 1];
const STEP_IDS = ['s0', 's1', 's2'];

const EFFECTS = [
  ['+', X, A],
  ['+', X, A],
  ['-', X, A],
  ['min', X, A],
  ['ite', ['<=', X, 0], A, ['-', X, 1]],
  ['*', X, 2],
  ['+', X, R],
];
/** Of tools that change no state: their actions can be counted where the conditions are lists. */
const LISTS = [
  ['or', ['=', A, 0], ['=', A, 2]],
  ['or', ['and', ['=', A, 1], ['!=', X, 3]], ['=', 2, A], ['=', A, 1]],
  ['and', ['or', ['=', A, 0], ['=', A, 1]], ['or', ['=', A, 1], ['=', A, 2]]],
  ['=', A, 1],
];
const CONDITIONS = [
  ['>', A, 0],
  ['>=', X, A],
  ['!=', X, 0],
  ['=', A, 2],
  ['<', X, A],
];

const stepAt = (index: number) =>
  fc
    .record({
      effect: fc.constantFrom(...EFFECTS),
      where: fc.subarray(CONDITIONS, { maxLength: 2 }),
      after: fc.subarray([0, 1].slice(0, index), { maxLength: Math.min(1, index) }),
      counts: fc.constantFrom([0, 1], [1, 1], [0, 2], [1, 2], [2, 2]),
    })
    .map(({ counts: [min = 0, max = 1], ...step }): TinyStep => ({ ...step, min, max }));

/** Of steps whose actions can mostly be counted: tools add to the state at most, and what each may be is listed. */
const listedAt = (index: number) =>
  fc
    .record({
      where: fc
        .constantFrom(...LISTS)
        .chain((list) => fc.subarray(CONDITIONS, { maxLength: 1 }).map((more) => [list, ...more])),
      after: fc.subarray([0, 1].slice(0, index), { maxLength: Math.min(1, index) }),
      counts: fc.constantFrom([0, 1], [1, 1], [0, 2], [1, 2], [2, 2], [0, 3]),
      effect: fc.constantFrom(undefined, ['+', X, A], ['-', X, A], ['-', X, 1]),
    })
    .map(({ counts: [min = 0, max = 1], ...step }): TinyStep => ({ ...step, min, max }));

const number = fc.integer({ min: -2, max: 4 });

function constraintsOver(steps: number): fc.Arbitrary<readonly unknown[]> {
  const step = fc.constantFrom(...STEP_IDS.slice(0, steps));
  const order = fc.constantFrom('=', '<=', '>=', '!=');
  const one = fc.oneof(
    fc.tuple(order, fc.constant(['final', 'x']), number),
    fc.tuple(
      order,
      step.map((id) => ['sum', id, A]),
      number,
    ),
    fc.tuple(
      order,
      fc.constant(['final', 'x']),
      step.map((id) => ['sum', id, ['+', A, R]]),
    ),
    fc.tuple(
      order,
      step.map((id) => ['count', id]),
      fc.integer({ min: 0, max: 2 }),
    ),
    step.map((id) => ['forall', id, ['=', A, 1]]),
    step.map((id) => ['exists', id, ['<', A, R]]),
  );
  return fc.array(one, { minLength: 0, maxLength: 2 });
}

/** Rules that ask of actions only what their arguments say. */
function countsOver(steps: number): fc.Arbitrary<readonly unknown[]> {
  const step = fc.constantFrom(...STEP_IDS.slice(0, steps));
  const order = fc.constantFrom('=', '<=', '>=', '!=');
  const asked = fc.constantFrom(['=', A, 1], ['<', A, 2], ['=', ['mod', A, 2], 0]);
  const one = fc.oneof(
    fc.tuple(
      order,
      fc.tuple(fc.constant('sum'), step, fc.constantFrom(A, ['-', A, 1], ['*', 2, A])),
      fc.integer({ min: -1, max: 4 }),
    ),
    fc.tuple(order, fc.tuple(fc.constant('count'), step, asked), fc.tuple(fc.constant('count'), step)),
    fc.tuple(order, fc.constant(['final', 'x']), number),
    fc.tuple(fc.constant('forall'), step, asked),
    fc.tuple(fc.constant('exists'), step, asked),
    fc.tuple(fc.constant('not'), fc.tuple(fc.constant('forall'), step, asked)),
    fc.tuple(fc.constant('not'), fc.tuple(fc.constant('exists'), step, asked)),
  );
  return fc.array(one, { minLength: 0, maxLength: 3 });
}

const V = ['var', 'v'];

const sheetsOver = (steps: number): fc.Arbitrary<readonly TinySheet[]> =>
  fc
    .array(
      fc.record({
        use: fc.oneof(
          fc.record({
            step: fc.constant(undefined),
            bind: fc.constantFrom(['final', 'x'], ['sum', 's0', A], ['-', ['sum', 's0', R], ['count', 's0']]),
          }),
          fc.record({ step: fc.nat(steps - 1), bind: fc.constantFrom(A, X, ['+', A, R], ['-', X, A]) }),
        ),
        bounds: fc.constantFrom({}, { min: 0 }, { min: 1 }, { max: 0 }, { max: 1 }, { min: -1, max: 1 }),
        rule: fc.oneof(
          fc.tuple(fc.constantFrom('<=', '>=', '!='), fc.constant(V), number),
          fc.constant(['=', ['mod', V, 2], 0]),
        ),
      }),
      { maxLength: 1 },
    )
    .map((all) => all.map(({ use, ...sheet }) => ({ ...use, ...sheet })));

export const tinyCases = tinyCasesOf(stepAt, constraintsOver);
export const listedCases = tinyCasesOf(listedAt, countsOver);

function tinyCasesOf(
  stepArbitrary: (index: number) => fc.Arbitrary<TinyStep>,
  rulesArbitrary: (steps: number) => fc.Arbitrary<readonly unknown[]>,
): fc.Arbitrary<TinyCase> {
  return fc.integer({ min: 1, max: 3 }).chain((count) =>
    fc.record({
      // At the greatest there is, many an act leads out of its type.
      initial: fc.constantFrom(-1, 0, 1, 2, 3, 3, 3),
      steps: fc.tuple(...[0, 1, 2].slice(0, count).map(stepArbitrary)),
      constraints: rulesArbitrary(count),
      sheets: sheetsOver(count),
      done: fc.array(
        fc.record({
          step: fc.nat(count - 1),
          a: fc.constantFrom(...ARGS, 2),
          r: fc.constantFrom(...RESPONSES),
        }),
        { minLength: 0, maxLength: 2 },
      ),
      isRecorded: fc.boolean(),
    }),
  );
}

const int = (least: number, most: number) => ({ type: 'int', min: least, max: most });

/** Texts of the sheets that the plan uses. */
export const sheetsOf = ({ sheets }: TinyCase): readonly string[] => sheets.map((sheet) => textOf(documentOf(sheet)));

const documentOf = ({ bounds, rule }: TinySheet) => ({
  sheet_format: 1,
  name: 'tiny',
  version: '1.0.0',
  title: 'Tiny',
  variables: { v: { type: 'int', ...bounds } },
  constraints: [{ id: 'rule', expr: rule }],
});

export function planOf({ initial, steps, constraints, sheets }: TinyCase): unknown {
  const rules = (all: readonly unknown[]) => all.map((expr, index) => ({ id: `${index}`, expr }));
  return {
    plan_format: 1,
    title: 'Tiny',
    expires_at: '2026-12-01T00:00:00.000000Z',
    max_executions: 1,
    max_recorded: 0,
    supersedes: null,
    variables: {},
    state: { x: { ...int(STATES.min, STATES.max), initial } },
    tools: steps.map(({ effect }, index) => ({
      name: `t${index}`,
      version: '1.0.0',
      effect: 'write',
      replay: effect === undefined ? 'recorded' : 'effects',
      args: { a: int(0, 2) },
      responds: { r: { ...int(0, 1), at: '/r' } },
      effects: effect === undefined ? {} : { x: effect },
      observe: effect === undefined ? {} : { x: 'r' },
      identity: null,
      post: [],
    })),
    steps: steps.map(({ where, after, min, max }, index) => ({
      step_id: `s${index}`,
      tool: `t${index}@1.0.0`,
      where: rules(where),
      after: after.map((before) => `s${before}`),
      min,
      max,
      evidence: [],
    })),
    constraints: rules(constraints),
    sheets: sheets.map((sheet) =>
      useOf(documentOf(sheet), sheet.step === undefined ? 'plan' : `each:s${sheet.step}`, { v: sheet.bind }),
    ),
  };
}

export function actionsOf({ done, isRecorded }: TinyCase): readonly unknown[] {
  const at = '2026-11-01T10:00:00.000000Z';
  return done.map(({ step, a, r }) => {
    const intent = { step_id: `s${step}`, tool: `t${step}`, tool_version: '1.0.0', args: { a } };
    return isRecorded ? { ...intent, response: { r }, started_at: at, ended_at: at } : intent;
  });
}

interface Act {
  readonly step: number;
  readonly a: number;
  readonly r: number;
}

/** Whether the run can be completed: tries every way to go on. */
export function tryAll(one: TinyCase): boolean {
  return pasts(one).some((done) => {
    const x = stateAfterAll(one, done);
    return x !== undefined && canEnd(one, done, x);
  });
}

/** Whether what was done obeys the rules as it stands, in whichever order and however often; undefined: it depends. */
export function obeysRules(one: TinyCase): boolean | undefined {
  return inAllWays(one, (done) => {
    const x = stateAfterAll(one, done);
    return x !== undefined && areMet(one, done, x);
  });
}

/** Whether what was done is the plan's, its state within its type or not; undefined: it depends. */
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

/** The ways to finish what was done, each response of the last one's tool: those that begin as the plan allows. */
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
  const { where = [], after = [], max = 0 } = steps[act.step] ?? {};
  return (
    timesOf(before, act.step) < max &&
    after.every((other) => timesOf(before, other) >= Math.max(1, steps[other]?.min ?? 0)) &&
    where.every((json) => meaningOf(json, worldOf(act, x)) === true)
  );
}

/** Undefined where the state would leave its type, if only for a while. */
function stateAfterAll(one: TinyCase, acts: readonly Act[]): number | undefined {
  let x: number | undefined = one.initial;
  for (const act of acts) x = x === undefined ? undefined : stateAfter(one, act, x);
  return x;
}

/** What was done, with each response that there may have been. */
function pasts({ done, isRecorded }: TinyCase): readonly (readonly Act[])[] {
  if (isRecorded) return [done];
  return done.reduce<readonly (readonly Act[])[]>(
    (all, act) => all.flatMap((acts) => RESPONSES.map((r) => [...acts, { ...act, r }])),
    [[]],
  );
}

/** @param dead where it was tried in vain: what may follow hangs on the state and on what was done, not on its order */
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
  const [value] = v as readonly [bigint, bigint];
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
  const effect = steps[act.step]?.effect;
  if (effect === undefined) return x;
  const [numerator] = meaningOf(effect, worldOf(act, x)) as readonly [bigint, bigint];
  return Number(numerator);
}

/** Undefined where the state would leave its type. */
function stateAfter(one: TinyCase, act: Act, x: number): number | undefined {
  const next = nextState(one, act, x);
  return STATES.min <= next && next <= STATES.max ? next : undefined;
}
