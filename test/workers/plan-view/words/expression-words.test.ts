import test from 'ava';
import { inWords } from '../../../../workers/plan-view/words/expression-words.ts';
import { timesInWords } from '../../../../workers/plan-view/words/type-words.ts';

const [A, P] = [
  ['arg', 'a'],
  ['arg', 'p', 'a'],
];
const [YES, NO] = [
  ['bool', true],
  ['bool', false],
];
const variables = { cap: { type: 'int', value: '9' }, wait: { type: 'duration', value: '3600000000' } };

/** Expressions of a plan, and what the approver reads. Other words would make another plan of it. */
const WORDS: readonly (readonly [expr: unknown, words: string])[] = [
  [['<', A, 1], '`args.a` is below 1'],
  [['<=', A, ['var', 'cap']], '`args.a` is at most `cap` (`9`)'],
  [['>', A, ['dec', '1.50']], '`args.a` is above `1.50`'],
  [['>=', A, ['int', '7']], '`args.a` is at least `7`'],
  [['=', A, ['str', 'x']], '`args.a` is the text `x`'],
  [['!=', A, ['enum', 'x']], '`args.a` is not the value `x`'],
  [['and', YES, NO, YES], 'true and false and true'],
  [['or', YES, ['and', NO, YES]], 'true or (false and true)'],
  [['not', ['=', A, 1]], 'it is false that (`args.a` is 1)'],
  [['implies', YES, NO], 'if true, then false'],
  [['iff', YES, NO], 'true exactly if false'],
  [['ite', YES, 1, 2], '1 if true, otherwise 2'],
  [['+', 1, ['-', 2, 3]], '1 + (2 − 3)'],
  [['-', A], 'minus `args.a`'],
  [['*', A, 3], '`args.a` × 3'],
  [['div', A, 3], '`args.a` divided by (rounded down) 3'],
  [['mod', A, 3], '`args.a` modulo 3'],
  [['min', 1, 2, A], 'the least of 1, 2 and `args.a`'],
  [['max', 1, A], 'the greatest of 1 and `args.a`'],
  [['resp', 'b'], '`response.b`'],
  [['resp', 'p', 'b'], '`p.response.b`'],
  [['state', 's'], '`state.s`'],
  [['final', 's'], '`state.s` at the end'],
  [['ev', 'id'], '`evidence.id`'],
  [['time', '2026-12-01T00:00:00.000000Z'], '`2026-12-01T00:00:00.000000Z`'],
  [['<=', ['started'], ['duration', '5400000000']], 'the reported start is at most 1h30m'],
  [['<=', ['ended'], ['var', 'wait']], 'the reported end is at most `wait` (1h)'],
  [['<', ['started', 'p'], ['ended', 'q']], 'the reported start of `p` is below the reported end of `q`'],
  [['before', 'p', 'q'], '`p` has ended before `q` starts'],
  [['run', 'approved_at'], 'the time of approval'],
  [['run', 'approvals'], 'the number of approvals'],
  [['approved_by', 'finance'], 'a key of the group `finance` approved'],
  [['forall', 'pay', 'p', ['=', P, 1]], 'for every `pay` action `p`: `p.a` is 1'],
  [['exists', 'pay', 'p', ['=', P, 1]], 'for some `pay` action `p`: `p.a` is 1'],
  [['not', ['exists', 'pay', 'p', ['=', P, 1]]], 'for no `pay` action `p`: `p.a` is 1'],
  [['exists', ['table', 't'], 'r', ['col', 'r', 'b']], 'for some row of `t` `r`: `r.b`'],
  [
    ['forall', ['map', 'm'], 'e', ['=', ['key', 'e'], ['value', 'e']]],
    'for every changed entry of `m` `e`: `e.key` is `e.value`',
  ],
  [['count', 'pay'], 'the number of `pay` actions'],
  [['count', 'pay', 'p', ['=', P, 1]], 'the number of `pay` actions `p` for which (`p.a` is 1)'],
  [['sum', 'pay', 'p', P], 'the sum of `p.a` over all `pay` actions `p`'],
  [['sum', 'pay', 'p', P, ['=', P, 1]], 'the sum of `p.a` over all `pay` actions `p` for which (`p.a` is 1)'],
  [['least', ['table', 't'], 'r', ['col', 'r', 'b']], 'the least `r.b` over all rows of `t` `r`'],
  [['greatest', ['map', 'm'], 'e', ['value', 'e']], 'the greatest `e.value` over all changed entries of `m` `e`'],
  [['unique', 'pay', 'p', [P, ['resp', 'p', 'b']]], 'no two `pay` actions `p` have the same `p.a` and `p.response.b`'],
  [['unique', 'pay', 'p', [P], ['=', P, 1]], 'no two `pay` actions `p` for which (`p.a` is 1) have the same `p.a`'],
  [['in', 't', [A]], '`args.a` is in the table `t`'],
  [['in', 't', [A, 1]], '(`args.a`, 1) is in the table `t`'],
  [['not', ['in', 't', [A]]], '`args.a` is not in the table `t`'],
  [['look', 't', 'b', [A]], 'the `b` of `args.a` in `t`'],
  [['at', 'state', 'm', A], '`m` of `args.a` before the act'],
  [['at', 'final', 'm', A], '`m` of `args.a` at the end'],
];

for (const [expr, words] of WORDS) {
  test(`${JSON.stringify(expr)} is read as "${words}"`, (t) => {
    t.is(inWords(expr, { variables }), words);
  });
}

test('how often a step is done is said with both bounds', (t) => {
  const said = [
    [1, 1],
    [3, 3],
    [0, 1],
    [0, 2],
    [1, 2],
  ] as const;
  t.deepEqual(
    said.map(([min, max]) => timesInWords(min, max)),
    ['exactly once', 'exactly 3 times', 'at most once', '0 to 2 times', '1 to 2 times'],
  );
});
