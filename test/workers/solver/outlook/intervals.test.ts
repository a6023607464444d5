import test from 'ava';
import { evaluate } from '../../../../workers/solver/language/evaluate.ts';
import { type Expression, literal, type Term, variable } from '../../../../workers/solver/language/terms.ts';
import {
  ANY,
  type Bounds,
  boundsOfStep,
  columnInterval,
  intervalOf,
  ofType,
  times,
} from '../../../../workers/solver/outlook/intervals.ts';
import type { Table } from '../../../../workers/solver/plan/plan.ts';
import { fc } from '../../../kit/fast-check.ts';
import { runs } from '../../../kit/property-runs.ts';
import { conditionOf, outlookPlan, stepOf } from '../../../models/outlook-plan.ts';

const plan = outlookPlan({
  given: 'seven: 7, on: true',
  state:
    'left: { type: "int(-3..40)", initial: 0 }, name: { type: "string(8)", initial: "" }, sent: "map(string(64), int(1..5), default 1)"',
});
const pay = stepOf(plan);
const bounds = boundsOfStep(pay, plan);
const reference = (scope: 'arg' | 'resp' | 'var' | 'state' | 'final', name: string): Expression => ({
  op: 'reference',
  scope,
  name,
});
const [n, m, flag] = [reference('arg', 'n'), reference('arg', 'm'), reference('arg', 'flag')];
const small = fc.integer({ min: -4, max: 4 }).map((value) => BigInt(value));
const divisor = small.filter((value) => value !== 0n);

const drawn = fc.letrec<{ number: Expression; truth: Expression }>((tie) => ({
  number: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(n, m),
    small.map(literal),
    fc.record({ op: fc.constant('*' as const), arg: tie('number'), by: small }),
    fc.record({ op: fc.constant('div' as const), arg: tie('number'), by: divisor }),
    fc.record({ op: fc.constantFrom('min' as const, 'max' as const), left: tie('number'), right: tie('number') }),
    fc.array(tie('number'), { maxLength: 3 }).map((args): Expression => ({ op: '+', args })),
    fc.record({
      op: fc.constant('ite' as const),
      condition: tie('truth'),
      whenTrue: tie('number'),
      whenFalse: tie('number'),
    }),
  ),
  truth: fc.record({
    op: fc.constantFrom('=' as const, '<' as const, '<=' as const),
    left: tie('number'),
    right: tie('number'),
  }),
}));

/** The expression with variables in place of arguments. */
function termOf(expression: Expression): Term {
  switch (expression.op) {
    case 'literal':
      return expression;
    case 'reference':
      return variable(expression.name);
    case '*':
    case 'div':
      return { ...expression, arg: termOf(expression.arg) };
    case '+':
      return { op: '+', args: expression.args.map(termOf) };
    case 'ite': {
      const { condition, whenTrue, whenFalse } = expression;
      return { op: 'ite', condition: termOf(condition), whenTrue: termOf(whenTrue), whenFalse: termOf(whenFalse) };
    }
    case '=':
    case '<':
    case '<=':
    case 'min':
    case 'max':
      return { ...expression, left: termOf(expression.left), right: termOf(expression.right) };
    default:
      throw new TypeError(expression.op);
  }
}

const ACTIONS = [0n, 1n, 2n, 3n].flatMap((one) =>
  [-2n, -1n, 0n, 1n, 2n].map(
    (other) =>
      new Map([
        ['n', one],
        ['m', other],
      ]),
  ),
);

function isIn(value: unknown, interval: { readonly min: bigint; readonly max: bigint } | undefined): boolean {
  return typeof value === 'bigint' && interval !== undefined && interval.min <= value && value <= interval.max;
}

test('the interval of a number has every value that it can have', (t) => {
  fc.assert(
    fc.property(drawn.number, (expression) => {
      const interval = intervalOf(expression, bounds);
      return ACTIONS.every((action) => isIn(evaluate(termOf(expression), action), interval));
    }),
    { numRuns: runs(500) },
  );
  t.pass();
});

test('the bounds of a step contain every action that meets its conditions', (t) => {
  let narrower = 0;
  fc.assert(
    fc.property(fc.array(drawn.truth, { minLength: 1, maxLength: 3 }), (conditions) => {
      const where = conditions.map((expression, index) => ({ id: `${index}`, expression }));
      const { args } = boundsOfStep({ ...pay, where }, plan);
      if (args.get('n')?.max !== 3n || args.get('n')?.min !== 0n) narrower += 1;
      const allowed = ACTIONS.filter((action) =>
        conditions.every((condition) => evaluate(termOf(condition), action) === true),
      );
      return allowed.every((action) => ['n', 'm'].every((name) => isIn(action.get(name), args.get(name))));
    }),
    { numRuns: runs(500) },
  );
  t.true(narrower > runs(500) / 10);
});

for (const [what, expression, expected] of [
  ['a product', { op: '*', arg: reference('resp', 'fee'), by: 3n }, { min: 6n, max: 27n }],
  ['a product with a negative number', { op: '*', arg: reference('resp', 'fee'), by: -2n }, { min: -18n, max: -4n }],
  ['a product with zero', { op: '*', arg: m, by: 0n }, { min: 0n, max: 0n }],
  ['a sum', { op: '+', args: [n, m, literal(1n)] }, { min: -1n, max: 6n }],
  ['a sum of nothing', { op: '+', args: [] }, { min: 0n, max: 0n }],
  ['the smaller one', { op: 'min', left: n, right: m }, { min: -2n, max: 2n }],
  ['the larger one', { op: 'max', left: n, right: m }, { min: 0n, max: 3n }],
  ['a choice', { op: 'ite', condition: flag, whenTrue: n, whenFalse: literal(-8n) }, { min: -8n, max: 3n }],
  ['another choice', { op: 'ite', condition: flag, whenTrue: literal(-8n), whenFalse: n }, { min: -8n, max: 3n }],
  ['a constant', reference('var', 'seven'), { min: 7n, max: 7n }],
  ['a state', reference('state', 'left'), { min: -3n, max: 40n }],
  ['a state at the end', reference('final', 'left'), { min: -3n, max: 40n }],
  ['a response', reference('resp', 'fee'), { min: 2n, max: 9n }],
] as const satisfies readonly (readonly [string, Expression, object])[]) {
  test(`${what} has the bounds of its parts`, (t) => {
    t.deepEqual(intervalOf(expression, bounds), expected);
  });
}

test('a quotient is not larger than what is divided', (t) => {
  t.deepEqual(intervalOf({ op: 'div', arg: m, by: 3n }, bounds), { min: -2n, max: 2n });
  t.deepEqual(intervalOf({ op: 'div', arg: { op: '+', args: [n, literal(-9n)] }, by: 3n }, bounds), {
    min: -9n,
    max: 9n,
  });
});

test('parts of a bound action have the bounds of the action, and other parts those of their types', (t) => {
  const part = (name: 'arg' | 'resp' | 'col', of: string): Expression => ({
    op: 'part',
    binder: 'p',
    part: name,
    name: of,
    type: { type: 'int', min: -77n, max: 77n },
  });
  const bound = { ...bounds, binder: 'p' };
  t.deepEqual(intervalOf(part('arg', 'n'), bound), { min: 0n, max: 3n });
  t.deepEqual(intervalOf(part('resp', 'fee'), bound), { min: 2n, max: 9n });
  const own = { min: -77n, max: 77n };
  t.deepEqual(intervalOf(part('col', 'amount'), bound), own);
  for (const binder of ['q', undefined]) {
    t.deepEqual(intervalOf(part('arg', 'n'), { ...bounds, binder }), own, 'of another action');
    t.deepEqual(intervalOf(part('resp', 'fee'), { ...bounds, binder }), own, 'of another action');
  }
});

test('a look-up has the bounds of its column, and the value of a map those of its type', (t) => {
  const looked = conditionOf(outlookPlan({ pay: `times: 0..1, where: 'args.n == approved[args.invoice].amount'` }));
  if (looked.op !== '=') throw new Error(looked.op);
  t.deepEqual(intervalOf(looked.right, bounds), { min: -5n, max: 30n });
  const at = { op: 'at', at: 'state', map: 'sent', key: reference('arg', 'invoice') } as const;
  t.deepEqual(intervalOf({ ...at, type: { type: 'int', min: 1n, max: 5n } }, bounds), { min: 1n, max: 5n });
});

for (const [what, expression] of [
  ['a text', literal('text')],
  ['a truth value', literal(true)],
  ['an argument that is no number', flag],
  ['a constant that is no number', reference('var', 'on')],
  ['a state that is no number', reference('state', 'name')],
  ['a comparison', { op: '<', left: n, right: m }],
  ['a product of no number', { op: '*', arg: flag, by: 2n }],
  ['a quotient of no number', { op: 'div', arg: flag, by: 2n }],
  ['a sum with no number', { op: '+', args: [n, flag] }],
  ['the smaller one of no numbers', { op: 'min', left: flag, right: n }],
  ['a choice of no numbers', { op: 'ite', condition: flag, whenTrue: n, whenFalse: flag }],
] as const satisfies readonly (readonly [string, Expression])[]) {
  test(`${what} has no interval`, (t) => {
    t.is(intervalOf(expression, bounds), undefined);
  });
}

test('an action has bounds for its numbers alone', (t) => {
  t.deepEqual([...bounds.args.keys()].toSorted(), ['free', 'm', 'n']);
  t.deepEqual([...bounds.responds], [['fee', { min: 2n, max: 9n }]]);
  t.is(ofType({ type: 'string', max: 8 }), undefined);
});

test('conditions that bound a number by another one are followed twice', (t) => {
  const { args } = boundsOfStep(
    {
      ...pay,
      where: [
        { id: 'a', expression: { op: '<=', left: n, right: m } },
        { id: 'b', expression: { op: '<', left: m, right: literal(2n) } },
      ],
    },
    plan,
  );
  t.deepEqual(
    [args.get('n'), args.get('m')],
    [
      { min: 0n, max: 1n },
      { min: 0n, max: 1n },
    ],
  );
});

test('bounds that contradict each other are left', (t) => {
  const where = [{ id: 'no', expression: { op: '<', left: n, right: literal(0n) } as const }];
  t.deepEqual(boundsOfStep({ ...pay, where }, plan).args.get('n'), { min: 0n, max: 3n });
});

test('a condition that holds in one case only bounds nothing', (t) => {
  const below = { op: '<', left: n, right: literal(2n) } as const;
  for (const expression of [
    { op: 'not', arg: below },
    { op: 'or', args: [flag, below] },
  ] as const) {
    t.deepEqual(boundsOfStep({ ...pay, where: [{ id: 'a', expression }] }, plan).args.get('n'), { min: 0n, max: 3n });
  }
});

function tableOf(values: readonly (bigint | string)[]): Table {
  return {
    key: ['k'],
    columns: new Map(),
    positions: new Map([
      ['k', 0],
      ['v', 1],
    ]),
    rows: values.map((value, index) => [BigInt(-index), value]),
    rowAt: () => undefined,
  };
}

test('a column of numbers has its least and its greatest one', (t) => {
  const table = tableOf([4n, -2n, 9n, 3n]);
  t.deepEqual(columnInterval(table, 'v'), { min: -2n, max: 9n });
  t.deepEqual(columnInterval(table, 'k'), { min: -3n, max: 0n });
  t.deepEqual(columnInterval(table, 'v'), { min: -2n, max: 9n }, 'again');
  t.is(columnInterval(tableOf([]), 'v'), undefined);
  t.is(columnInterval(tableOf(['a', 'b']), 'v'), undefined);
});

test('a look-up in a table without rows has the bounds of its type', (t) => {
  const empty: Bounds = { ...bounds, plan: { ...plan, tables: new Map([['approved', tableOf([])]]) } };
  const look = {
    op: 'look',
    table: 'approved',
    column: 'v',
    keys: [n],
    type: { type: 'int', min: 1n, max: 2n },
  } as const;
  t.deepEqual(intervalOf(look, empty), { min: 1n, max: 2n });
  t.is(intervalOf({ ...look, table: 'none' }, empty), undefined);
});

test('an interval is multiplied, and turned by a negative number', (t) => {
  t.deepEqual(times({ min: -2n, max: 3n }, 4n), { min: -8n, max: 12n });
  t.deepEqual(times({ min: -2n, max: 3n }, -4n), { min: -12n, max: 8n });
  t.true(ANY.min < -(10n ** 80n) && ANY.max > 10n ** 80n);
});
