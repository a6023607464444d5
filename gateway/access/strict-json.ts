/** The text is not JSON, or is JSON that two readers could understand differently. */
export class StrictJsonError extends Error {
  override readonly name = 'StrictJsonError';
}

const MAX_DEPTH = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/**
 * Parses JSON that has one meaning (I-JSON, RFC 7493): no duplicate member names, no lone surrogates, no numbers
 * beyond double precision's range, nothing nested deeper than 64, no member `__proto__`.
 * @throws {StrictJsonError}
 */
export function parseStrictJson(text: string): unknown {
  const value = parse(text);
  // JSON.parse keeps the last of duplicate members, so what was written and what is left differ in number.
  if (countMembers(value, 1) !== countColons(text)) throw new StrictJsonError('a member name is repeated');
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new StrictJsonError('not JSON', { cause: error });
  }
}

/** Every colon outside a string belongs to one member: the text is known to be JSON. */
function countColons(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === COLON) count += 1;
    else if (code === QUOTE) i = endOfString(text, i);
  }
  return count;
}

function endOfString(text: string, start: number): number {
  let end = start;
  do end = text.indexOf('"', end + 1);
  while (isEscaped(text, end));
  return end;
}

function isEscaped(text: string, index: number): boolean {
  let first = index;
  while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return (index - first) % 2 === 1;
}

/** Counts the members of all objects in it, and refuses what is not to be had. */
function countMembers(value: unknown, depth: number): number {
  if (typeof value === 'string') assertWellFormed(value);
  else if (typeof value === 'number' && !Number.isFinite(value)) throw new StrictJsonError('a number is too large');
  if (typeof value !== 'object' || value === null) return 0;
  if (depth > MAX_DEPTH) throw new StrictJsonError(`nested deeper than ${MAX_DEPTH}`);
  if (Array.isArray(value)) return value.reduce((count: number, item) => count + countMembers(item, depth + 1), 0);
  let count = 0;
  for (const [name, member] of Object.entries(value)) {
    assertWellFormed(name);
    // An own member here, but the prototype for whoever assigns it further on.
    if (name === '__proto__') throw new StrictJsonError('a member is named __proto__');
    count += 1 + countMembers(member, depth + 1);
  }
  return count;
}

function assertWellFormed(text: string): void {
  if (!text.isWellFormed()) throw new StrictJsonError('a string holds half a character');
}
