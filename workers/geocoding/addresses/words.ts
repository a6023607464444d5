import { fold, wordsOf } from '../text/fold.ts';
import { deletionsOf, isOneErrorAway } from './spelling.ts';

/** Words of addresses and their abbreviations, by the form that keys have. */
const FORMS: Readonly<Record<string, string>> = {
  // "St" is both, so both are "st".
  st: 'saint sainte ste street sankt',
  str: 'strasse',
  av: 'avenue ave avenida avda avinguda',
  bd: 'boulevard blvd boul bld bulevar bulevardul',
  rte: 'route',
  ch: 'chemin che chem',
  imp: 'impasse',
  pl: 'place plaza platz plac praca piazza pza',
  all: 'allee allees aly',
  sq: 'square squ',
  fbg: 'faubourg fg',
  qu: 'quai',
  res: 'residence',
  lot: 'lotissement',
  pas: 'passage',
  mal: 'marechal',
  gal: 'general gen',
  dr: 'docteur doctor drive',
  cdt: 'commandant',
  col: 'colonel',
  cap: 'capitaine cne',
  prof: 'professeur professor',
  pres: 'president pdt',
  rd: 'road',
  ln: 'lane',
  ct: 'court',
  cir: 'circle',
  hwy: 'highway',
  pkwy: 'parkway',
  ter: 'terrace',
  n: 'north nord norte',
  s: 'south sud sur',
  e: 'east est este',
  w: 'west ouest oeste',
  ul: 'ulica',
  c: 'calle',
  v: 'via',
  r: 'rue rua',
  mt: 'mont mount monte',
  ntre: 'notre',
  '1er': 'premier premiere 1ere',
};

const FORM_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(FORMS).flatMap(([form, words]) => words.split(' ').map((word) => [fold(word), form] as const)),
);

/** Words that names are written with and without. */
const PARTICLES = new Set(
  'de du des la le les l d et a au aux en sur sous the of der die das den dem am an im in und di del della da do dos y'.split(
    ' ',
  ),
);

/** Words for a kind of street. Nearly every name has one, so they say little. */
const KINDS = new Set(
  'r av bd rte ch imp pl all sq fbg qu str st rd ln dr ct cir hwy pkwy ter v c ul res lot pas cours weg allee gasse'.split(
    ' ',
  ),
);

const KIND_WEIGHT = 0.2;

/** A word of an address. */
export interface AddressWord {
  readonly key: string;
  /** What it says about which street is meant: 1 for most words. */
  readonly weight: number;
}

/** An article or a preposition that has lost its vowel is a word of its own. Other apostrophes are within words. */
const ELISION = /(?<!\p{L})(?!o)(\p{L}|qu|dell|dall|all|nell|sull|sant|grand)['’‘ʼ`´]/giu;
/** The first part of an Irish name, which is written with and without an apostrophe: O'Brien. O Street has none. */
const IRISH = /(?<![\p{L}/])o (\p{L}{3,})/giu;
const STREET_ENDING = /(.{3,})strasse$/;

const ONES =
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth'.split(
    ' ',
  );
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const ORDINALS: ReadonlyMap<string, number> = new Map([
  ...ONES.map((word, index) => [word, index + 1] as const),
  ...TENS.map((word, index) => [word.replace(/y$/, 'ieth'), (index + 2) * 10] as const),
]);
const ORDINAL = /^(\d+)(?:st|nd|rd|th)$/;

/** Whether a key is that of an ordinal: 5th. */
export function isOrdinal(key: string): boolean {
  return ORDINAL.test(key);
}

/**
 * The words of a part of an address in the form that keys have, without particles: "Av. du Mal Foch" is av, mal, foch.
 * Ordinals are in digits: "Twenty-First Street" is 21st, st.
 */
export function addressWords(text: string): readonly AddressWord[] {
  const joined = text.replace(IRISH, (all, name: string) => (isCommonWord(fold(name)) ? all : `o${name}`));
  const words = inDigits(wordsOf(fold(joined.replace(ELISION, '$1 '))));
  return words.filter((word) => !PARTICLES.has(word)).map(wordOf);
}

function inDigits(words: readonly string[]): readonly string[] {
  return words.flatMap((word, index) => {
    const unit = ORDINALS.get(word);
    const tens = (TENS.indexOf(words[index - 1] ?? '') + 2) * 10;
    if (unit !== undefined) return `${unit < 10 && tens > 10 ? tens + unit : unit}th`;
    const next = ORDINALS.get(words[index + 1] ?? '');
    return TENS.includes(word) && next !== undefined && next < 10 ? [] : word.replace(ORDINAL, '$1th');
  });
}

function wordOf(word: string): AddressWord {
  const key = FORM_OF.get(word) ?? word.replace(STREET_ENDING, '$1str');
  return { key, weight: KINDS.has(key) ? KIND_WEIGHT : 1 };
}

/** Particles and words with another form, by the words that are left if one letter is taken out of them. */
const COMMON_BY_DELETION: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(
    Object.groupBy(
      [...PARTICLES, ...FORM_OF.keys()].flatMap((word) =>
        [...deletionsOf(word)].map((deletion) => ({ word, deletion })),
      ),
      ({ deletion }) => deletion,
    ),
  ).map(([deletion, pairs = []]) => [deletion, pairs.map(({ word }) => word)] as const),
);

/** What a misspelt common word may be: the forms of words for a kind of street or person, or none for a particle. */
export function commonWordsNear(key: string): readonly AddressWord[] | undefined {
  const near = [...deletionsOf(key)].flatMap((deletion) => COMMON_BY_DELETION.get(deletion) ?? []);
  const meant = near.filter((word) => isOneErrorAway(key, word));
  if (meant.some((word) => PARTICLES.has(word))) return [];
  const forms = meant.filter((word) => word.length > 2 && FORM_OF.has(word));
  return forms.length === 0 ? undefined : forms.map(wordOf);
}

/** Whether a key is that of a word for a kind of street. */
export function isKind(key: string): boolean {
  return KINDS.has(key);
}

/** Whether a word is a particle or has another form, so that it need not be a word of the addresses. */
export function isCommonWord(word: string): boolean {
  return PARTICLES.has(word) || FORM_OF.has(word);
}

/** A house number: its leading digits, and what follows them: "12 bis" is 12 and "bis". */
export interface HouseNumber {
  readonly number: number;
  readonly suffix: string;
}

const HOUSE_NUMBER = /^0*(\d{1,6})\s*-?([a-z]|bis|ter|quater|[-/]\d{1,4}[a-z]?)?$/;

/** Undefined if the text is not a house number. */
export function readHouseNumber(text: string): HouseNumber | undefined {
  const match = HOUSE_NUMBER.exec(fold(text).trim());
  if (match === null) return undefined;
  const [, digits = '', suffix = ''] = match;
  return { number: Number(digits), suffix };
}
