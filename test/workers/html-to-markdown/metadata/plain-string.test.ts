import test from 'ava';
import { decodeReferences, keyOf, toPlainString } from '../../../../workers/html-to-markdown/metadata/plain-string.ts';
import { fc } from '../../../kit/fast-check.ts';

const PLAIN: readonly (readonly [string, string, string | null])[] = [
  ['white space of all kinds is folded', ' a\u00a0\n\t b\u2003c\u3000 ', 'a b c'],
  ['character references stay', 'Use &nbsp; and &#39;', 'Use &nbsp; and &#39;'],
  ['lone surrogates are replaced, pairs are not', 'a\ud800b\udc00 😀', 'a\ufffdb\ufffd 😀'],
  ['controls and unseen marks are dropped', 'a\u0000b\u0007\u00ad\u200b\u202ec\ufeffd', 'abcd'],
  ['nothing left is null', ' \u200b\u00a0\u0000 ', null],
  ['an empty string is null', '', null],
];

const ESCAPED: readonly (readonly [string, string, string])[] = [
  ['character references are decoded', 'Tolls &amp; gates&#8217;s &#x2014; &eacute;', 'Tolls & gates’s — é'],
  ['references escaped once more are decoded', 'Tolls &amp;amp; gates &amp;#39;', "Tolls & gates '"],
  ['references escaped for ever are decoded so far', '&amp;amp;amp;', '&amp;'],
  ['what only looks like a reference stays', 'AT&T &; &nosuch; &#; R&D', 'AT&T &; &nosuch; &#; R&D'],
  ['references to no character are replaced', '&#0;&#1114112;', '\ufffd\ufffd'],
];

for (const [what, text, expected] of ESCAPED) test(what, (t) => t.is(decodeReferences(text), expected));
for (const [what, text, expected] of PLAIN) test(what, (t) => t.is(toPlainString(text, 100), expected));

test('a long string is cut after a word, and a long word inside it', (t) => {
  t.is(toPlainString('one two three', 9), 'one two');
  t.is(toPlainString('one two three', 7), 'one two');
  t.is(toPlainString('abcdefghij', 4), 'abcd');
  t.is(toPlainString('abc😀', 4), 'abc');
});

test('every result is bounded, well-formed and on one line, and is its own result', (t) => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(' ', '\n', '\ud800', '\u202e', '&', '&lt;', 'é'),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const plain = toPlainString(pieces.join(''), 30);
      if (plain === null) return;
      t.true(plain.length <= 30 && plain !== '');
      t.true(plain.isWellFormed());
      t.is(plain, plain.trim());
      t.notRegex(plain, /[\p{Cc}\u2028\u2029]| {2}/u);
      t.is(toPlainString(plain, 30), plain);
    }),
  );
});

test('strings that differ in case, punctuation and spacing have one key', (t) => {
  t.is(keyOf('  Tolls — “and” Gates! '), 'tolls and gates');
  t.is(keyOf('Tolls: and gates'), keyOf('ＴＯＬＬＳ and｜gates'));
  t.is(keyOf('Ünter 東京 ©'), 'ünter 東京');
  t.is(keyOf('¶ — !'), '');
});
