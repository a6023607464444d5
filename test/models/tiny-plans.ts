import fc from 'fast-check';
import { defined } from '../../workers/exact/defined.ts';
import { textOf, useOf } from './sheets.ts';

/** A plan over tiny types and the actions done so far. It is so small that every continuation can be tried. */
export interface TinyCase {
  readonly initial: number;
  readonly steps: readonly TinyStep[];
  readonly constraints: readonly unknown[];
  readonly sheets: readonly TinySheet[];
  readonly done: readonly { readonly step: number; readonly a: number; readonly r: number }[];
  /** Whether the responses of the tools are known. */
  readonly isRecorded: boolean;
}

/** A sheet of one variable, and how the plan uses it. */
export interface TinySheet {
  /** The step whose actions it is for. Undefined for the run. */
  readonly step: number | undefined;
  readonly bind: unknown;
  readonly bounds: { readonly min?: number; readonly max?: number };
  readonly rule: unknown;
}

interface TinyStep {
  /** The next value of the state. Undefined if it does not change. */
  readonly effect: unknown;
  readonly where: readonly unknown[];
  /** Steps that must come before this one. */
  readonly after: readonly number[];
  readonly min: number;
  readonly max: number;
}

const [X, A, R, P, Q] = [
  ['state', 'x'],
  ['arg', 'a'],
  ['resp', 'r'],
  ['arg', 'p', 'a'],
  ['resp', 'p', 'r'],
];
export const STATES = { min: -2, max: 3 };
export const ARGS = [0, 1, 2];
export const RESPONSES = [0, 1];
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
/** Conditions that are lists, so that actions can be counted. */
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
      counts: fc.constantFrom(
        { min: 0, max: 1 },
        { min: 1, max: 1 },
        { min: 0, max: 2 },
        { min: 1, max: 2 },
        { min: 2, max: 2 },
      ),
    })
    .map(({ counts, ...step }): TinyStep => ({ ...step, ...counts }));

/** Steps whose actions can mostly be counted: tools only add to the state, and conditions are lists. */
const listedAt = (index: number) =>
  fc
    .record({
      where: fc
        .constantFrom(...LISTS)
        .chain((list) => fc.subarray(CONDITIONS, { maxLength: 1 }).map((more) => [list, ...more])),
      after: fc.subarray([0, 1].slice(0, index), { maxLength: Math.min(1, index) }),
      counts: fc.constantFrom(
        { min: 0, max: 1 },
        { min: 1, max: 1 },
        { min: 0, max: 2 },
        { min: 1, max: 2 },
        { min: 2, max: 2 },
        { min: 0, max: 3 },
      ),
      effect: fc.constantFrom(undefined, ['+', X, A], ['-', X, A], ['-', X, 1]),
    })
    .map(({ counts, ...step }): TinyStep => ({ ...step, ...counts }));

const number = fc.integer({ min: -2, max: 4 });

function constraintsOver(steps: number): fc.Arbitrary<readonly unknown[]> {
  const step = fc.constantFrom(...STEP_IDS.slice(0, steps));
  const order = fc.constantFrom('=', '<=', '>=', '!=');
  const one = fc.oneof(
    fc.tuple(order, fc.constant(['final', 'x']), number),
    fc.tuple(
      order,
      step.map((id) => ['sum', id, 'p', P]),
      number,
    ),
    fc.tuple(
      order,
      fc.constant(['final', 'x']),
      step.map((id) => ['sum', id, 'p', ['+', P, Q]]),
    ),
    fc.tuple(
      order,
      step.map((id) => ['count', id]),
      fc.integer({ min: 0, max: 2 }),
    ),
    step.map((id) => ['forall', id, 'p', ['=', P, 1]]),
    step.map((id) => ['exists', id, 'p', ['<', P, Q]]),
  );
  return fc.array(one, { minLength: 0, maxLength: 2 });
}

/** Rules that only depend on the arguments of actions. */
function countsOver(steps: number): fc.Arbitrary<readonly unknown[]> {
  const step = fc.constantFrom(...STEP_IDS.slice(0, steps));
  const order = fc.constantFrom('=', '<=', '>=', '!=');
  const name = fc.constant('p');
  const asked = fc.constantFrom(['=', P, 1], ['<', P, 2]);
  const one = fc.oneof(
    fc.tuple(
      order,
      fc.tuple(fc.constant('sum'), step, name, fc.constantFrom(P, ['-', P, 1], ['*', 2, P])),
      fc.integer({ min: -1, max: 4 }),
    ),
    fc.tuple(order, fc.tuple(fc.constant('count'), step, name, asked), fc.tuple(fc.constant('count'), step)),
    fc.tuple(order, fc.constant(['final', 'x']), number),
    fc.tuple(fc.constant('forall'), step, name, asked),
    fc.tuple(fc.constant('exists'), step, name, asked),
    fc.tuple(fc.constant('not'), fc.tuple(fc.constant('forall'), step, name, asked)),
    fc.tuple(fc.constant('not'), fc.tuple(fc.constant('exists'), step, name, asked)),
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
            bind: fc.constantFrom(['final', 'x'], ['sum', 's0', 'p', P], ['-', ['sum', 's0', 'p', Q], ['count', 's0']]),
          }),
          fc.record({ step: fc.nat(steps - 1), bind: fc.constantFrom(A, X, ['+', A, R], ['-', X, A]) }),
        ),
        bounds: fc.constantFrom({}, { min: 0 }, { min: 1 }, { max: 0 }, { max: 1 }, { min: -1, max: 1 }),
        rule: fc.oneof(
          fc.tuple(fc.constantFrom('<=', '>=', '!='), fc.constant(V), number),
          fc.constant(['=', ['*', 2, ['div', V, 2]], V]),
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
      // From the greatest value, many actions lead out of the type.
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
    plan_format: 2,
    title: 'Tiny',
    expires_at: '2026-12-01T00:00:00.000000Z',
    max_executions: 1,
    max_recorded: 256,
    supersedes: null,
    approvals: 1,
    variables: {},
    tables: {},
    state: { x: { ...int(STATES.min, STATES.max), initial } },
    tools: steps.map(({ effect }, index) => ({
      name: `t${index}`,
      version: '1.0.0',
      effect: 'none',
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
      after: after.map((before) => ({ step: `s${before}`, at_least: Math.max(1, defined(steps[before]).min) })),
      effects: {},
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

export function actionsOf({ done, isRecorded }: TinyCase): readonly Readonly<Record<string, unknown>>[] {
  const at = '2026-11-01T10:00:00.000000Z';
  return done.map(({ step, a, r }) => {
    const intent = { step_id: `s${step}`, tool: `t${step}`, tool_version: '1.0.0', args: { a } };
    return isRecorded ? { ...intent, response: { r }, started_at: at, ended_at: at } : intent;
  });
}
