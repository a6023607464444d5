import test from 'ava';
import { plainText } from '../../../../scripts/lab/quality/html/plain-text.ts';

const CASES: readonly (readonly [string, string])[] = [
  ['# Toll houses', 'Toll houses'],
  ['- [ ] a **toll** gate', 'a toll gate'],
  ['> 1. a [gate](https://example.com/a_(b) "title")', 'a gate'],
  ['a ![gate](x.png "y") b', 'a   b'],
  ['a ![gate](x.png "the \\"old\\" gate") b', 'a   b'],
  ['| a | b |', 'a   b'],
  ['|---|:-:|', ''],
  ['```js', ''],
  ['a \\*b\\* snake_case', 'a *b* snake_case'],
  ['a gate\\', 'a gate'],
  ['a gate\\\\', 'a gate\\'],
];

for (const [markdown, text] of CASES) {
  test(`the plain text of ${markdown} is ${JSON.stringify(text)}`, (t) => {
    t.is(plainText(markdown).trim(), text);
  });
}

test('a line of several megabytes is converted', (t) => {
  t.is(plainText('['.repeat(2_000_000)).length, 2_000_000);
});
