import type { Plan } from '../../../workers/plan/plan.ts';
import { readPlan } from '../../../workers/plan/read/read-plan.ts';
import { readActions, readIntents } from '../../../workers/verdict/run/read-actions.ts';
import type { Table } from '../interpret.ts';
import { textOf, useOf } from '../sheets.ts';
import { drawCondition, drawNumber, type Words } from './draw-expression.ts';
import { createRandom, type Random } from './random.ts';

/** A small plan of format 2 and actions that were done. */
export interface RelationalCase {
  readonly rows: Table['rows'];
  readonly constant: number;
  readonly initial: number;
  readonly steps: readonly DrawnStep[];
  readonly constraints: readonly unknown[];
  readonly acts: readonly DrawnAct[];
  /** How many of these are recorded. The others are proposed: their responses and times are not known. */
  readonly recorded: number;
  readonly sheets: readonly DrawnSheet[];
  /** Whether expressions refer to times and approvals. Brute force cannot try all of these. */
  readonly hasTimes: boolean;
  /** Whether tools have optional arguments, lists and objects. */
  readonly hasParts?: boolean | undefined;
}

interface DrawnStep {
  readonly where: readonly unknown[];
  readonly after: readonly { readonly step: number; readonly atLeast: number }[];
  /** Steps with which this one may overlap. */
  readonly overlaps: readonly number[];
  readonly min: number;
  readonly max: number;
  /** The next value of x. Undefined if it does not change. */
  readonly effect: unknown;
  /** Entries of m that the step sets. */
  readonly entries: readonly { readonly key: unknown; readonly value: unknown }[];
}

/** A sheet of one variable `v`, and how the plan uses it. */
interface DrawnSheet {
  /** The step whose actions it is for. Undefined for the run. */
  readonly step: number | undefined;
  readonly bind: unknown;
  readonly bounds: { readonly min?: number; readonly max?: number };
  readonly rule: unknown;
}

export interface DrawnAct {
  readonly step: number;
  readonly a: number;
  /** Of tools that have it. */
  readonly b?: number;
  readonly e: 'p' | 'q';
  readonly r: number;
  /** Of tools with parts: an optional argument, a list, and an optional field and a list of the response. */
  readonly o?: number | undefined;
  readonly l?: readonly { readonly v: number; readonly w?: number | undefined }[];
  readonly p?: number | undefined;
  readonly q?: readonly number[];
  /** Seconds after the approval. */
  readonly started: number;
  readonly ended: number;
  /** Undefined: it is done. */
  readonly outcome?: 'failed' | 'unknown';
  /** Whether one of unknown outcome has not ended. */
  readonly isOpen?: boolean;
  /** That it did not take effect, in one of the ways in which it may have turned out. */
  readonly isAbsent?: boolean;
  /** When it ended in that way, if its outcome is unknown. Undefined: not yet. */
  readonly endedAfterAll?: number;
}

export const STATES = { min: -2, max: 4 };
export const ARGS: readonly number[] = [0, 1, 2];
export const KEYS = { min: 0, max: 3 };
export const ENTRIES = { min: 0, max: 3 };

export function drawCase(
  seed: number,
  {
    hasTimes,
    most,
    proposed = 0,
    hasParts,
  }: {
    readonly hasParts?: boolean | undefined;
    readonly hasTimes: boolean;
    readonly most: number /** How many acts are proposed. */;
    readonly proposed?: number;
  },
): RelationalCase {
  const random = createRandom(seed);
  const steps = Array.from({ length: 1 + random.below(2) }, (_, index) =>
    drawStep(random, index, { hasTimes, hasParts }),
  );
  const ids = steps.map((_, index) => `s${index}`);
  const whole: Words = {
    numbers: [
      ['final', 'x'],
      ['var', 'c'],
    ],
    enums: [],
    times: hasTimes ? [] : undefined,
    steps: ids,
    maps: 'final',
    binders: [],
    hasRunFacts: hasTimes,
    ...(hasParts && { hasParts }),
  };
  const drawn = {
    rows: ARGS.filter(() => random.chance(0.7)).map((k) => ({ k, v: random.below(4), s: random.pick(['p', 'q']) })),
    constant: random.below(4),
    initial: random.below(4),
    steps,
    constraints: random.times(2, () => drawCondition(random, whole, 3)),
    acts: random.times(most, () => drawAct(random, steps.length, hasParts)),
    hasTimes,
    hasParts,
  };
  const sheets = random.chance(0.3) ? [drawSheet(random, steps.length)] : [];
  return { ...drawn, sheets, recorded: Math.max(0, drawn.acts.length - proposed) };
}

function drawStep(
  random: Random,
  index: number,
  { hasTimes, hasParts }: Pick<RelationalCase, 'hasTimes' | 'hasParts'>,
): DrawnStep {
  const before: Words = {
    numbers: [
      ['arg', 'a'],
      ['arg', 'a'],
      ['state', 'x'],
      ['var', 'c'],
      ...(hasParts ? [OPTIONAL, ['arg', 'in/deep'], LENGTH] : []),
    ],
    ...(hasParts && { hasParts }),
    enums: [['arg', 'e']],
    times: hasTimes ? [['started'], ['ended']] : undefined,
    steps: [],
    maps: 'state',
    binders: [],
    hasRunFacts: hasTimes,
  };
  const after: Words = {
    ...before,
    numbers: [...before.numbers, ['resp', 'r']],
    hasRunFacts: false,
    times: hasTimes ? [] : undefined,
  };
  const min = random.below(2);
  return {
    where: [
      ...random.times(2, () => drawCondition(random, before, 2)),
      ...(random.chance(0.2) ? [random.pick<unknown>(LISTS)] : []),
    ],
    after: index > 0 && random.chance(0.4) ? [{ step: 0, atLeast: random.below(3) }] : [],
    overlaps: [0, index].filter((_, at) => (at === 0 || index > 0) && random.chance(0.6)),
    min,
    max: min + random.pick([1, 2, 3]),
    effect: random.chance(0.6) ? drawEffect(random, after) : undefined,
    entries: random.chance(0.5)
      ? random.times(2, () => ({ key: drawNumber(random, after, 0), value: drawNumber(random, after, 1) }))
      : [],
  };
}

const [A, X, R] = [
  ['arg', 'a'],
  ['state', 'x'],
  ['resp', 'r'],
];
const OPTIONAL = ['arg', 'o'];
const LENGTH = ['count', ['arg', 'l']];
/** Conditions that list what an argument may be, so that actions can be counted. */
const LISTS = [
  ['or', ['=', A, 0], ['=', A, 2]],
  ['or', ['and', ['=', A, 1], ['!=', X, 3]], ['=', 2, A], ['=', A, 1]],
  ['and', ['or', ['=', A, 0], ['=', A, 1]], ['or', ['=', A, 1], ['=', A, 2]]],
  ['=', A, 1],
] as const;

function drawSheet(random: Random, steps: number): DrawnSheet {
  const of = (name: string, part: string) => ['sum', 's0', 'x0', [name, 'x0', part]];
  const [step, bind] = random.chance(0.5)
    ? [undefined, random.pick([['final', 'x'], of('arg', 'a'), ['-', of('resp', 'r'), ['count', 's0']]])]
    : [random.below(steps), random.pick<unknown>([A, X, ['+', A, R], ['-', X, A]])];
  const bounds = random.pick<DrawnSheet['bounds']>([
    {},
    { min: 0 },
    { min: 1 },
    { max: 0 },
    { max: 1 },
    { min: -1, max: 1 },
  ]);
  const V = ['var', 'v'];
  const rule = random.pick<unknown>([
    [random.pick(['<=', '>=', '!=']), V, random.below(7) - 2],
    ['=', ['*', 2, ['div', V, 2]], V],
  ]);
  return { step, bind, bounds, rule };
}

const drawEffect = (random: Random, words: Words): unknown =>
  random.chance(0.6)
    ? [random.pick(['+', '-']), ['state', 'x'], random.pick([['arg', 'a'], 1, ['resp', 'r']])]
    : drawNumber(random, words, 2);

/** Values of what may be missing, and of lists. That of `in/deep` is `a` once more. */
const drawParts = (random: Random): Pick<DrawnAct, 'o' | 'l' | 'p' | 'q'> => ({
  o: random.pick([undefined, 0, 1, 2]),
  l: random.times(2, () => ({ v: random.below(3), w: random.pick([undefined, undefined, 0, 1, 2]) })),
  p: random.pick([undefined, 1]),
  q: random.times(1, () => 1),
});

export function drawAct(random: Random, steps: number, hasParts = false): DrawnAct {
  const started = random.below(4);
  const lasts = random.pick([0, 0, 1, 2]);
  return {
    step: random.below(steps),
    a: random.below(3),
    e: random.pick(['p', 'q']),
    r: random.below(2),
    started,
    ended: started + lasts,
    ...(hasParts ? drawParts(random) : {}),
  };
}

/** The case with acts that failed, or whose outcome is unknown. No rule reads when an unknown one ended. */
export function withOutcomes(one: RelationalCase, seed: number): RelationalCase {
  const random = createRandom(seed);
  const outcomes = one.hasTimes ? (['failed'] as const) : (['failed', 'unknown'] as const);
  const acts = one.acts.map((act) => (random.chance(0.4) ? { ...act, outcome: random.pick(outcomes) } : act));
  return { ...one, acts };
}

const int = ({ min, max }: { readonly min: number; readonly max: number }) => ({ type: 'int', min, max });
const rulesOf = (all: readonly unknown[]) => all.map((expr, index) => ({ id: `${index}`, expr }));

const sheetDocument = ({ bounds, rule }: DrawnSheet) => ({
  sheet_format: 1,
  name: 'tiny',
  version: '1.0.0',
  title: 'Tiny',
  variables: { v: { type: 'int', ...bounds } },
  constraints: [{ id: 'rule', expr: rule }],
});

export const readCase = (one: RelationalCase): Plan =>
  readPlan(
    documentOf(one),
    one.sheets.map((sheet) => textOf(sheetDocument(sheet))),
  );

/** A list or an object needs no other tool: the arguments of one with parts are all that there can be. */
const PART_ARGS = {
  o: { ...int({ min: 0, max: 2 }), optional: true },
  in: { type: 'object', members: { deep: int({ min: 0, max: 2 }) } },
  l: {
    type: 'list',
    of: {
      type: 'object',
      members: { v: int({ min: 0, max: 2 }), w: { ...int({ min: 0, max: 2 }), optional: true } },
    },
    min: 0,
    max: 2,
  },
};
const PART_FIELDS = {
  p: { ...int({ min: 1, max: 1 }), at: '/p', optional: true },
  q: { type: 'list', of: int({ min: 1, max: 1 }), min: 0, max: 1, at: '/q' },
};

export function documentOf(one: RelationalCase): unknown {
  const { rows, constant, initial, steps, constraints, sheets, hasParts } = one;
  return {
    plan_format: 2,
    title: 'Tiny',
    expires_at: '2026-12-01T00:00:00.000000Z',
    max_executions: 1,
    max_recorded: 1000,
    supersedes: null,
    approvals: 2,
    variables: { c: { type: 'int', value: constant } },
    tables: {
      t: {
        key: ['k'],
        columns: { k: { type: 'int' }, v: { type: 'int' }, s: { type: 'enum', values: ['p', 'q'] } },
        inline: rows,
      },
    },
    state: {
      x: { ...int(STATES), initial },
      m: { type: 'map', key: int(KEYS), value: int(ENTRIES), default: 0 },
    },
    tools: [
      {
        name: 'tool',
        version: '1.0.0',
        effect: 'none',
        replay: 'recorded',
        args: { a: int({ min: 0, max: 2 }), e: { type: 'enum', values: ['p', 'q'] }, ...(hasParts && PART_ARGS) },
        responds: { r: { ...int({ min: 0, max: 1 }), at: '/r' }, ...(hasParts && PART_FIELDS) },
        observe: {},
        identity: null,
        effects: {},
        post: [],
      },
    ],
    steps: steps.map(({ where, after, overlaps, effect, entries, min, max }, index) => ({
      step_id: `s${index}`,
      tool: 'tool@1.0.0',
      where: rulesOf(where),
      after: after.map(({ step, atLeast }) => ({ step: `s${step}`, at_least: atLeast })),
      ...(overlaps.length === 0 ? {} : { overlaps: overlaps.map((step) => `s${step}`) }),
      effects: { ...(effect === undefined ? {} : { x: effect }), ...(entries.length === 0 ? {} : { m: entries }) },
      min,
      max,
      evidence: [],
    })),
    constraints: rulesOf(constraints),
    sheets: sheets.map((sheet) =>
      useOf(sheetDocument(sheet), sheet.step === undefined ? 'plan' : `each:s${sheet.step}`, { v: sheet.bind }),
    ),
  };
}

const APPROVED_AT = '2026-11-01T10:00:00.000000Z';
export const APPROVED_MICROSECONDS = Date.parse(`${APPROVED_AT.slice(0, 23)}Z`) * 1000;
const at = (seconds: number) =>
  `${new Date(Date.parse(`${APPROVED_AT.slice(0, 23)}Z`) + seconds * 1000).toISOString().slice(0, -1)}000Z`;

export const APPROVALS = [
  { at: at(0), group: 'g' },
  { at: at(-5), group: 'h' },
  // Only for runs that begin at most five seconds earlier.
  { at: at(7), group: 'late' },
];

/** The actions that were done, and those that are proposed. */
export const readCaseActions = (one: RelationalCase, plan: Plan) => {
  const intents = one.acts.map(({ step, a, e, o, l }) => {
    const parts = one.hasParts ? { l, in: { deep: a }, ...(o !== undefined && { o }) } : {};
    // As JSON: what is undefined is not there.
    const args: object = JSON.parse(JSON.stringify({ a, e, ...parts }));
    return { step_id: `s${step}`, tool: 'tool', tool_version: '1.0.0', args };
  });
  const done = one.acts.slice(0, one.recorded).map(({ r, p, q, started, ended, outcome }, index) => {
    const response = { r, ...(one.hasParts && { p: p ?? null, q }) };
    const report = outcome === undefined ? { response } : { outcome };
    return { ...intents[index], ...report, started_at: at(started), ended_at: at(ended) };
  });
  return [...readActions(done, plan), ...readIntents(intents.slice(one.recorded), plan, one.recorded)];
};
