import test from 'ava';
import fc from 'fast-check';
import { fromNumeric, readUnits, toNumeric, writeUnits } from '../../../../services/verification/limits/amounts.ts';
import { defined } from '../../../../workers/exact/defined.ts';

test('amounts of different scales can be added', (t) => {
  const sum = defined(readUnits('0.10')) + defined(readUnits('2')) + defined(readUnits(3));
  t.is(writeUnits(sum, '0.00'), '5.10');
  t.is(writeUnits(sum, '0'), '5.1');
  t.is(writeUnits(defined(readUnits('-0.05')), '0.00'), '-0.05');
});

test('what is not a number of a plan is not an amount', (t) => {
  for (const value of [
    '',
    '1e3',
    '1.',
    '+1',
    '01',
    ' 1',
    '-0',
    'NaN',
    1.5,
    2 ** 53,
    null,
    true,
    [],
    `1.${'0'.repeat(19)}`,
  ])
    t.is(readUnits(value), undefined, String(value));
});

test('an amount is read from the database as it was written', (t) => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 56n }), (units) => {
      t.is(fromNumeric(toNumeric(units)), units);
    }),
  );
  for (const text of ['', '-1', '1e5', 'NaN', `0.${'1'.repeat(19)}`])
    t.throws(() => fromNumeric(text), undefined, text);
});
