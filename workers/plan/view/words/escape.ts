import { createHash } from 'node:crypto';

const MAX_SHOWN = 240;
/**
 * Characters that a reader cannot see, or that move what is around them: control, format, unassigned, separators, those that
 * renderers ignore (fillers, joiners, variation selectors), blanks that count as letters or symbols, and the bracket that
 * marks what is hidden.
 */
const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{16fe4}\u{1d159}\u27e8]|(?! )\p{Zs}|\p{M}{3,}/gu;
/** Scripts with letters that look like those of another script, or that readers of one do not read. */
const SCRIPTS = [
  'Latin',
  'Cyrillic',
  'Greek',
  'Cherokee',
  'Armenian',
  'Georgian',
  'Coptic',
  'Lisu',
  'Deseret',
  'Osage',
  'Hebrew',
  'Arabic',
  'Han',
  'Hiragana',
  'Katakana',
  'Hangul',
  'Thai',
  'Devanagari',
].map((name) => ({ name, script: new RegExp(`\\p{Script=${name}}`, 'u') }));
const LETTER = /\p{L}/u;
/** Rare and phonetic letters, which look like others without a mark: `ı`, `Ɩ`, `ɑ`, `ɡ`, `ᴀ`. */
const RARE = /[\u0131\u0138\u017f-\u02af\u1d00-\u1dbf\ua720-\ua7ff\uab30-\uab6f]/;
/** A mark on a character that has no letter with it, such as `i` with one more dot. */
const STRAY_MARK = /[\p{Script=Latin}\p{N}\p{P}\p{S}]\p{M}/u;
/** Punctuation that looks like that of a keyboard: `∕` as `/`, `∶` as `:`, `‚` as `,`. */
const PUNCTUATION = /(?![\x20-\x7e\xa1-\xbf])[\p{Po}\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Pc}\p{Sm}\p{Sk}\p{Lm}]/u;

/**
 * A text of a plan as a code span (CommonMark 0.31, section 6.1). Nothing in a code span is markup, so no title can forge a
 * heading or hide a part. What cannot be seen is shown as its code points, and what can be mistaken for another text is noted.
 */
export function code(text: string): string {
  const visible = visibly(text);
  const characters = [...visible];
  const isCut = characters.length > MAX_SHOWN;
  const shown = isCut ? `${characters.slice(0, MAX_SHOWN).join('')}…` : visible;
  const fence = '`'.repeat(longestRun(shown) + 1);
  // A space at each end is taken off again, and keeps backticks apart from the fence.
  const padding = /^[ `]|[ `]$/.test(shown) || shown === '' ? ' ' : '';
  const notes = [
    ...(isCut
      ? [`cut, ${characters.length} characters, SHA-256 ${createHash('sha256').update(text).digest('hex')}`]
      : []),
    ...lookAlikes(text),
  ];
  return `${fence}${padding}${shown}${padding}${fence}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`;
}

/** Why a text can be mistaken for another one. */
function lookAlikes(text: string): readonly string[] {
  const composed = text.normalize('NFC');
  const seen = text.replaceAll(INVISIBLE, '');
  const letters = [...seen.normalize('NFKC')].filter((character) => LETTER.test(character));
  const scriptOf = (letter: string) => SCRIPTS.find(({ script }) => script.test(letter))?.name;
  const scripts = [...new Set(letters.map(scriptOf))].map((name) => name ?? 'other');
  const others = scripts.filter((name) => name !== 'Latin');
  const notes: readonly (readonly [string, boolean])[] = [
    ['empty', text === ''],
    ['begins with a space', text.startsWith(' ')],
    ['ends with a space', text.endsWith(' ') && text !== ' '],
    ['several spaces in a row', text.includes('  ')],
    [`mixes alphabets: ${listed(scripts)}`, scripts.length > 1],
    [`in ${others.join('')} letters`, scripts.length === 1 && others.length === 1],
    ['rare letters', RARE.test(text.normalize('NFD'))],
    ['marks on characters that have none', STRAY_MARK.test(seen.normalize('NFC'))],
    ['punctuation that is not that of a keyboard', PUNCTUATION.test(seen)],
    ['letters and accents are separate characters', text !== composed],
    ['full-width, mathematical or other variants of characters', seen.normalize('NFC') !== seen.normalize('NFKC')],
    ['dashes or strokes that are not those of a keyboard', /(?!-)\p{Pd}|[\u2212\u01C0-\u01C3]/u.test(text)],
    ['digits that are not 0 to 9', /(?![0-9])\p{Nd}/u.test(text)],
  ];
  return notes.flatMap(([note, isTrue]) => (isTrue ? [note] : []));
}

/** The text with invisible characters as `⟨U+202E⟩`. */
export function visibly(text: string): string {
  return text.replaceAll(INVISIBLE, (hidden) => [...hidden].map(codePoint).join(''));
}

const codePoint = (character: string): string =>
  `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

/** A list in words: `a, b and c`. */
export function listed(items: readonly string[], word = 'and'): string {
  const last = items.at(-1);
  if (items.length < 2 || last === undefined) return items.join('');
  return `${items.slice(0, -1).join(', ')} ${word} ${last}`;
}

export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
