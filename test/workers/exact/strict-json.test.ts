import test, { type ExecutionContext } from 'ava';
import {
  I_JSON,
  parseStrictJson,
  parseStrictJsonBytes,
  RECORD_JSON,
  type StrictJsonCode,
  StrictJsonError,
} from '../../../workers/exact/strict-json.ts';
import { fc } from '../../kit/fast-check.ts';
import { runs } from '../../kit/property-runs.ts';

function refuses(t: ExecutionContext, run: () => unknown, code: StrictJsonCode, pointer = ''): void {
  const error = t.throws(run, { instanceOf: StrictJsonError });
  t.deepEqual({ code: error.code, pointer: error.pointer }, { code, pointer });
}

test('text from JSON.stringify is parsed as by JSON.parse', (t) => {
  const json = fc.jsonValue({ maxDepth: 6 }).filter((value) => !JSON.stringify(value).includes('__proto__'));
  fc.assert(
    fc.property(json, fc.constantFrom(0, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      t.deepEqual(parseStrictJson(text), JSON.parse(text));
    }),
  );
});

test('a name of megabytes is cut in the pointer', (t) => {
  const error = t.throws(() => parseStrictJson(`{"${'~/'.repeat(2_000_000)}":1e999}`), { instanceOf: StrictJsonError });
  t.is(error.pointer, `/${'~0~1'.repeat(64)}`);
});

test('text made of pieces of JSON is parsed or refused as by JSON.parse', (t) => {
  const pieces =
    '{ } [ ] , : "a" "b" "\\n" "\\u00e9" "\\x" " \\ 0 -0 01 -1 1. .5 1e3 1E+ true false null tru \t \n \v é'.split(' ');
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces, '{"a":', '[1,', ' ', '\u00a0'), { maxLength: 8 }), (parts) => {
      const text = parts.join('');
      let expected: unknown;
      try {
        expected = JSON.parse(text);
      } catch {
        t.throws(() => parseStrictJson(text), { instanceOf: StrictJsonError });
        return;
      }
      try {
        t.deepEqual(parseStrictJson(text), expected);
      } catch (error) {
        if (!(error instanceof StrictJsonError)) throw error;
        const { code } = error;
        // Pieces may combine to 1e3001, which is too large for a double.
        if (code === 'NUMBER') t.regex(text, /[eE]\+?\d{3}/);
        else t.is(code, 'REPEATED_MEMBER');
      }
    }),
    { numRuns: runs(5000) },
  );
});

test('a repeated member is refused anywhere in the text', (t) => {
  const name = fc.string({ unit: 'binary' }).filter((text) => text !== '__proto__' && text.isWellFormed());
  fc.assert(
    fc.property(name, fc.jsonValue(), fc.jsonValue(), (key, one, other) => {
      fc.pre(![one, other].some((value) => JSON.stringify(value).includes('__proto__')));
      const [k, a, b] = [key, one, other].map((value) => JSON.stringify(value));
      const step = `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      refuses(t, () => parseStrictJson(`{${k}:${a},${k}:${b}}`), 'REPEATED_MEMBER', step);
      const inner = `[{"a":{"b":{${k}:1,${k}:${b}}}}]`;
      refuses(t, () => parseStrictJson(inner), 'REPEATED_MEMBER', `/0/a/b${step}`);
    }),
  );
});

test('names that are equal after unescaping are repeated', (t) => {
  refuses(t, () => parseStrictJson('{"a":1,"\\u0061":2}'), 'REPEATED_MEMBER', '/a');
});

test('names of inherited properties are ordinary names', (t) => {
  const text = '{"constructor":1,"toString":2,"hasOwnProperty":3}';
  t.deepEqual(parseStrictJson(text), JSON.parse(text));
});

test('colons, quotes and backslashes in strings have no effect', (t) => {
  const text = '{"a:b":"c:\\"d\\\\","\\\\":":","e\\\\\\"":{"f":[":\\\\"]}}';
  t.deepEqual(parseStrictJson(text), JSON.parse(text));
});

const REFUSED: readonly (readonly [string, string, StrictJsonCode, string])[] = [
  ['text that is not JSON', '{"a":1', 'SYNTAX', ''],
  ['nothing', '', 'SYNTAX', ''],
  ['a byte order mark', '\ufeff{}', 'SYNTAX', ''],
  ['a second value', '{} {}', 'SYNTAX', ''],
  ['a comma at the end', '{"a":[1,]}', 'SYNTAX', '/a/1'],
  ['a line break in a string', '["a\nb"]', 'SYNTAX', '/0'],
  ['a string without an end', '["a\\"]', 'SYNTAX', '/0'],
  ['a number beyond double precision', '{"a":1e400}', 'NUMBER', '/a'],
  ['a lone surrogate in a value', '{"a":"\\ud800"}', 'LONE_SURROGATE', '/a'],
  ['a lone surrogate that is not escaped', '["\ud800"]', 'LONE_SURROGATE', '/0'],
  ['a pair of surrogates in the wrong order', '["\\udc00\\ud800"]', 'LONE_SURROGATE', '/0'],
  ['a lone surrogate in a name', '{"b":{"\\udc00":1}}', 'LONE_SURROGATE', '/b'],
  ['a member named __proto__', '{"__proto__":{"a":1}}', 'FORBIDDEN_MEMBER', '/__proto__'],
  ['an escaped __proto__', '{"\\u005f_proto__":1}', 'FORBIDDEN_MEMBER', '/__proto__'],
  ['65 levels', '['.repeat(65) + ']'.repeat(65), 'TOO_DEEP', '/0'.repeat(64)],
  ['65 levels of objects', '{"a":'.repeat(65) + 1 + '}'.repeat(65), 'TOO_DEEP', '/a'.repeat(64)],
  ['a million levels', '['.repeat(1e6) + ']'.repeat(1e6), 'TOO_DEEP', '/0'.repeat(64)],
];

for (const [name, text, code, pointer] of REFUSED) {
  test(`${name} is refused`, (t) => {
    refuses(t, () => parseStrictJson(text), code, pointer);
  });
}

for (const [text, message] of [
  ['', 'not JSON: it ends early, at character 1'],
  ['{"a":1', 'not JSON: it ends early, at character 7'],
  ['\ufeff{}', 'not JSON: leave out the byte order mark at its beginning'],
  ['{} {}', 'not JSON: unexpected "{" at character 4'],
  ["{'a':1}", 'not JSON: unexpected "\'" at character 2'],
  ['{"a":\u{1f600}}', 'not JSON: unexpected "\u{1f600}" at character 6'],
  ['{"a":\ud800}', 'not JSON: unexpected "\ufffd" at character 6'],
  ['{"a":"b}', /^not JSON: unexpected string, or one with .* no end, at character 6$/],
] as const) {
  test(`what is wrong with the text ${JSON.stringify(text)} is said`, (t) => {
    t.throws(() => parseStrictJson(text), { instanceOf: StrictJsonError, message });
  });
}

test('objects of a request have at most 100 members each, and the next one ends the reading', (t) => {
  const objectOf = (members: number) => `{${Array.from({ length: members }, (_, n) => `"${n}":{}`).join(',')}}`;
  t.notThrows(() => parseStrictJson(`[${objectOf(100)},${objectOf(100)}]`));
  refuses(t, () => parseStrictJson(`{"a":${objectOf(101)}`), 'TOO_LARGE', '/a');
  // What follows the member too many is not read.
  refuses(t, () => parseStrictJson(`${objectOf(100).slice(0, -1)},?`), 'TOO_LARGE', '');
  t.notThrows(() => parseStrictJson(objectOf(300_000), RECORD_JSON));
  refuses(t, () => parseStrictJson(`[${'[],'.repeat(1000)}[]]`), 'TOO_LARGE', '/999');
});

test('64 levels are accepted', (t) => {
  t.notThrows(() => parseStrictJson('['.repeat(64) + ']'.repeat(64)));
});

for (const number of [
  '9007199254740992',
  '-9007199254740992',
  '9007199254740991.4',
  '7999.99999999999999999',
  '0.99999999999999999999',
  '4503599627370497.5',
  '1e-400',
  '1e21',
  '-0',
  '-0.0',
]) {
  test(`the number ${number} is refused in a record and accepted in a body`, (t) => {
    refuses(t, () => parseStrictJson(`{"n":[${number}]}`, RECORD_JSON), 'NUMBER', '/n/0');
    t.deepEqual(parseStrictJson(`{"n":[${number}]}`), { n: [Number(number)] });
  });
}

test('a record accepts the least and the greatest safe integer', (t) => {
  const ends = [Number.MIN_SAFE_INTEGER, 0, Number.MAX_SAFE_INTEGER];
  t.deepEqual(parseStrictJson(JSON.stringify(ends), RECORD_JSON), ends);
});

test('a record accepts every number that a double holds exactly', (t) => {
  for (const number of ['80.00', '1.50', '0.1', '1e2', '1E0', '-2.5e-3', '123456789.012345', '5e-324']) {
    t.deepEqual(parseStrictJson(number, RECORD_JSON), Number(number));
  }
});

test('numbers of any size are accepted if the caller reads the text again', (t) => {
  const rules = { ...RECORD_JSON, numbers: 'any' } as const;
  for (const number of ['1e400', '7999.99999999999999999', '-0']) t.notThrows(() => parseStrictJson(number, rules));
  refuses(t, () => parseStrictJson('01', rules), 'SYNTAX', '');
});

test('U+0000 is refused in a record and accepted in a body', (t) => {
  refuses(t, () => parseStrictJson('{"a":"x\\u0000"}', RECORD_JSON), 'NUL', '/a');
  refuses(t, () => parseStrictJson('{"a":{"\\u0000":1}}', RECORD_JSON), 'NUL', '/a');
  t.deepEqual(parseStrictJson('{"a":"x\\u0000"}'), { a: 'x\0' });
});

test('bytes that are not UTF-8 are refused', (t) => {
  const [overlong, surrogate, cut, latin1] = ['22c0af22', '22eda08022', '22e282', '22e922'];
  for (const hex of [overlong, surrogate, cut, latin1]) {
    refuses(t, () => parseStrictJsonBytes(Buffer.from(hex, 'hex'), 100, I_JSON), 'NOT_UTF8');
  }
});

test('bytes that begin with a byte order mark are refused', (t) => {
  refuses(t, () => parseStrictJsonBytes(Buffer.from('efbbbf7b7d', 'hex'), 100, I_JSON), 'SYNTAX');
});

test('bytes are accepted up to the bound and refused beyond it', (t) => {
  const bytes = Buffer.from('"é"');
  t.is(parseStrictJsonBytes(bytes, 4, RECORD_JSON), 'é');
  refuses(t, () => parseStrictJsonBytes(bytes, 3, RECORD_JSON), 'TOO_LARGE');
});

test('containers and elements count as values: the limit is accepted, and one more is refused', (t) => {
  const rules = { ...I_JSON, maxValues: 4 };
  t.deepEqual(parseStrictJson('{"a":[1,"2"]}', rules), { a: [1, '2'] });
  refuses(t, () => parseStrictJson('{"a":[1,"2"],"b":{}}', rules), 'TOO_LARGE', '/b');
});
