import test from 'ava';
import { parseLenientJson } from '../../../../workers/html-to-markdown/metadata/lenient-json.ts';
import { fc } from '../../../kit/fast-check.ts';

const VALUE = { name: 'Toll', list: [1, { deep: true }] };
const JSON_TEXT = JSON.stringify(VALUE);

const READABLE: readonly (readonly [string, string, readonly unknown[]])[] = [
  ['JSON', JSON_TEXT, [VALUE]],
  ['a CDATA mark around it', `<![CDATA[${JSON_TEXT}]]>`, [VALUE]],
  ['a CDATA mark in a comment', `\n//<![CDATA[\n${JSON_TEXT}\n//]]>`, [VALUE]],
  ['a CDATA mark in a comment on one line', `/* <![CDATA[ */ ${JSON_TEXT} /* ]]> */`, [VALUE]],
  ['an HTML comment around it', ` <!-- ${JSON_TEXT} --> `, [VALUE]],
  ['trailing commas', '{"name":"Toll","list":[1,{"deep":true,},],}', [VALUE]],
  ['line breaks in strings', '{"text":"one\ntwo\tthree"}', [{ text: 'one two three' }]],
  ['escapes that JSON does not know', String.raw`{"text":"it\'s \"so\" \\ \u0041"}`, [{ text: `it's "so" \\ A` }]],
  ['JavaScript comments', '{/* why */"a":1, // because\n"b":"// no"}', [{ a: 1, b: '// no' }]],
  ['several values', '{"a":1}{"b":2}\n[3]', [{ a: 1 }, { b: 2 }, [3]]],
  ['a semicolon behind it', `${JSON_TEXT};`, [VALUE]],
  ['an end that is missing', '{"a":{"b":["c"', [{ a: { b: ['c'] } }]],
];

for (const [what, text, values] of READABLE) {
  test(`${what} is read`, (t) => t.deepEqual(parseLenientJson(text), values));
}

for (const text of ['', ' ', 'no json', '{]', '{"a"}', '{"a":undefined}', '[[}', '"', '{'.repeat(65), '<!--', '}}}']) {
  test(`${JSON.stringify(text.slice(0, 20))} has no values`, (t) => t.deepEqual(parseLenientJson(text), []));
}

test('no text makes it throw', (t) => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '"',
    ',',
    ':',
    '\\',
    '/*',
    '*/',
    '//',
    '<!--',
    ']]>',
    '\n',
    '1',
    'a',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => Array.isArray(parseLenientJson(pieces.join('')))),
  );
  t.pass();
});

test('JSON is read as by JSON.parse, also with additional commas', (t) => {
  fc.assert(
    fc.property(fc.object({ maxDepth: 3 }), (value) => {
      const json = JSON.stringify(value);
      const added = json.replace(/\}$/, ',}').replace('{,}', '{}');
      t.deepEqual(parseLenientJson(added), [JSON.parse(json)]);
    }),
  );
});
