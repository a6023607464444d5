import { defined } from '../../exact/defined.ts';
import { canonicalWord, fold, keyOf, wordsOf } from '../text/fold.ts';
import { AREA_KINDS, AROUND, BEFORE, BEHIND, CJK, ENDINGS, PARTICLES, SUFFIXES, TOWN_KINDS } from './street-words.ts';

/** A word of a query. */
export interface Token {
  /** The folded word as it was written. */
  readonly word: string;
  /** The word as keys have it. */
  readonly key: string;
  /** Index of the part between commas that the word is in. */
  readonly segment: number;
  /** Whether it belongs to a street address, and so is probably not the name of a place. */
  readonly isStreet: boolean;
  readonly isNumber: boolean;
  /** Whether it is the second half of a postcode: SW1A 1AA, K1A 0B1, 1012 JS, 00-950. */
  readonly isPostcodeEnd: boolean;
  /** Whether names are used with and without this word. */
  readonly isFiller: boolean;
  /** Whether it says what kind of place is meant: city, county. */
  readonly isKind: boolean;
  /** Whether it is a character of a script without spaces between words. */
  readonly isUnspaced: boolean;
  /** The cost of a result that does not explain this word. */
  readonly weight: number;
}

/** Masks of tokens are 32 bits wide. */
const MAX_TOKENS = 32;
/** Tokens that are kept of the beginning of a long query. The end of an address says more about the place. */
const KEPT_BEFORE = 6;
const SEPARATOR = /[,;，、،؛|/()\n\t]+/;
const UNSPACED_CHARACTER =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]$/u;

const WEIGHTS = { word: 1, unspaced: 0.25, kind: 0.4, number: 0.3, filler: 0.1, street: 0.12 };

/**
 * Splits a query into words, and marks those of a street address. A part between commas that is a name as a whole is not
 * a street: Garden Grove, USA.
 */
export function readQuery(query: string, isName: (key: string) => boolean): readonly Token[] {
  const segments = joinParts(query, isName)
    .split(SEPARATOR)
    .map((text) => spellBearing(wordsOf(fold(text)).flatMap(splitPostcode), isName));
  const filled = segments.filter((words) => words.length > 0);
  const lastNumbered = filled.findLastIndex((words) => words.some(isNumber));
  const tokens = filled.flatMap((words, segment) => {
    // A number is of a house if another number follows after a comma, which is the postcode: Dam 1, 1012 JS Amsterdam.
    const isAllStreet = segment < lastNumbered && words.some(isNumber);
    const isNamed = !words.some(isNumber) && isName(words.map(canonicalWord).join(''));
    const marks = isNamed ? [] : markStreet(words, filled.length === 1);
    const isMarked = marks.includes(true);
    return words.map((_, index) => {
      return readToken(words, index, {
        segment,
        isStreet: isMarked ? marks[index] === true : isAllStreet,
        isNumbered: lastNumbered !== -1,
      });
    });
  });
  if (tokens.length <= MAX_TOKENS) return tokens;
  return [...tokens.slice(0, KEPT_BEFORE), ...tokens.slice(KEPT_BEFORE - MAX_TOKENS)];
}

const PARTS = /([^,;|/()\n\t]{0,100})[/(] ?(?=(\p{L}[^\s,;|/()]{2,}))/gu;
/** What a slash or a parenthesis may stand for in a name: Frankfurt/Main is Frankfurt am Main. */
const LINKS = ['', 'am', 'an der', 'ob der', 'im', 'in', 'in der'];
const MAX_WORDS_BEFORE = 3;

/** The query with parts of names joined as the names have them. */
function joinParts(query: string, isName: (key: string) => boolean): string {
  return query.replace(PARTS, (all: string, before: string, after: string) => {
    const words = wordsOf(fold(before)).slice(-MAX_WORDS_BEFORE);
    const link = LINKS.find((text) =>
      words.some((_, at) => isName(keyOf(`${words.slice(at).join(' ')} ${text} ${after}`))),
    );
    return link === undefined ? all : `${before} ${link} `;
  });
}

const BEARING_LETTERS: Readonly<Record<string, readonly string[]>> = {
  n: ['north', 'northern'],
  s: ['south', 'southern'],
  e: ['east', 'eastern'],
  w: ['west', 'western'],
};

const MAX_WORDS_BEHIND = 4;

/** The words with the point of the compass that a first letter stands for, if that makes a name: E. St. Louis. */
function spellBearing(words: readonly string[], isName: (key: string) => boolean): readonly string[] {
  const [letter = '', ...rest] = words;
  const keys = rest.slice(0, MAX_WORDS_BEHIND).map(canonicalWord);
  const word = BEARING_LETTERS[letter]?.find((bearing) =>
    keys.some((_, at) => isName(bearing + keys.slice(0, at + 1).join(''))),
  );
  return word === undefined ? words : [word, ...rest];
}

interface Surroundings extends Pick<Token, 'segment' | 'isStreet'> {
  /** Whether the query has a number. Only then floors and points of the compass may belong to an address. */
  readonly isNumbered: boolean;
}

function readToken(words: readonly string[], index: number, { isNumbered, ...place }: Surroundings): Token {
  const word = defined(words[index]);
  const kinds = {
    ...place,
    isNumber: isNumber(word) || isPostcodeEnd(words, index),
    isPostcodeEnd: isPostcodeEnd(words, index),
    isFiller: (AROUND.has(word) && isNumbered) || SUFFIXES.has(word) || isParticle(words, index),
    isKind: TOWN_KINDS.has(word) || AREA_KINDS.has(word),
    isUnspaced: UNSPACED_CHARACTER.test(word),
  };
  return { ...kinds, word, key: canonicalWord(word), weight: weightOf(kinds) };
}

/** House numbers and postcodes: 12b, SW1A. */
function isNumber(word: string): boolean {
  return /\p{N}/u.test(word);
}

/** A district of the United Kingdom or Canada and the half that follows it. */
const DISTRICT = String.raw`[a-z]{1,2}\d[a-z\d]?|[a-z]\d[a-z]`;
const HALF = String.raw`\d[a-z]{2}|\d[a-z]\d`;
const JOINED_POSTCODE = new RegExp(`^(${DISTRICT})(${HALF})$`);
/** Two halves of a postcode: GB and CA; NL; SE, GR and CZ; PL; PT; BR; IE. */
const SPLIT_POSTCODES = [
  new RegExp(`^(?:${DISTRICT}) (?:${HALF})$`),
  /^(?:\d{4} [a-z]{2}|\d{3} \d{2}|\d{2} \d{3}|\d{4,5} \d{3}|[ac-fhknprtv-y]\d[\dw] [a-z\d]{4})$/,
];

/** The halves of a postcode that is written as one word: SW1A1AA. */
function splitPostcode(word: string): readonly string[] {
  const [, district, half] = JOINED_POSTCODE.exec(word) ?? [];
  return district === undefined || half === undefined ? [word] : [district, half];
}

function isPostcodeEnd(words: readonly string[], index: number): boolean {
  const halves = `${words[index - 1] ?? ''} ${defined(words[index])}`;
  return SPLIT_POSTCODES.some((pattern) => pattern.test(halves));
}

/** Whether a word is a particle. Another word must follow: at the end, "de" is Delaware. */
function isParticle(words: readonly string[], index: number): boolean {
  const next = words[index + 1];
  return PARTICLES.has(defined(words[index])) && next !== undefined && !isNumber(next);
}

function weightOf({
  isStreet,
  isNumber,
  isFiller,
  isKind,
  isUnspaced,
}: Omit<Token, 'word' | 'key' | 'weight'>): number {
  if (isStreet) return WEIGHTS.street;
  if (isNumber) return WEIGHTS.number;
  if (isKind) return WEIGHTS.kind;
  if (isFiller) return WEIGHTS.filler;
  return isUnspaced ? WEIGHTS.unspaced : WEIGHTS.word;
}

/** For each word of a segment, whether it belongs to a street address. */
function markStreet(words: readonly string[], isOnlySegment: boolean): readonly boolean[] {
  const marks = words.map((word) => CJK.has(word));
  const numbers = words.flatMap((word, index) => (isNumber(word) ? [index] : []));
  markBehind(words, numbers, marks, isOnlySegment);
  markBefore(words, numbers, marks, isOnlySegment);
  for (const [index, word] of words.entries()) {
    if (ENDINGS.test(word) && (numbers.length > 0 || !isOnlySegment))
      markRange(marks, index, nextNumber(numbers, index) ?? index);
  }
  return marks;
}

/** Marks addresses such as 1200 Washington Ave NW Apt 4: from the number to the word for a street and the words after it. */
function markBehind(
  words: readonly string[],
  numbers: readonly number[],
  marks: boolean[],
  isOnlySegment: boolean,
): void {
  const [first] = numbers;
  // Without a number, the address begins with the segment.
  const from = first ?? 0;
  // Another word must be between the number and the street: in 1 St James Street, "st" is not the street.
  const at = words.findIndex((word, index) => BEHIND.has(word) && index > from + (first === undefined ? 0 : 1));
  if (at === -1 && first !== undefined) markGerman(words, first, marks, isOnlySegment);
  if (at === -1 || (first === undefined && isOnlySegment)) return;
  let end = at;
  while (end + 1 < words.length && isAround(words, end + 1)) end++;
  markRange(marks, from, end);
}

/** Marks addresses such as Hamburger Straße 1: from the words before the word for a street to the number behind it. */
function markGerman(words: readonly string[], house: number, marks: boolean[], isOnlySegment: boolean): void {
  if (house < 2 || !BEHIND.has(defined(words[house - 1]))) return;
  // A town may stand before the street or behind the number.
  markRange(marks, isOnlySegment && house === words.length - 1 ? house - 2 : 0, house);
}

function isAround(words: readonly string[], index: number): boolean {
  const word = defined(words[index]);
  const before = defined(words[index - 1]);
  // A number of five digits is a postcode, not an apartment.
  return AROUND.has(word) || (AROUND.has(before) && before.length > 2 && /^\d{1,4}[a-z]?$/.test(word));
}

/** Marks addresses such as Rue de Rivoli 12: from the word for a street to the house number, or to the end of the segment. */
function markBefore(
  words: readonly string[],
  numbers: readonly number[],
  marks: boolean[],
  isOnlySegment: boolean,
): void {
  const at = words.findIndex((word, index) => BEFORE.has(word) && marks[index] !== true && index + 1 < words.length);
  if (at === -1 || (at > 1 && numbers[0] !== 0 && at > 2)) return;
  const house = nextNumber(numbers, at);
  const isPostcode = house !== undefined && defined(words[house]).length >= 5;
  const end = house === undefined ? words.length - (isOnlySegment ? 2 : 1) : isPostcode ? house - 1 : house;
  // Rue de Lyon alone is a street of that name, not one in Lyon.
  const isNamed = words.slice(at + 1, end + 1).some((word) => !PARTICLES.has(word));
  if (isNamed) markRange(marks, numbers[0] !== undefined && numbers[0] < at ? numbers[0] : at, end);
}

function nextNumber(numbers: readonly number[], after: number): number | undefined {
  return numbers.find((index) => index > after);
}

function markRange(marks: boolean[], from: number, to: number): void {
  marks.fill(true, from, to + 1);
}

/** A mask with one bit for each token that matches. The first token has the lowest bit. */
export function maskOf(tokens: readonly Token[], matches: (token: Token) => boolean): number {
  return tokens.reduce((mask, token, index) => (matches(token) ? mask | (1 << index) : mask), 0);
}
