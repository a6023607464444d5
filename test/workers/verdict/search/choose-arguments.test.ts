import test from 'ava';
import type { Value } from '../../../../workers/plan/language/values.ts';
import type { Plan } from '../../../../workers/plan/plan.ts';
import type { PlacedAction } from '../../../../workers/verdict/run/placed-action.ts';
import { traceRun } from '../../../../workers/verdict/run/trace.ts';
import { createChooser, obeys, propagate } from '../../../../workers/verdict/search/choose-arguments.ts';
import { conditionsOf } from '../../../../workers/verdict/search/conditions.ts';
import { AS_WRITTEN, type RowOrder } from '../../../../workers/verdict/search/links.ts';
import { openAction, outlookPlan, stepOf, undone } from '../../../models/outlook-plan.ts';

type Args = Readonly<Record<string, Value>>;

const GIVEN = { given: 'seven: 7, two: 2', state: 'left: 3' };
const planUnder = (where: string) => outlookPlan({ ...GIVEN, pay: `times: 0..9, where: '${where}'` });

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
    t.deepEqual(choose(planUnder(where)), [args]);
  });
}

test('arguments that follow are not kept outside their types', (t) => {
  t.deepEqual(choose(planUnder('args.n == seven')), [{}]);
  const plan = planUnder('args.n == 2');
  const step = stepOf(plan);
  const { situation } = openAction(plan, step);
  const propagated = (args: Args) =>
    propagate({ step, conditions: conditionsOf(step, plan) }, new Map(Object.entries(args)), situation);
  t.is(propagated({ m: 9n }), undefined);
  t.is(propagated({ other: 1n }), undefined);
  t.deepEqual(Object.fromEntries(propagated({ m: 1n }) ?? []), { m: 1n, n: 2n });
});

test('conditions whose truth is known must not be false', (t) => {
  const plan = planUnder('args.n > 1 && args.n < args.m + two');
  const step = stepOf(plan);
  const { situation } = openAction(plan, step);
  const obey = (args: Args) =>
    obeys({ conditions: conditionsOf(step, plan) }, new Map(Object.entries(args)), situation);
  t.true(obey({}));
  t.true(obey({ n: 2n }));
  t.false(obey({ n: 1n }));
  t.true(obey({ n: 2n, m: 1n }));
  t.false(obey({ n: 2n, m: 0n }));
});

const FROM_TABLE = 'args.free == approved[args.invoice].amount';

test('each action gets a row that none before has', (t) => {
  const all = choose(planUnder(FROM_TABLE), { count: 4 });
  t.deepEqual(all, [{ invoice: 'A', free: 30n }, { invoice: 'B', free: -5n }, { invoice: 'C', free: 12n }, {}]);
});

test('rows of actions that were done are used', (t) => {
  const plan = planUnder(FROM_TABLE);
  t.deepEqual(choose(plan, { count: 2, done: [{ invoice: 'B', free: -5n }] }), [
    { invoice: 'A', free: 30n },
    { invoice: 'C', free: 12n },
  ]);
  t.deepEqual(choose(plan, { done: [{ invoice: 'A', free: 30n }] }), [{ invoice: 'B', free: -5n }]);
});

test('rows are tried in the order that is asked for', (t) => {
  const inOrder = (isDescending: boolean) =>
    choose(planUnder(FROM_TABLE), { count: 3, order: { by: 'amount', isDescending } }).map(({ invoice }) => invoice);
  t.deepEqual(inOrder(false), ['B', 'C', 'A']);
  t.deepEqual(inOrder(true), ['A', 'C', 'B']);
});

test('a row with which a condition is false is passed over, and may fit a later action', (t) => {
  t.deepEqual(
    choose(planUnder(`${FROM_TABLE} && args.free < 20`), { count: 3 }).map(({ invoice }) => invoice),
    ['B', 'C', undefined],
  );
  // A state that falls from action to action decides which row fits.
  const plan = outlookPlan({
    state: 'left: 1',
    pay: `times: 0..9, where: '${FROM_TABLE} && (args.free < 20 || state.left < 1)', effects: { left: state.left - 1 }`,
  });
  t.deepEqual(
    choose(plan, { count: 3 }).map(({ invoice }) => invoice),
    ['B', 'A', 'C'],
  );
});

test('a row that contradicts an argument that is known is passed over', (t) => {
  t.deepEqual(choose(planUnder(`args.n == 1 && (args.n == 2 && args.m == 0 || args.n == 1 && args.m == 2)`)), [
    { n: 1n, m: 2n },
  ]);
  t.deepEqual(choose(planUnder('args.n == 1 && (args.n == 2 && args.m == 0 || args.n == 3 && args.m == 2)')), [
    { n: 1n },
  ]);
});

test('several choices are made one after the other', (t) => {
  t.deepEqual(choose(planUnder('args.invoice in approved && (args.n == 1 || args.n == 2)'), { count: 3 }), [
    { invoice: 'A', n: 1n },
    { invoice: 'B', n: 2n },
    { invoice: 'C' },
  ]);
});

test('of many actions nothing is open: texts are their own, and numbers are as near to zero as can be', (t) => {
  const plan = planUnder('args.n >= 2 && args.m <= -1');
  const all = choose(plan, { count: 2, areMany: true });
  t.deepEqual(all, [
    { n: 2n, m: -1n, free: 0n, invoice: '/completion/0' },
    { n: 2n, m: -1n, free: 0n, invoice: '/completion/1' },
  ]);
  const [zero] = choose(planUnder('args.n >= 0'), { areMany: true });
  t.like(zero, { n: 0n, m: 0n });
});

test('arguments that are known keep their values where many actions follow', (t) => {
  t.deepEqual(choose(planUnder('args.invoice == "A" && args.n == 1'), { areMany: true }), [
    { invoice: 'A', n: 1n, m: 0n, free: 0n },
  ]);
});

test('a text that is as long as its type allows is its own', (t) => {
  const plan = planUnder('args.n >= 2');
  const step = stepOf(plan);
  const chooser = createChooser(plan, [], { order: AS_WRITTEN, areMany: true });
  const chosen = (path: string) => chooser({ ...placed(plan, 0), path, step }, traceRun(plan, []).end).get('payee');
  t.is(chosen('/c/0'), '/c/0');
  t.is(chosen('/c/10'), undefined);
});
