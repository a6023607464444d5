import { CelError } from './cel-error.ts';

const MAX_DEPTH = 32;
const MAX_CONDITIONALS = 64;
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
const STRING = /[rRbB]*(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')/y;
const RAW_STRING = /[bB]?[rR][bB]?(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"[^"\n]*"|'[^'\n]*')/y;
const COMMENT = /\/\/[^\n]*/y;

/** Quotes and spaces that word processors write. */
const LOOK_ALIKES = /[\u2018-\u201f\u00ab\u00bb\u00a0\u2000-\u200b\u202f\u205f\u3000\ufeff]/u;

function lookAlikeFault(character: string): string {
  const code = `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
  const isQuote = /[\u2018-\u201f\u00ab\u00bb]/u.test(character);
  return isQuote ? `this is the quote ${code}: write " or '` : `this is the space ${code}: write an ordinary space`;
}

/**
 * Checks brackets before the parser sees the text: it recurses into each, and says less exactly where one is missing.
 * @throws {CelError}
 */
export function scanBrackets(text: string): void {
  const open: { readonly character: string; readonly at: number }[] = [];
  let conditionals = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    const skipped = skip(text, at);
    if (skipped > at) {
      at = skipped - 1;
    } else if (character === '"' || character === "'") {
      throw new CelError('CEL_SYNTAX', at, 'this text has no closing quote');
    } else if (LOOK_ALIKES.test(character)) {
      throw new CelError('CEL_SYNTAX', at, lookAlikeFault(character));
    } else if (CLOSING[character] !== undefined) {
      open.push({ character, at });
      if (open.length > MAX_DEPTH) throw new CelError('TOO_DEEP', at, `brackets nest deeper than ${MAX_DEPTH} levels`);
    } else if (character === ')' || character === ']' || character === '}') {
      const last = open.pop();
      if (last === undefined) throw new CelError('CEL_SYNTAX', at, `no bracket is open before this ${character}`);
      if (CLOSING[last.character] !== character) {
        throw new CelError(
          'CEL_SYNTAX',
          at,
          `write ${CLOSING[last.character]} here: it closes the last open ${last.character}`,
        );
      }
    } else if (character === '?') {
      conditionals += 1;
      if (conditionals > MAX_CONDITIONALS) throw new CelError('TOO_DEEP', at, 'there are too many conditionals');
    }
  }
  const last = open.pop();
  if (last !== undefined) throw new CelError('CEL_SYNTAX', last.at, `this ${last.character} is never closed`);
}

/** The offsets of what commas separate in brackets that are closed. @param open the offset of the opening bracket */
export function partsInBrackets(text: string, open: number): readonly (readonly [start: number, end: number])[] {
  const parts: (readonly [number, number])[] = [];
  let depth = 0;
  let start = open + 1;
  for (let at = open; at < text.length; at = Math.max(at + 1, skip(text, at))) {
    const character = text[at] ?? '';
    if ('([{'.includes(character)) depth += 1;
    if (')]}'.includes(character)) depth -= 1;
    if (depth === 0 || (depth === 1 && character === ',')) {
      parts.push([start, at]);
      start = at + 1;
    }
    if (depth === 0) break;
  }
  return parts;
}

/** The offset after a string or a comment that begins at `at`, or `at` itself. */
function skip(text: string, at: number): number {
  // A prefix belongs to a string only at the start of a word.
  if (/[A-Za-z0-9_]/.test(text[at - 1] ?? '') && /[rRbB]/.test(text[at] ?? '')) return at;
  for (const pattern of [RAW_STRING, STRING, COMMENT]) {
    pattern.lastIndex = at;
    if (pattern.test(text)) return pattern.lastIndex;
  }
  return at;
}
