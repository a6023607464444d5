import test from 'ava';
import { isCanonicalOf, parseRecord } from '../../../../services/verification/contract/proof/parse-record.ts';
import { canonicalBytes } from '../../../../services/verification/proof/digests.ts';
import { canonicalText } from '../../../../workers/exact/canonical-json.ts';
import { fc } from '../../../kit/fast-check.ts';

/** RFC 8785, appendix B: a number as IEEE 754 in big-endian hex, and its text. */
const NUMBERS: readonly (readonly [string, string])[] = [
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['c340000000000000', '-9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
];

for (const [bits, expected] of NUMBERS) {
  test(`writes the number ${bits} as ${expected}`, (t) => {
    t.is(canonicalText(Buffer.from(bits, 'hex').readDoubleBE()), expected);
  });
}

for (const number of [Number.NaN, Number.POSITIVE_INFINITY]) {
  test(`${number} has no canonical form`, (t) => {
    t.throws(() => canonicalBytes(number));
  });
}

test('sorts members by UTF-16 code units (RFC 8785, section 3.2.3)', (t) => {
  const value = {
    '\u20ac': 'Euro Sign',
    '\r': 'Carriage Return',
    '\ufb33': 'Hebrew Letter Dalet With Dagesh',
    '1': 'One',
    '\ud83d\ude00': 'Emoji: Grinning Face',
    '\u0080': 'Control',
    '\u00f6': 'Latin Small Letter O With Diaeresis',
  };
  const names = canonicalText(value).matchAll(/:"([^"]*)"/g);
  t.deepEqual(
    [...names].map(([, name]) => name),
    [
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ],
  );
});

test('the sample of RFC 8785 has the bytes of its section 3.2.4', (t) => {
  const sample = `{
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
    "literals": [null, true, false]
  }`;
  const expected = `
    7b 22 6c 69 74 65 72 61 6c 73 22 3a 5b 6e 75 6c 6c 2c 74 72
    75 65 2c 66 61 6c 73 65 5d 2c 22 6e 75 6d 62 65 72 73 22 3a
    5b 33 33 33 33 33 33 33 33 33 2e 33 33 33 33 33 33 33 2c 31
    65 2b 33 30 2c 34 2e 35 2c 30 2e 30 30 32 2c 31 65 2d 32 37
    5d 2c 22 73 74 72 69 6e 67 22 3a 22 e2 82 ac 24 5c 75 30 30
    30 66 5c 6e 41 27 42 5c 22 5c 5c 5c 5c 5c 22 2f 22 7d`;
  t.is(canonicalBytes(JSON.parse(sample)).toString('hex'), expected.replaceAll(/\s/g, ''));
});

test('a value that is not JSON has no canonical form', (t) => {
  t.throws(() => canonicalBytes(undefined), { instanceOf: TypeError });
});

/** Makes every number an integer and no negative zero, as in records. */
function withIntegers(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, item) =>
    typeof item === 'number' ? Math.trunc(item % 1e15) + 0 : item,
  );
}

test('parses canonical bytes to the value that they were written from', (t) => {
  const records = fc
    .jsonValue({ maxDepth: 4, stringUnit: 'binary' })
    .filter((value) => JSON.stringify(value).isWellFormed() && !/__proto__|\\u0000|\\ud/.test(JSON.stringify(value)))
    .map(withIntegers);
  fc.assert(
    fc.property(records, (record) => {
      const bytes = canonicalBytes(record);
      t.true(isCanonicalOf(bytes, parseRecord(bytes, bytes.length)));
      t.deepEqual(parseRecord(bytes, bytes.length), record);
    }),
  );
});

const NOT_CANONICAL: readonly (readonly [string, string])[] = [
  ['white space', '{"a": 1}'],
  ['a newline at the end', '{"a":1}\n'],
  ['members out of order', '{"b":1,"a":1}'],
  ['an escape that is not needed', '"\\u0061"'],
  ['an escaped solidus', '"\\/"'],
  ['an escape in upper case', '"\\u000F"'],
  ['a long escape of a newline', '"\\u000a"'],
  ['a number with an exponent', '[1e2]'],
];

for (const [name, text] of NOT_CANONICAL) {
  test(`${name} is not canonical`, (t) => {
    const bytes = Buffer.from(text);
    t.false(isCanonicalOf(bytes, parseRecord(bytes, 100)));
  });
}
