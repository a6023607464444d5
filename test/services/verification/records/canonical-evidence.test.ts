import { isDeepStrictEqual } from 'node:util';
import test from 'ava';
import fc from 'fast-check';
import { digestEvidence } from '../../../../services/verification/records/canonical-evidence.ts';
import { jsonOf } from '../../../../services/verification/records/evidence-json.ts';

const digestBytes = (content: Buffer) => digestEvidence(jsonOf(content));
const digest = (text: string) => digestBytes(Buffer.from(text));

const SAME: readonly (readonly [string, ...string[]])[] = [
  ['80', '80.0', '80.00', '8e1', '8E+1', '0.8e2', '800e-1', '0.0080e004', '80.0e-0'],
  ['0', '-0', '0.00', '0e5', '-0.0e-9'],
  ['-0.5', '-5e-1', '-0.50'],
  ['{"a":1,"b":[1,2]}', '{"b":[1.0,2],"a":1}', ' {\n"a" : 1e0 , "b":[ 1,2 ]}'],
  ['"é/"', '"\\u00e9\\/"'],
  ['{"é":true}', '{"\\u00e9":true}'],
];

for (const [first, ...others] of SAME) {
  test(`${first} has one digest in all its spellings`, (t) => {
    for (const other of others) t.is(digest(other), digest(first), other);
  });
}

test('different JSON values have different digests', (t) => {
  const texts = [
    ...['80', '8', '"80"', '80.00000000000000000001', '-80', '8e2', '[80]', '{"a":80}', '{"a":80,"b":null}'],
    ...['[]', '{}', 'null', 'false', '""', '"8e1"', '[1,2]', '[2,1]', '"é"', '"e\\u0301"'],
  ];
  t.is(new Set(texts.map(digest)).size, texts.length);
});

test('content that is not JSON, or is ambiguous JSON, has no digest', (t) => {
  for (const text of ['', '%PDF-1.7', '{"a":1,"a":2}', '01', '\ufeff{}']) t.is(digest(text), undefined, text);
  t.is(digestBytes(Buffer.from([0x22, 0xff, 0x22])), undefined);
});

test('an exponent of a million digits has a digest', (t) => {
  t.is(typeof digest(`1e-${'9'.repeat(1_000_000)}`), 'string');
});

test('numbers have the same digest if and only if they are equal', (t) => {
  const literal = fc.tuple(fc.integer({ min: -999, max: 999 }), fc.integer({ min: -4, max: 4 }), fc.nat({ max: 3 }));
  t.notThrows(() =>
    fc.assert(
      fc.property(literal, literal, (one, other) => {
        const text = ([digits, exponent, zeros]: readonly [number, number, number]) =>
          `${digits}${zeros === 0 ? '' : `.${'0'.repeat(zeros)}`}e${exponent}`;
        const scaled = ([digits, exponent]: readonly [number, number, number]) =>
          BigInt(digits) * 10n ** BigInt(exponent + 4);
        return (digest(text(one)) === digest(text(other))) === (scaled(one) === scaled(other));
      }),
    ),
  );
});

test('documents have the same digest if and only if they are equal, regardless of white space and member order', (t) => {
  const reversed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reversed);
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value).toReversed();
    return Object.fromEntries(members.map(([name, member]) => [name, reversed(member)]));
  };
  const json = fc.jsonValue({ noUnicodeString: false, maxDepth: 3 });
  t.notThrows(() =>
    fc.assert(
      fc.property(json, json, (one, other) => {
        const own = digest(JSON.stringify(one));
        if (own !== digest(JSON.stringify(reversed(one), null, 2))) return false;
        const isSame = isDeepStrictEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)));
        return own === undefined || (own === digest(JSON.stringify(other))) === isSame;
      }),
    ),
  );
});
