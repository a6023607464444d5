import test from 'ava';
import {
  allowancesOf,
  type Continuation,
  type Counts,
  continuationsOf,
  isTooMuchBelieved,
} from '../../../../workers/verdict/search/continuations.ts';
import { outlookPlan } from '../../../models/outlook-plan.ts';

type Parts = Parameters<typeof outlookPlan>[0];
const LOOK = 'look: { tool: look@1, times: 0..3 }';
const doneOf = (stepIds: readonly string[]) => stepIds.map((stepId) => ({ stepId }));

function continuations(
  parts: Parts,
  done: readonly string[] = [],
  guess?: () => Counts | undefined,
): readonly Continuation[] {
  const plan = outlookPlan(parts);
  return [...continuationsOf(plan, allowancesOf(plan, doneOf(done)), guess)];
}

const stepsOf = ({ actions }: Continuation): string => actions.map(({ step }) => step.stepId).join(' ');
/** The steps of each continuation, in the order in which they are tried. */
const tried = (...args: Parameters<typeof continuations>): readonly string[] => continuations(...args).map(stepsOf);

test('what remains of a step is its most, without what was done', (t) => {
  const plan = outlookPlan({ pay: 'times: 1..2', steps: LOOK });
  const remaining = allowancesOf(plan, doneOf(['pay', 'look', 'pay', 'pay']));
  t.deepEqual(
    remaining.map(({ step, done, left }) => [step.stepId, done, left]),
    [
      ['pay', 3, 0],
      ['look', 1, 2],
    ],
  );
});

test('the actions that are still required come first', (t) => {
  t.is(tried({ pay: 'times: 2..4', steps: LOOK })[0], 'pay pay');
  t.is(tried({ pay: 'times: 2..4', steps: LOOK }, ['pay'])[0], 'pay');
  t.is(tried({ pay: 'times: 2..4', steps: LOOK }, ['pay', 'pay'])[0], '');
});

test('a few more of each step, and of one step alone, are tried, each once', (t) => {
  const all = tried({ tables: '', pay: 'times: 0..4', steps: LOOK });
  t.deepEqual(all, [
    '',
    'pay',
    'look',
    'pay pay look look',
    'pay pay',
    'look look',
    'pay pay pay pay look look look',
    'pay pay pay pay',
    'look look look',
  ]);
});

test('no more actions are tried than the plan allows', (t) => {
  for (const steps of tried({ pay: 'times: 1..3', steps: LOOK }, ['pay', 'look'])) {
    t.true(steps.split('pay').length - 1 <= 2 && steps.split('look').length - 1 <= 2, steps);
  }
});

test('as many as there are rows are tried, without those that were done', (t) => {
  const pay = `times: 0..9, where: 'args.invoice in approved'`;
  const all = (done: readonly string[]) => new Set(tried({ pay }, done));
  t.true(all([]).has('pay pay pay'));
  t.false(all([]).has('pay pay pay pay'));
  t.false(all(['pay']).has('pay pay pay'));
  t.true(all(['pay', 'pay', 'pay', 'pay']).has('pay'));
});

test('actions follow those of the steps that theirs waits for', (t) => {
  t.is(tried({ pay: 'times: 1..4, after: look', steps: LOOK })[0], 'look pay');
  t.is(tried({ pay: 'times: 1..4, after: { look: 2 }', steps: LOOK })[0], 'look look pay');
  t.is(tried({ pay: 'times: 1..4, after: { look: 2 }', steps: LOOK }, ['look'])[0], 'look pay');
  const chain = 'a: { tool: look@1, times: 0..3 }, b: { tool: look@1, times: 0..3, after: { a: 2 } }';
  t.is(tried({ pay: 'times: 1..4, after: { b: 2 }', steps: chain })[0], 'a a b b pay');
  t.is(tried({ pay: 'times: 0..4, after: { b: 2 }', steps: chain })[0], '', 'nothing waits');
});

test('a step that others have waited for may not follow them, if they only wait where it is done', (t) => {
  const parts = { pay: 'times: 0..1, after: { look: if_done }', steps: LOOK };
  t.true(tried(parts).includes('look'));
  t.is(tried({ ...parts, pay: 'times: 1..2, after: { look: if_done }' })[0], 'pay');
  for (const steps of tried(parts, ['pay'])) t.false(steps.includes('look'), steps);
  const waiting = { pay: 'times: 0..2, after: look', steps: LOOK };
  t.true(tried(waiting, ['look', 'pay']).some((steps) => steps.includes('look')));
});

test('where too few are left, there is no continuation', (t) => {
  t.deepEqual(
    tried({ pay: 'times: 3..4, after: { look: if_done }', steps: 'look: { tool: look@1, times: 1..3 }' }, ['pay']),
    [],
  );
});

test('a guess is tried second, within what is left, and asked for only then', (t) => {
  let asked = 0;
  const guess = () => {
    asked += 1;
    return new Map([
      ['pay', 3],
      ['look', 9],
    ]);
  };
  const plan = outlookPlan({ tables: '', pay: 'times: 1..4', steps: LOOK });
  const all = continuationsOf(plan, allowancesOf(plan, []), guess);
  const first = all.next().value;
  t.is(first && stepsOf(first), 'pay');
  t.is(asked, 0);
  const second = all.next().value;
  t.is(second && stepsOf(second), 'pay pay pay look look look');
});

test('rows are tried as they are written, and in both orders of up to two columns of numbers', (t) => {
  const orders = (where: string) => {
    const all = continuations({ pay: `times: 1..1, where: '${where}'` });
    return [...new Set(all.map(({ order }) => `${order.by ?? '-'} ${order.isDescending}`))];
  };
  t.deepEqual(orders('args.invoice in approved'), ['- false', 'amount false', 'amount true']);
  t.deepEqual(orders('args.n > 1'), ['- false']);
  const columns = ['a', 'b', 'c'].map((name) => `${name}: int`).join(', ');
  const tables = `many: { key: invoice, columns: { invoice: string(64), ${columns} }, rows: [{ invoice: A, a: 1, b: 2, c: 3 }] }`;
  const all = continuations({ tables, pay: `times: 1..1, where: 'args.invoice in many'` });
  t.is(all.length, 5);
});

test('places of actions that follow have their own paths', (t) => {
  const [first] = continuations({ pay: 'times: 2..2, after: look', steps: LOOK });
  t.deepEqual(
    first?.actions.map(({ path, index, args, response, record }) => [path, index, args, response, record]),
    [0, 1, 2].map((number) => [`/completion/${number}`, undefined, undefined, undefined, undefined]),
  );
});

test('a run that was begun has at most as many recorded actions as the plan allows', (t) => {
  const plan = outlookPlan({ pay: 'times: 0..9', steps: LOOK, recorded: 3 });
  const isTooMuch = (done: readonly string[], more: readonly (readonly [string, number])[]) =>
    isTooMuchBelieved(plan, allowancesOf(plan, doneOf(done)), new Map(more));
  t.false(isTooMuch(['pay'], [['pay', 2]]));
  t.true(isTooMuch(['pay'], [['pay', 3]]));
  t.true(
    isTooMuch(
      ['pay', 'pay'],
      [
        ['pay', 1],
        ['look', 1],
      ],
    ),
  );
  t.false(isTooMuch([], [['pay', 9]]), 'lint says so of a plan');
  t.true(isTooMuch(['pay', 'pay', 'pay', 'pay'], []));
});

test('continuations with too many recorded actions are left out', (t) => {
  const all = tried({ tables: '', pay: 'times: 0..9', recorded: 3 }, ['pay']);
  t.deepEqual(all, ['', 'pay', 'pay pay']);
});
