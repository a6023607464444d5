/** Most levels of brackets. Real metadata is not that deep. */
const MAX_DEPTH = 64;

/** Marks that hide scripts from readers of other markup languages. */
const OPENING_MARK = /^(?:(?:\/\/|\/\*)\s*)?(?:<!\[CDATA\[|<!--)\s*(?:\*\/)?/;

/**
 * Reads the values of a script that should be JSON. It accepts an HTML comment or a CDATA mark around the text, JavaScript
 * comments, commas before a closing bracket, line breaks in strings, several values in a row, and a missing end. It never
 * throws: a text that cannot be repaired has no values. The time is linear in the length of the text.
 */
export function parseLenientJson(text: string): readonly unknown[] {
  const bare = withoutMarks(text.trim());
  const strict = parse(bare);
  if (strict !== undefined) return [strict];
  const json = repair(bare);
  const repaired = json === null ? undefined : parse(json);
  return Array.isArray(repaired) ? repaired : [];
}

function withoutMarks(text: string): string {
  const [mark] = OPENING_MARK.exec(text) ?? [];
  if (mark === undefined) return text;
  const end = text.lastIndexOf(mark.includes('[') ? ']]>' : '-->');
  return text.slice(mark.length, end < 0 ? text.length : end);
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** One JSON array with all objects and arrays in the text. Null if brackets do not match or are nested too deeply. */
function repair(text: string): string | null {
  const closers: string[] = [];
  let json = '';
  let hasComma = false;
  for (let at = 0; at < text.length; ) {
    const end = endOfToken(text, at);
    const token = text.slice(at, end);
    at = end;
    const isOpener = token === '{' || token === '[';
    if (isOpener && closers.length === 0) hasComma = json !== '';
    else if (closers.length === 0 || token <= ' ' || isComment(token)) continue;
    if (token === '}' || token === ']') {
      if (closers.pop() !== token) return null;
      json += token;
    } else if (token !== ',') {
      if (isOpener && closers.length === MAX_DEPTH) return null;
      if (isOpener) closers.push(token === '{' ? '}' : ']');
      json += `${hasComma ? ',' : ''}${token.startsWith('"') ? repairString(token) : token}`;
    }
    hasComma = token === ',';
  }
  return `[${json}${closers.reverse().join('')}]`;
}

/** The end of a token: a string, a comment, or one character. */
function endOfToken(text: string, start: number): number {
  if (text[start] === '"') return endOfString(text, start);
  if (text.startsWith('//', start)) return endAfter(text, '\n', start);
  if (text.startsWith('/*', start)) return endAfter(text, '*/', start);
  return start + 1;
}

function isComment(token: string): boolean {
  return token.length > 1 && token.startsWith('/');
}

function endAfter(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at + mark.length;
}

/** The index after the closing quotation mark. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return Math.min(at + 1, text.length);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON (RFC 8259, section 7) does not allow these in a string.
const CONTROLS = /[\u0000-\u001f]+/g;
const BAD_ESCAPE = /\\(?:(["\\/bfnrt]|u[0-9a-fA-F]{4})|.?)/g;

function repairString(string: string): string {
  const body = string
    .replace(CONTROLS, ' ')
    .replace(BAD_ESCAPE, (whole, known) => (known === undefined ? whole.slice(1) : whole));
  return body.length > 1 && body.endsWith('"') ? body : `${body}"`;
}
