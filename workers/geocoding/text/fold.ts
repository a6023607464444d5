import { defined } from '../../exact/defined.ts';

/** Letters without a separable diacritic, and the plain letters for them. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ə: 'a',
  ħ: 'h',
  ŋ: 'n',
  // Both forms are used in Taiwan.
  臺: '台',
  // Arabic letters that are used for each other.
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
  ة: 'ه',
};

const LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');
/** Diacritics of Latin, Greek and Cyrillic, Hebrew points, Arabic vowel signs and tatweel. */
const MARKS = /[\u0300-\u036f\u0591-\u05c7\u0640\u064b-\u065f\u0670]/g;
const APOSTROPHES = /['’‘ʼʻ`´′]/g;
const PRINTABLE_ASCII = /^[ -~]*$/;

/** Text without differences of case, width, diacritics and apostrophes, so that spellings of one name are equal. */
export function fold(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return text.toLowerCase().replace(APOSTROPHES, '');
  const plain = text.normalize('NFKC').toLowerCase().normalize('NFD').replace(MARKS, '').normalize('NFC');
  return plain.replace(LETTER, (letter) => defined(LETTERS[letter])).replace(APOSTROPHES, '');
}

/** Folded words with two spellings, and the one that keys have. */
const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ['st', 'saint'],
  ['ste', 'sainte'],
  ['sankt', 'saint'],
  ['mt', 'mount'],
  ['ft', 'fort'],
]);

/** The spelling of a folded word in keys. */
export function canonicalWord(word: string): string {
  return SPELLINGS.get(word) ?? word;
}

/** Scripts without spaces between words: every character counts as a word. */
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const WORD = new RegExp(`[${UNSPACED}]|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+`, 'gu');

/** The words of folded text. */
export function wordsOf(folded: string): readonly string[] {
  return folded.match(WORD) ?? [];
}

/** The key of a name: its words without separators. New-York, NewYork and new york have the same key. */
export function keyOf(name: string): string {
  return wordsOf(fold(name)).map(canonicalWord).join('');
}
