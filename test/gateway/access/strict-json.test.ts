import test from 'ava';
import fc from 'fast-check';
import { parseStrictJson, StrictJsonError } from '../../../gateway/access/strict-json.ts';

test('what JSON.stringify writes is parsed as JSON.parse does', (t) => {
  const json = fc.jsonValue({ maxDepth: 6 }).filter((value) => !JSON.stringify(value).includes('__proto__'));
  fc.assert(
    fc.property(json, fc.constantFrom(0, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      t.deepEqual(parseStrictJson(text), JSON.parse(text));
    }),
  );
});

test('a repeated member is refused wherever it stands', (t) => {
  const name = fc.string({ unit: 'binary' }).filter((text) => text !== '__proto__' && text.isWellFormed());
  fc.assert(
    fc.property(name, fc.jsonValue(), fc.jsonValue(), (key, one, other) => {
      const [k, a, b] = [key, one, other].map((value) => JSON.stringify(value));
      for (const text of [`{${k}:${a},${k}:${b}}`, `[{"a":{"b":{${k}:1,"c":2,${k}:${b}}}}]`]) {
        t.throws(() => parseStrictJson(text), { instanceOf: StrictJsonError });
      }
    }),
  );
});

test('names that are equal only once escapes are read are repeated too', (t) => {
  t.throws(() => parseStrictJson('{"a":1,"\\u0061":2}'), { instanceOf: StrictJsonError });
});

test('colons, quotes and backslashes within strings count for nothing', (t) => {
  const text = '{"a:b":"c:\\"d\\\\","\\\\":":","e\\\\\\"":{"f":[":\\\\"]}}';
  t.deepEqual(parseStrictJson(text), JSON.parse(text));
});

const REFUSED: readonly (readonly [string, string])[] = [
  ['text that is not JSON', '{"a":1'],
  ['nothing', ''],
  ['a byte order mark', '\ufeff{}'],
  ['a number beyond double precision', '{"a":1e400}'],
  ['a lone surrogate in a value', '{"a":"\\ud800"}'],
  ['a lone surrogate in a name', '{"\\udc00":1}'],
  ['a member named __proto__', '{"__proto__":{"a":1}}'],
  ['an escaped __proto__', '{"\\u005f_proto__":1}'],
  ['65 levels', '['.repeat(65) + ']'.repeat(65)],
  ['a million levels', '['.repeat(1e6) + ']'.repeat(1e6)],
];

for (const [name, text] of REFUSED) {
  test(`${name} is refused`, (t) => {
    t.throws(() => parseStrictJson(text), { instanceOf: StrictJsonError });
  });
}

test('64 levels are accepted', (t) => {
  t.notThrows(() => parseStrictJson('['.repeat(64) + ']'.repeat(64)));
});
