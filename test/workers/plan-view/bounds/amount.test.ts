import test from 'ava';
import {
  add,
  descending,
  describeAmount,
  divide,
  isAtMost,
  type Limit,
  least,
  subtract,
  toAmount,
  total,
} from '../../../../workers/plan-view/bounds/amount.ts';
import { greatestOf } from '../../../../workers/plan-view/bounds/interval.ts';

function amount(text: string) {
  const read = toAmount(text);
  if (read === undefined) throw new Error(text);
  return read;
}
const write = (limit: Limit) => limit && describeAmount(limit);
const limits = (texts: readonly string[]) => texts.map((text) => (text === '' ? undefined : amount(text)));

test('numbers of documents are read, and nothing else', (t) => {
  for (const [json, written] of [
    [0, '0'],
    [-12, '-12'],
    [Number.MAX_SAFE_INTEGER, '9,007,199,254,740,991'],
    ['0', '0'],
    ['0.00', '0.00'],
    ['-0.50', '-0.50'],
    ['-7', '-7'],
    ['10', '10'],
    ['999', '999'],
    ['1000', '1,000'],
    ['-999999.5', '-999,999.5'],
    ['1234567.1234', '1,234,567.1234'],
    [`${'1'.repeat(36)}.00`, `${'111,'.repeat(11)}111.00`],
    [`-${'1'.repeat(38)}`, `-11${',111'.repeat(12)}`],
  ] as const) {
    t.is(write(toAmount(json)), written, String(json));
  }
  const none = [
    '',
    'x',
    '007',
    '00',
    '-0',
    '-0.0',
    '-0.00',
    '1.',
    '.5',
    '-',
    '+1',
    '1e3',
    '1.2.3',
    ' 1',
    '1 ',
    '1\n2',
    'a1',
  ];
  const long = ['1'.repeat(39), `-${'1'.repeat(39)}`, `${'1'.repeat(37)}.00`];
  for (const json of [...none, ...long, 1.5, Number.MAX_SAFE_INTEGER + 1, Number.NaN, true, null, undefined, ['1']]) {
    t.is(toAmount(json), undefined, JSON.stringify(json));
  }
});

test('amounts of different decimals are added and compared exactly', (t) => {
  const [small, large] = [amount('0.05'), amount('0.1')];
  t.is(write(add(small, large)), '0.15');
  t.is(write(subtract(small, large)), '-0.05');
  t.is(write(subtract(large, small)), '0.05');
  t.deepEqual([isAtMost(small, large), isAtMost(large, small), isAtMost(amount('0.10'), large)], [true, false, true]);
  t.deepEqual(
    limits(['0.05', '-3', '0.1', '2', '0.10', '-3.5']).map(
      (one, index, all) => [write(all.filter((each) => each !== undefined).toSorted(descending)[index]), write(one)][0],
    ),
    ['2', '0.1', '0.10', '0.05', '-3', '-3.5'],
  );
});

test('of limits, those that are none are left out of the least and the greatest, and end a sum', (t) => {
  for (const [texts, smallest, largest, sum] of [
    [[], undefined, undefined, '0'],
    [[''], undefined, undefined, undefined],
    [['2'], '2', '2', '2'],
    [['2', '', '-1.5', '3'], '-1.5', '3', undefined],
    [['3', '2', '-1.5'], '-1.5', '3', '3.5'],
    [['-1.5', '2', '3'], '-1.5', '3', '3.5'],
  ] as const) {
    t.deepEqual(
      [least, greatestOf, total].map((of) => write(of(limits(texts)))),
      [smallest, largest, sum],
      `${texts}`,
    );
  }
});

test('quotients are rounded down or up, whatever the sign', (t) => {
  for (const [dividend, by, scale, down, up] of [
    ['7', '2', 0, '3', '4'],
    ['-7', '2', 0, '-4', '-3'],
    ['6', '2', 0, '3', '3'],
    ['-6', '2', 0, '-3', '-3'],
    ['1.00', '3', 2, '0.33', '0.34'],
    ['-1.00', '3', 2, '-0.34', '-0.33'],
    ['1', '0.25', 1, '4.0', '4.0'],
    ['0.999', '1', 2, '0.99', '1.00'],
    ['0', '3', 2, '0.00', '0.00'],
  ] as const) {
    const rounded = (['down', 'up'] as const).map((way) => write(divide(amount(dividend), amount(by), scale, way)));
    t.deepEqual(rounded, [down, up], `${dividend} / ${by}`);
  }
});
