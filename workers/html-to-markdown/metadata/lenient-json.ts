/** Deeper than this no metadata is; what is nested for its own sake is refused. */
const MAX_DEPTH = 64;

/** What scripts were once hidden with from readers of other markup languages. */
const OPENING_MARK = /^(?:(?:\/\/|\/\*)\s*)?(?:<!\[CDATA\[|<!--)\s*(?:\*\/)?/;

/**
 * The values of a script that is meant to be JSON: with an HTML comment or CDATA mark around it, JavaScript comments,
 * commas before a closing bracket, line breaks in strings, several values after each other, or its end missing. Never
 * throws: what cannot be read is nothing. Linear in the length of the text.
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

/** One array of all objects and arrays in the text, as JSON. Null where brackets do not match, or nest too deep. */
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

/** A string, a comment, or one character. */
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

/** Past the closing quotation mark. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return Math.min(at + 1, text.length);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what JSON (RFC 8259, 7) does not allow in a string
const CONTROLS = /[\u0000-\u001f]+/g;
const BAD_ESCAPE = /\\(?:(["\\/bfnrt]|u[0-9a-fA-F]{4})|.?)/g;

function repairString(string: string): string {
  const body = string
    .replace(CONTROLS, ' ')
    .replace(BAD_ESCAPE, (whole, known) => (known === undefined ? whole.slice(1) : whole));
  return body.length > 1 && body.endsWith('"') ? body : `${body}"`;
}
