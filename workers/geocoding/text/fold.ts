/** Letters that carry no mark which could be taken off, and what stands for them on a plain keyboard. */
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
  // Written both ways in Taiwan.
  臺: '台',
  // Arabic letters that are written for one another.
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

/** Text without case, width, diacritics and apostrophes: what two spellings of a name have in common. */
export function fold(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return text.toLowerCase().replace(APOSTROPHES, '');
  const plain = text.normalize('NFKC').toLowerCase().normalize('NFD').replace(MARKS, '').normalize('NFC');
  return plain.replace(LETTER, (letter) => LETTERS[letter] ?? letter).replace(APOSTROPHES, '');
}

/** Words that are written in two ways, after folding. */
const SPELLINGS: Readonly<Record<string, string>> = {
  st: 'saint',
  ste: 'sainte',
  sankt: 'saint',
  mt: 'mount',
  ft: 'fort',
};

/** The one spelling of a folded word. */
export function canonicalWord(word: string): string {
  return SPELLINGS[word] ?? word;
}

/** Scripts that put no space between words: every character counts as a word. */
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const WORD = new RegExp(`[${UNSPACED}]|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+`, 'gu');

/** The words of folded text, as they are found in keys. */
export function wordsOf(folded: string): readonly string[] {
  return folded.match(WORD) ?? [];
}

/** Under what a name is found: its words without what separates them, so that New-York, NewYork and new york are one. */
export function keyOf(name: string): string {
  return wordsOf(fold(name)).map(canonicalWord).join('');
}
