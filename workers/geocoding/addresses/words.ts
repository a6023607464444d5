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

const APOSTROPHES = /['’‘ʼ`´]/g;
const STREET_ENDING = /(.{3,})strasse$/;

/** The words of a part of an address in the form that keys have, without particles: "Av. du Mal Foch" is av, mal, foch. */
export function addressWords(text: string): readonly AddressWord[] {
  const words = wordsOf(fold(text.replace(APOSTROPHES, ' ')));
  return words.filter((word) => !PARTICLES.has(word)).map(wordOf);
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
