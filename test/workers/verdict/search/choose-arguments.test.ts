import test from 'ava';
import type { Value } from '../../../../workers/plan/language/values.ts';
import type { Plan } from '../../../../workers/plan/plan.ts';
import type { PlacedAction } from '../../../../workers/verdict/run/placed-action.ts';
import { traceRun } from '../../../../workers/verdict/run/trace.ts';
import { createChooser } from '../../../../workers/verdict/search/choose-arguments.ts';
import { followsFrom } from '../../../../workers/verdict/search/conditions.ts';
import { AS_WRITTEN, type RowOrder } from '../../../../workers/verdict/search/links.ts';
import { conditionOf, payPlan, undone } from '../../../models/pay-plan.ts';

type Args = Readonly<Record<string, Value>>;
type Parts = Parameters<typeof payPlan>[0];

const PAIRS =
  'pairs: { key: [a, b], columns: { a: string(64), b: int(0..3), c: int, d: "decimal(2)", e: bool }, rows: [{ a: X, b: 1, c: 5, d: 1.00, e: true }, { a: Y, b: 2, c: 7, d: 3.00, e: true }, { a: Z, b: 3, c: 5, d: 2.00, e: false }, { a: W, b: 0, c: 9, d: 2.50, e: false }] }';
const GIVEN = { given: 'seven: 7, two: 2, three: 3', state: 'left: 3' };
const under = (where: string, more: Parts = {}) =>
  payPlan({ ...GIVEN, pay: `times: 0..9, where: '${where}'`, ...more });

function placed(plan: Plan, number: number, args?: Args): PlacedAction {
  const action = undone(plan, number, args);
  return args === undefined ? { ...action, path: `/completion/${number}`, index: undefined } : action;
}

interface Choosing {
  readonly count?: number;
  readonly done?: readonly Args[];
  readonly order?: RowOrder;
  readonly areMany?: boolean;
}

/** The arguments that are chosen for actions, one after the other. */
function choose(
  plan: Plan,
  { count = 1, done = [], order = AS_WRITTEN, areMany = false }: Choosing = {},
): readonly Args[] {
  const before = done.map((args, number) => placed(plan, number, args));
  const chooser = createChooser(plan, before, { order, areMany });
  const chosen: Args[] = [];
  const following = Array.from({ length: count }, (_, number) => placed(plan, number));
  traceRun(plan, [...before, ...following], {
    choose(action, situation) {
      const args = chooser(action, situation);
      chosen.push(Object.fromEntries(args));
      return args;
    },
  });
  return chosen;
}

for (const [where, args] of [
  ['args.n == 2', { n: 2n }],
  ['3 == args.n', { n: 3n }],
  ['args.n == two', { n: 2n }],
  ['args.n == seven', {}],
  ['args.n == state.left', { n: 3n }],
  ['args.n == 1 && args.m == args.n - 2', { n: 1n, m: -1n }],
  ['args.m == args.n - 2 && args.n == 1', { n: 1n, m: -1n }],
  ['args.flag', { flag: true }],
  ['!args.flag', { flag: false }],
  ['args.kind == "old"', { kind: 'old' }],
  ['args.flag == (args.n > 1) && args.n == 2', { n: 2n, flag: true }],
  ['args.n > 1', {}],
  ['args.flag || args.n == 1', {}],
  ['args.n == args.m', {}],
  ['!(args.n == 2)', {}],
] as const) {
  test(`arguments that follow from ${where} are known`, (t) => {
    t.deepEqual(choose(under(where)), [args]);
  });
}

for (const [rule, args] of [
  ['pay.all(p, p.n == 2)', { n: 2n }],
  ['pay.all(p, p.n == two && p.flag)', { n: 2n, flag: true }],
  ['pay.all(p, p.n == 2) && pay.all(q, q.flag)', { n: 2n, flag: true }],
  ['pay.all(p, p.free == approved[p.invoice].amount)', { invoice: 'A', free: 30n }],
  ['pay.all(p, p.n == count(pay) && p.flag)', { flag: true }],
  ['look.all(l, l.n == 1)', {}],
  ['pay.exists(p, p.n == 1)', {}],
  ['pay.all(p, p.n == 1) || count(pay) > 3', {}],
  ['pay.all(p, look.all(l, p.n == 1))', {}],
  ['approved.all(a, a.amount == 1)', {}],
  // An action sees an earlier state than that at the end.
  ['pay.all(p, p.n == state.left)', {}],
  ['pay.all(p, p.n == state.sent["A"])', {}],
  ['pay.all(p, p.response.fee == p.n)', {}],
] as const) {
  test(`what ${rule} says of one action alone is a condition`, (t) => {
    const state = 'left: 3, sent: "map(string(64), int(0..9), default 0)"';
    t.deepEqual(choose(payPlan({ ...GIVEN, state, steps: 'look: { tool: look@1, times: 0..2 }', rules: [rule] })), [
      args,
    ]);
  });
}

const FROM_TABLE = 'args.free == approved[args.invoice].amount';
const FROM_PAIR = 'args.free == pairs[[args.invoice, args.n]].c';
const [A, B, C] = [
  { invoice: 'A', free: 30n },
  { invoice: 'B', free: -5n },
  { invoice: 'C', free: 12n },
];

for (const [what, where, options, expected] of [
  ['a row that none before has', FROM_TABLE, { count: 4 }, [A, B, C, {}]],
  ['no row of an action that was done', FROM_TABLE, { count: 2, done: [B] }, [A, C]],
  ['a row with which no condition is false', `${FROM_TABLE} && args.free < 20`, { count: 3 }, [B, C, {}]],
  [
    'a row that conditions between arguments allow',
    '(args.n == 1 || args.n == 2) && args.n < args.m + two && args.m == 0 && args.n > 0',
    { count: 2 },
    [{ m: 0n, n: 1n }, { m: 0n }],
  ],
  ['a row within the types', 'args.n == 9 || args.n == 2', {}, [{ n: 2n }]],
  ['no row whose values are outside the types', 'args.n == approved[args.invoice].amount', {}, [{}]],
  [
    'a row that an argument that is known allows',
    'args.n == 1 && (args.n == 2 && args.m == 0 || args.n == 1 && args.m == 2)',
    {},
    [{ n: 1n, m: 2n }],
  ],
  [
    'no row that contradicts an argument that is known',
    'args.n == 1 && (args.n == 2 && args.m == 0 || args.n == 3 && args.m == 2)',
    {},
    [{ n: 1n }],
  ],
  [
    'one choice after the other',
    'args.invoice in approved && (args.n == 1 || args.n == 2)',
    { count: 3 },
    [{ invoice: 'A', n: 1n }, { invoice: 'B', n: 2n }, { invoice: 'C' }],
  ],
  [
    'what every alternative gives',
    '(args.n == 1 && args.m == 2) || three == args.n',
    { count: 3 },
    [{ n: 1n }, { n: 3n }, {}],
  ],
  [
    'a key of two arguments',
    FROM_PAIR,
    { count: 2 },
    [
      { invoice: 'X', n: 1n, free: 5n },
      { invoice: 'Y', n: 2n, free: 7n },
    ],
  ],
  [
    'a row for each look-up with other arguments',
    'pairs[[args.invoice, args.n]].c > 1 && pairs[[args.payee, args.n]].e && pairs[[args.invoice, args.n]].e',
    {},
    [{ invoice: 'X', n: 1n, payee: 'X' }],
  ],
  ['no row for a key with a constant', 'pairs[[args.invoice, 1]].c > 1', {}, [{}]],
  ['no row for a key with a variable', 'pairs[[args.invoice, three]].c > 1', {}, [{}]],
  // Where many actions follow, texts are their own, and numbers as near to zero as can be.
  [
    'nothing open among many',
    'args.n >= 2 && args.m <= -1',
    { count: 2, areMany: true },
    [0, 1].map((at) => ({ n: 2n, m: -1n, free: 0n, invoice: `/completion/${at}` })),
  ],
  [
    'zero and what is known among many',
    'args.invoice == "A" && args.n >= 0',
    { areMany: true },
    [{ invoice: 'A', n: 0n, m: 0n, free: 0n }],
  ],
] as const) {
  test(`an action gets ${what}`, (t) => {
    const tables = where.includes('pairs') ? { tables: PAIRS } : {};
    t.deepEqual(choose(under(where, tables), options), expected);
  });
}

test('a row that did not fit an action may fit a later one', (t) => {
  const plan = payPlan({
    state: 'left: 1',
    pay: `times: 0..9, where: '${FROM_TABLE} && (args.free < 20 || state.left < 1)', effects: { left: state.left - 1 }`,
  });
  t.deepEqual(choose(plan, { count: 3 }), [B, A, C]);
});

for (const [by, isDescending, names] of [
  ['c', false, 'XZYW'],
  ['c', true, 'WYXZ'],
  ['d', false, 'XZWY'],
  ['d', true, 'YWZX'],
  // Truth values have no order.
  ['e', true, 'XYZW'],
  ['none', true, 'XYZW'],
] as const) {
  test(`rows by ${by}, ${isDescending ? 'descending' : 'ascending'}, are ${names}`, (t) => {
    const chosen = choose(under(FROM_PAIR, { tables: PAIRS }), { count: 4, order: { by, isDescending } });
    t.is(chosen.map(({ invoice }) => invoice).join(''), names);
  });
}

test('a text that is as long as its type allows is its own', (t) => {
  const plan = under('args.n >= 2');
  const chooser = createChooser(plan, [], { order: AS_WRITTEN, areMany: true });
  const chosen = (path: string) => chooser({ ...placed(plan, 0), path }, traceRun(plan, []).end).get('payee');
  t.is(chosen('/c/0'), '/c/0');
  t.is(chosen('/c/10'), undefined);
});

test('a condition follows from the state and the arguments that it reads', (t) => {
  const follows = (where: string, ...known: readonly string[]) =>
    followsFrom(conditionOf(under(where)), new Map(known.map((name) => [name, 1n])));
  t.true(follows('args.n > args.m', 'n', 'm'));
  t.false(follows('args.n > args.m', 'n'));
  t.true(follows('args.n > state.left + seven', 'n'));
  t.false(follows('args.n > 1 || started_at > approved_at', 'n'));
  t.false(followsFrom({ op: 'reference', scope: 'resp', name: 'fee' }, new Map([['fee', 1n]])));
});
