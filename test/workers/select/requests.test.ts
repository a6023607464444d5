import test from 'ava';
import { exactSelect } from '../../../workers/select/exact-select.ts';
import { SelectionError } from '../../../workers/select/request/selection-error.ts';

const item = (id: string, values: Readonly<Record<string, unknown>> = { p: '1.50' }) => ({ id, values });
const ask = (over: Readonly<Record<string, unknown>>) => ({ scale: 2, items: [item('a'), item('b')], ...over });

function fault(json: unknown): readonly [string, string] | undefined {
  try {
    exactSelect(json);
  } catch (error) {
    if (error instanceof SelectionError) return [error.code, error.path];
    throw error;
  }
  return undefined;
}

const REFUSED: readonly (readonly [string, unknown, string, string])[] = [
  ['no object', null, 'MALFORMED_SELECTION', ''],
  ['an unknown property', ask({ verdict: 'optimal' }), 'MALFORMED_SELECTION', '/verdict'],
  [
    'a number that is not a string',
    ask({ items: [item('a', { p: 1.5 })] }),
    'MALFORMED_SELECTION',
    '/items/0/values/p',
  ],
  ['an id with a space', ask({ items: [item('a b')] }), 'MALFORMED_SELECTION', '/items/0/id'],
  [
    '1,001 items',
    ask({ items: Array.from({ length: 1001 }, (_, i) => item(`i${i}`)) }),
    'MALFORMED_SELECTION',
    '/items',
  ],
  ['too many nodes', ask({ node_limit: 10_000_001 }), 'MALFORMED_SELECTION', '/node_limit'],
  ['an id twice', ask({ items: [item('a'), item('a')] }), 'DUPLICATE_ID', '/items/1/id'],
  ['an unknown id', ask({ require: ['a', 'c'] }), 'UNKNOWN_ITEM', '/require/1'],
  ['a repeated id in a group', ask({ at_most_one: [[], ['b', 'b']] }), 'DUPLICATE_ID', '/at_most_one/1/1'],
  ['a missing value', ask({ objectives: [{ of: 'w', direction: 'minimize' }] }), 'MISSING_VALUE', '/items/0/values/w'],
  [
    'an inherited value',
    ask({ objectives: [{ of: 'constructor', direction: 'minimize' }] }),
    'MISSING_VALUE',
    '/items/0/values/constructor',
  ],
  ['a number with another scale', ask({ capacities: [{ of: 'p', max: '1.5' }] }), 'WRONG_SCALE', '/capacities/0/max'],
  ['a leading zero', ask({ items: [item('a', { p: '01.50' })] }), 'MALFORMED_NUMBER', '/items/0/values/p'],
  ['a negative zero', ask({ items: [item('a', { p: '-0.00' })] }), 'MALFORMED_NUMBER', '/items/0/values/p'],
  ['39 digits', ask({ items: [item('a', { p: `${'9'.repeat(37)}.50` })] }), 'TOO_MANY_DIGITS', '/items/0/values/p'],
  [
    '17 attributes',
    ask({ items: [item('a', Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`p${i}`, '0.00'])))] }),
    'TOO_MANY_ATTRIBUTES',
    '/items',
  ],
];

for (const [name, json, code, path] of REFUSED) {
  test(`${name} is refused with its path`, (t) => {
    t.deepEqual(fault(json), [code, path]);
  });
}

test('numbers of 38 digits are added exactly', (t) => {
  const large = '9'.repeat(36);
  const items = ['a', 'b', 'c'].map((id, index) => item(id, { p: `${large}.0${index}` }));
  const answer = exactSelect({
    scale: 2,
    items,
    capacities: [{ of: 'p', max: `${large.replace('9', '')}9.01` }],
    objectives: [{ of: 'p', direction: 'maximize' }],
  });
  t.deepEqual(answer, {
    outcome: 'optimal',
    value_proven: true,
    chosen: ['b'],
    totals: { p: `${large}.01` },
    core: [],
    best_bound: `${large}.01`,
    nodes: answer.nodes,
  });
});

test('without items and without constraints, nothing is chosen', (t) => {
  const nothing = { outcome: 'optimal', chosen: [], totals: {}, core: [], best_bound: null };
  t.like(exactSelect({ scale: 0, items: [] }), nothing);
  t.like(exactSelect(ask({})), nothing);
});

test('constraints that contradict each other are named', (t) => {
  t.deepEqual(exactSelect(ask({ require: ['a'], forbid: ['a', 'b'] })).core, ['require/a', 'forbid/a']);
  t.deepEqual(exactSelect(ask({ choose: { min: 2, max: 1 } })).core, ['choose.min', 'choose.max']);
  t.deepEqual(exactSelect(ask({ choose: { min: 3, max: 9 } })).core, ['choose.min']);
  t.deepEqual(exactSelect(ask({ choose: { min: 2, max: 2 }, at_most_one: [['b'], ['a', 'b']] })).core, [
    'choose.min',
    'at_most_one/1',
  ]);
  const capacities = [
    { of: 'p', max: '9.00' },
    { of: 'p', max: '2.99' },
  ];
  t.deepEqual(exactSelect(ask({ choose: { min: 2, max: 2 }, capacities })).core, ['choose.min', 'capacities/1']);
});
