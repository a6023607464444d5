import test from 'ava';
import {
  allowancesOf,
  type Continuation,
  type Counts,
  continuationsOf,
} from '../../../../workers/verdict/search/continuations.ts';
import { payPlan } from '../../../models/pay-plan.ts';

type Parts = Parameters<typeof payPlan>[0];
const LOOK = 'look: { tool: look@1, times: 0..3 }';
const IF_DONE = 'after: { look: if_done }';
const CHAIN = 'a: { tool: look@1, times: 0..3 }, b: { tool: look@1, times: 0..3, after: { a: 2 } }';

function* continuations(parts: Parts, done: string, guess?: () => Counts | undefined): Generator<Continuation> {
  const plan = payPlan({ steps: LOOK, ...parts });
  const actions = done.split(' ').map((stepId) => ({ stepId }));
  yield* continuationsOf(plan, allowancesOf(plan, actions), guess);
}
const stepsOf = ({ actions }: Continuation): string => actions.map(({ step }) => step.stepId).join(' ');

for (const [what, parts, done, first] of [
  ['the actions that are still required', { pay: 'times: 2..4' }, '', 'pay pay'],
  ['what is required beyond one that was done', { pay: 'times: 2..4' }, 'pay', 'pay'],
  ['nothing, if nothing more is required', { pay: 'times: 2..4' }, 'pay pay', ''],
  ['the step that one waits for', { pay: 'times: 1..4, after: look' }, '', 'look pay'],
  ['two actions that one waits for', { pay: 'times: 1..4, after: { look: 2 }' }, '', 'look look pay'],
  ['one of two actions that one waits for', { pay: 'times: 1..4, after: { look: 2 }' }, 'look', 'look pay'],
  ['a chain of steps', { pay: 'times: 1..4, after: { b: 2 }', steps: CHAIN }, '', 'a a b b pay'],
  ['nothing, if nothing waits', { pay: 'times: 0..4, after: { b: 2 }', steps: CHAIN }, '', ''],
  ['no step that need not come before', { pay: `times: 1..2, ${IF_DONE}` }, '', 'pay'],
] as const) {
  test(`first comes ${what}`, (t) => {
    const [continuation] = continuations(parts, done);
    t.is(continuation && stepsOf(continuation), first);
    t.deepEqual(
      continuation?.actions.map(({ path, index }) => [path, index]),
      first.split(' ').flatMap((stepId, number) => (stepId === '' ? [] : [[`/completion/${number}`, undefined]])),
    );
  });
}

const ROWS = `times: 0..9, where: 'args.invoice in approved'`;
const NO_LOOK = { tables: '', steps: '' };
for (const [what, parts, done, expected] of [
  [
    'a few more of each step, and of one step alone, each once',
    { tables: '', pay: 'times: 0..4' },
    '',
    '0 1 look 2+look+look 2 look+look 4+look+look+look 4 look+look+look',
  ],
  [
    'no more than the plan allows',
    { tables: '', pay: 'times: 2..3' },
    'pay',
    '1 1+look 2+look+look 2 1+look+look 2+look+look+look 1+look+look+look',
  ],
  ['as many as there are rows', { pay: ROWS, steps: '' }, '', '0 1 3 2 8 9'],
  ['the rows that are left', { pay: ROWS, steps: '' }, 'pay', '0 1 2 8'],
  ['more than the rows', { pay: ROWS, steps: '' }, 'pay pay pay pay', '0 1 2 5'],
  ['none after a step that must come later', { tables: '', pay: `times: 0..1, ${IF_DONE}` }, 'pay', '0'],
  [
    'one after a step that waits for no more',
    { pay: 'times: 0..1, after: look', steps: 'look: { tool: look@1, times: 0..2 }' },
    'look pay',
    '0 look',
  ],
  [
    'none where too few are left',
    { pay: `times: 3..4, ${IF_DONE}`, steps: 'look: { tool: look@1, times: 1..3 }' },
    'pay',
    '',
  ],
  ['none with too many recorded actions', { ...NO_LOOK, pay: 'times: 0..9', recorded: 3 }, 'pay', '0 1 2'],
  [
    'no more than the recorded actions of all steps',
    { tables: '', pay: 'times: 0..9', recorded: 3 },
    'pay pay',
    '0 1 look',
  ],
  ['all in a plan that was not begun, of which lint speaks', { ...NO_LOOK, pay: 'times: 5..5', recorded: 3 }, '', '5'],
] as const) {
  test(`of continuations are tried: ${what}`, (t) => {
    const tried = Array.from(continuations(parts, done), ({ actions }) => {
      const looks = actions.filter(({ step }) => step.stepId === 'look').map(() => 'look');
      const pays = actions.length - looks.length;
      return [...(pays > 0 || looks.length === 0 ? [pays] : []), ...looks].join('+');
    });
    t.is([...new Set(tried)].join(' '), expected);
  });
}

test('a guess is tried second, within what is left, and asked for only then', (t) => {
  let asked = 0;
  const all = continuations({ tables: '', pay: 'times: 1..4' }, '', () => {
    asked += 1;
    return new Map(Object.entries({ pay: 3, look: 9 }));
  });
  const next = () => stepsOf(all.next().value);
  t.deepEqual([next(), asked], ['pay', 0]);
  t.deepEqual([next(), asked], ['pay pay pay look look look', 1]);
});

test('rows are tried as they are written, and in both orders of up to two columns of numbers', (t) => {
  const orders = (where: string, columns = '') => {
    const names = columns.split(' ').filter((name) => name !== '');
    const table = `many: { key: invoice, columns: { invoice: string(64), on: bool${names.map((name) => `, ${name}: "${name === 'd' ? 'decimal(2)' : 'int'}"`).join('')} }, rows: [] }`;
    const all = [...continuations({ tables: table, pay: `times: 1..1, where: '${where}'` }, '')];
    return [...new Set(all.map(({ order }) => `${order.by ?? '-'} ${order.isDescending}`))];
  };
  const both = (name: string) => [`${name} false`, `${name} true`];
  t.deepEqual(orders('args.invoice in many', 'd'), ['- false', ...both('d')]);
  t.deepEqual(orders('args.invoice in many', 'a d c'), ['- false', ...both('a'), ...both('d')]);
  t.deepEqual(orders('args.n > 1', 'a'), ['- false']);
});
