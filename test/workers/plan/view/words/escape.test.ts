import test from 'ava';
import { code, listed, plural } from '../../../../../workers/plan/view/words/escape.ts';

/** Texts, and how they are shown: a code span that ends where it should, and what is noted. */
const SHOWN: readonly (readonly [text: string, shown: string])[] = [
  ['a`b', '``a`b``'],
  ['a``b`c', '```a``b`c```'],
  ['`a', '`` `a ``'],
  ['a`', '`` a` ``'],
  ['', '`  ` (empty)'],
  [' ', '`   ` (begins with a space)'],
  [' a', '`  a ` (begins with a space)'],
  ['a ', '` a  ` (ends with a space)'],
  ['a  b', '`a  b` (several spaces in a row)'],
  ['a\tb', '`a⟨U+0009⟩b`'],
  ['a\u00a0b', '`a⟨U+00A0⟩b`'],
  ['\u{e0100}', '`⟨U+E0100⟩`'],
  ['x\u0323\u0307\u0308', '`x⟨U+0323⟩⟨U+0307⟩⟨U+0308⟩` (letters and accents are separate characters)'],
  ['⟨', '`⟨U+27E8⟩`'],
  ['漢', '`漢` (in Han letters)'],
  ['漢字かな', '`漢字かな` (mixes alphabets: Han and Hiragana)'],
  ['aж漢', '`aж漢` (mixes alphabets: Latin, Cyrillic and Han)'],
  ['ꠀ', '`ꠀ` (in other letters)'],
  ['aꠀ', '`aꠀ` (mixes alphabets: Latin and other)'],
  ['a–b', '`a–b` (dashes or strokes that are not those of a keyboard)'],
  ['1−2', '`1−2` (punctuation that is not that of a keyboard, dashes or strokes that are not those of a keyboard)'],
  ['\u0663', '`\u0663` (digits that are not 0 to 9)'],
  ['e\u0301', '`e\u0301` (letters and accents are separate characters)'],
  ['ﬁ', '`ﬁ` (full-width, mathematical or other variants of characters)'],
  ['½ § ¿', '`½ § ¿` (full-width, mathematical or other variants of characters)'],
  ['ſ', '`ſ` (rare letters, full-width, mathematical or other variants of characters)'],
  ['1\u0301', '`1\u0301` (marks on characters that have none)'],
  ['a\u202eb\u0000\n\u2028', '`a⟨U+202E⟩b⟨U+0000⟩⟨U+000A⟩⟨U+2028⟩`'],
  ...['\u3164', '\u115f', '\u2800', '\u034f', '\ufe0f', '\u180e', '\u200b'].map(
    (hidden) => [hidden, `\`⟨U+${hidden.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}⟩\``] as const,
  ),
  ['Асme', '`Асme` (mixes alphabets: Cyrillic and Latin)'],
  ['Асме', '`Асме` (in Cyrillic letters)'],
  ['ΑΒΕ', '`ΑΒΕ` (in Greek letters)'],
  ['ᎪᏟᎷᎬ', '`ᎪᏟᎷᎬ` (in Cherokee letters)'],
  ['Ａ', '`Ａ` (full-width, mathematical or other variants of characters)'],
  ['ɑcme', '`ɑcme` (rare letters)'],
  ['Li\u0307m', '`Li\u0307m` (marks on characters that have none)'],
  ['a\u2215b', '`a\u2215b` (punctuation that is not that of a keyboard)'],
  ...['a', 'a b', '12 + 3', 'a-b', 'é', 'Acme GmbH & Co. KG', 'Łódź', '2026-12-05T00:00:00Z', 'a@b.example'].map(
    (text) => [text, `\`${text}\``] as const,
  ),
];

test('a text is a code span, with what can be mistaken for another text', (t) => {
  for (const [text, shown] of SHOWN) t.is(code(text), shown, JSON.stringify(text));
});

test('a text is shown up to 240 characters, and cut beyond', (t) => {
  const long = '𝄞'.repeat(240);
  t.true(code(long).startsWith(`\`${long}\``));
  t.true(code(`${long}𝄞`).startsWith(`\`${long}…\` (cut, 241 characters, SHA-256 `));
  t.not(code(`${long}a`), code(`${long}b`));
  t.regex(code('é '.repeat(121)), /…` \(cut, 242 characters, SHA-256 [0-9a-f]{64}, ends with a space\)$/);
});

test('lists and numbers are read as words', (t) => {
  const lists = [[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map((items) => [listed(items), listed(items, 'or')].join());
  t.deepEqual(lists, [',', 'a,a', 'a and b,a or b', 'a, b and c,a, b or c']);
  t.is([0, 1, 2].map((count) => plural(count, 'row')).join(), '0 rows,1 row,2 rows');
  t.is([1, 2].map((count) => plural(count, 'row differs', 'rows differ')).join(), '1 row differs,2 rows differ');
});
