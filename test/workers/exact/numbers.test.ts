import test from 'ava';
import { formatNumber, parseNumber } from '../../../workers/exact/numbers.ts';
import { fc } from '../../kit/fast-check.ts';
import { thrownBy } from '../verdict/thrown.ts';

const LARGEST = 10n ** 38n - 1n;

for (const text of [
  '',
  '-',
  '+1',
  '01',
  '-0',
  '0.',
  '.5',
  '-0.00',
  '1e3',
  '1,5',
  ' 1',
  '1\n',
  '0x1',
  '٣',
  'NaN',
  '1.-2',
]) {
  test(`${JSON.stringify(text)} is not a number`, (t) => {
    t.deepEqual(
      thrownBy(() => parseNumber(text, '/n')),
      ['MALFORMED_NUMBER', '/n'],
    );
  });
}

test('a number has at most 38 digits, not counting a sign and a point', (t) => {
  t.is(parseNumber(`-${'9'.repeat(36)}.99`, '').numerator, -LARGEST);
  t.deepEqual(
    thrownBy(() => parseNumber('9'.repeat(39), '')),
    ['TOO_MANY_DIGITS', ''],
  );
  t.deepEqual(
    thrownBy(() => parseNumber(`${'9'.repeat(37)}.99`, '')),
    ['TOO_MANY_DIGITS', ''],
  );
  t.deepEqual(
    thrownBy(() => parseNumber('9'.repeat(1_000_000), '')),
    ['TOO_MANY_DIGITS', ''],
  );
});

test('a formatted number is read back, and formats to the same text', (t) => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 19n), max: 10n ** 19n }), fc.nat(18), (numerator, scale) => {
      const text = formatNumber({ numerator, scale });
      t.deepEqual(parseNumber(text, ''), { numerator, scale });
      t.is(text, formatNumber(parseNumber(text, '')));
    }),
  );
});

test('small numbers keep the zero before the point', (t) => {
  t.is(formatNumber({ numerator: -5n, scale: 2 }), '-0.05');
  t.is(formatNumber({ numerator: 0n, scale: 2 }), '0.00');
  t.is(formatNumber({ numerator: 120n, scale: 0 }), '120');
});
