const NAMED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: ' ',
    ndash: '–',
    mdash: '—',
    hellip: '…',
    lsquo: '‘',
    rsquo: '’',
    ldquo: '“',
    rdquo: '”',
    laquo: '«',
    raquo: '»',
    middot: '·',
    bull: '•',
    copy: '©',
    reg: '®',
    trade: '™',
    eacute: 'é',
    egrave: 'è',
    agrave: 'à',
    ccedil: 'ç',
    ntilde: 'ñ',
    auml: 'ä',
    ouml: 'ö',
    uuml: 'ü',
    Auml: 'Ä',
    Ouml: 'Ö',
    Uuml: 'Ü',
    szlig: 'ß',
  }),
);
const WORDS = /[\p{L}\p{N}]+/gu;
const NOT_WORD = /[^a-z0-9]+/g;
const ASCII = /^[ -~]*$/;
const SPACE = 0x20;
const REFERENCE = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z]{2,8}));/g;
/** Some sites escape text that is escaped already, once or twice. */
const MAX_DECODINGS = 2;

const WHITE_SPACE = /[^\S\ufeff]+/gu;
/** Control characters, soft hyphens, zero-width spaces and marks of text direction. */
const UNSEEN = /[\p{Cc}\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/gu;

/**
 * A string as people read it, on one line: character references are decoded, white space is folded, invisible characters
 * are removed, and the result is well-formed UTF-16. It is cut to `maxCharacters` (UTF-16 code units), after a word if
 * possible. Null if nothing is left.
 */
export function toPlainString(text: string | null | undefined, maxCharacters: number): string | null {
  if (text === null || text === undefined) return null;
  // The rest of longer input is ignored. Only hostile input consists mostly of references and white space.
  const input = (text.length > 4 * maxCharacters ? text.slice(0, 4 * maxCharacters) : text).trim();
  const folded = isPlain(input) ? input : foldText(input);
  return folded === '' ? null : cutAtWord(folded, maxCharacters);
}

/** Whether a string needs no change. This is true of most strings, and much faster to test than to change them. */
function isPlain(text: string): boolean {
  let before = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === SPACE ? before === SPACE : !isPlainUnit(unit)) return false;
    before = unit;
  }
  return true;
}

/** Whether a unit is not white space, invisible, or part of a character beyond U+FFFF. */
function isPlainUnit(unit: number): boolean {
  if (unit < 0x7f) return unit > SPACE;
  return (unit > 0xad && unit < 0x1600) || (unit > 0x200f && unit < 0x2028) || (unit > 0x3000 && unit < 0xd800);
}

function foldText(text: string): string {
  return text.replace(WHITE_SPACE, ' ').replace(UNSEEN, '').toWellFormed().replace(WHITE_SPACE, ' ').trim();
}

/** Whether a text has references to characters, as text for readers only has if it is about them. */
export function hasReferences(text: string): boolean {
  return text.includes('&') && text.search(REFERENCE) >= 0;
}

export function decodeReferences(text: string): string {
  let decoded = text;
  for (let round = 0; round < MAX_DECODINGS && decoded.includes('&'); round += 1) {
    decoded = decoded.replace(REFERENCE, (whole, decimal: string, hexadecimal: string, name: string) => {
      if (name !== undefined) return NAMED.get(name) ?? whole;
      return toCharacter(decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal));
    });
  }
  return decoded;
}

function toCharacter(codePoint: number): string {
  return codePoint === 0 || codePoint > 0x10ffff ? '\ufffd' : String.fromCodePoint(codePoint);
}

/** At most `maxCharacters` code units of well-formed text. A word that would be cut is left out. */
export function cutAtWord(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const space = text.lastIndexOf(' ', maxCharacters);
  if (space > maxCharacters / 2) return text.slice(0, space);
  const unit = text.charCodeAt(maxCharacters - 1);
  return text.slice(0, unit >= 0xd800 && unit < 0xdc00 ? maxCharacters - 1 : maxCharacters);
}

/** Keys of strings that were asked for lately: the names and titles of a page are compared many times. */
const keys = new Map<string, string>();
const MAX_KEYS = 1000;

/** A key by which strings are equal if they only differ in case, punctuation and spacing: lower-case words. */
export function keyOf(text: string): string {
  const known = keys.get(text);
  if (known !== undefined) return known;
  // A copy, because the text may be a slice of a page and would keep the page in memory.
  const own = ` ${text}`.slice(1);
  const key = makeKey(own);
  if (keys.size === MAX_KEYS) keys.clear();
  keys.set(own, key);
  return key;
}

function makeKey(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase().replace(NOT_WORD, ' ').trim();
  return (text.normalize('NFKC').toLowerCase().match(WORDS) ?? []).join(' ');
}
