import { canonicalNumber } from './canonical-number.ts';

/** Why a text was refused. `SYNTAX`: it is not JSON; any other: it is, but two readers could understand it differently. */
export type StrictJsonCode =
  | 'NOT_UTF8'
  | 'TOO_LARGE'
  | 'SYNTAX'
  | 'TOO_DEEP'
  | 'REPEATED_MEMBER'
  | 'FORBIDDEN_MEMBER'
  | 'LONE_SURROGATE'
  | 'NUL'
  | 'NUMBER';

export class StrictJsonError extends Error {
  override readonly name = 'StrictJsonError';
  readonly code: StrictJsonCode;
  /** JSON pointer (RFC 6901) of the value at fault, or of the object that has a name at fault. */
  readonly pointer: string;

  constructor(code: StrictJsonCode, message: string, pointer = '', options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.pointer = pointer;
  }
}

export interface JsonRules {
  /**
   * `double`: what JavaScript reads. `exact`: only numbers that JavaScript keeps as they are written, within
   * ±(2^53 - 1); others travel as strings. `any`: whatever is written, for someone who reads the text again.
   */
  readonly numbers: 'double' | 'exact' | 'any';
  /** U+0000, however it is written: PostgreSQL's text cannot hold it. */
  readonly nul: 'accepted' | 'refused';
  readonly maxDepth: number;
  /** Values, each container and each thing in it: two bytes make one, and what is done with each is what takes time. */
  readonly maxValues: number;
}

/** More than any request that is meant: one of 256 groups of 1,000 ids has fewer. */
const MAX_REQUEST_VALUES = 300_000;

/** I-JSON (RFC 7493), for bodies and headers. */
export const I_JSON: JsonRules = { numbers: 'double', nul: 'accepted', maxDepth: 64, maxValues: MAX_REQUEST_VALUES };

/** For what is stored, hashed and signed. */
export const RECORD_JSON: JsonRules = {
  numbers: 'exact',
  nul: 'refused',
  maxDepth: 64,
  maxValues: Number.POSITIVE_INFINITY,
};

/** For requests from which such records are made. */
export const ARGUMENTS_JSON: JsonRules = { ...RECORD_JSON, maxValues: MAX_REQUEST_VALUES };

/** `path` leads to the value that is read, so it is as long as there are containers around it. */
interface Reader {
  readonly text: string;
  readonly rules: JsonRules;
  readonly path: (string | number)[];
  at: number;
  /** How many more values there may be. */
  left: number;
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const BACKSLASH = 0x5c;

/** A byte order mark is a character here, and no JSON begins with it (RFC 8259, section 8.1). */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses the bytes of a JSON text as `parseStrictJson` does.
 * @throws {StrictJsonError}
 */
export function parseStrictJsonBytes(bytes: Uint8Array, maxBytes: number, rules: JsonRules): unknown {
  if (bytes.length > maxBytes) throw new StrictJsonError('TOO_LARGE', `larger than ${maxBytes} bytes`);
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch (error) {
    throw new StrictJsonError('NOT_UTF8', 'not UTF-8', '', { cause: error });
  }
  return parseStrictJson(text, rules);
}

/**
 * Parses JSON that has one meaning: no repeated member names, no lone surrogates, nothing nested deeper and no more
 * values than the rules say, no number that they refuse, no member `__proto__`.
 * @throws {StrictJsonError}
 */
export function parseStrictJson(text: string, rules: JsonRules = I_JSON): unknown {
  const reader: Reader = { text, rules, path: [], at: 0, left: rules.maxValues };
  const value = readValue(reader);
  if (nextToken(reader) !== '') throw syntax(reader);
  return value;
}

function readValue(reader: Reader): unknown {
  reader.left -= 1;
  if (reader.left < 0) throw fault(reader, 'TOO_LARGE', `more than ${reader.rules.maxValues} values`);
  switch (nextToken(reader)) {
    case '{':
      return readObject(reader);
    case '[':
      return readArray(reader);
    case '"':
      return readString(reader);
    case 't':
      return readWord(reader, 'true', true);
    case 'f':
      return readWord(reader, 'false', false);
    case 'n':
      return readWord(reader, 'null', null);
    default:
      return readNumber(reader);
  }
}

function readObject(reader: Reader): Readonly<Record<string, unknown>> {
  enter(reader);
  const object: Record<string, unknown> = {};
  if (!takes(reader, '}')) {
    do {
      const name = readName(reader);
      reader.path.push(name);
      // An own member of what JSON.parse makes, but the prototype for whoever assigns it further on.
      if (name === '__proto__') throw fault(reader, 'FORBIDDEN_MEMBER', 'a member is named __proto__');
      if (Object.hasOwn(object, name)) throw fault(reader, 'REPEATED_MEMBER', 'a member name is repeated');
      object[name] = readValue(reader);
      reader.path.pop();
    } while (takes(reader, ','));
    if (!takes(reader, '}')) throw syntax(reader);
  }
  return object;
}

function readName(reader: Reader): string {
  if (nextToken(reader) !== '"') throw syntax(reader);
  const name = readString(reader);
  if (!takes(reader, ':')) throw syntax(reader);
  return name;
}

function readArray(reader: Reader): readonly unknown[] {
  enter(reader);
  const items: unknown[] = [];
  if (!takes(reader, ']')) {
    do {
      reader.path.push(items.length);
      items.push(readValue(reader));
      reader.path.pop();
    } while (takes(reader, ','));
    if (!takes(reader, ']')) throw syntax(reader);
  }
  return items;
}

function enter(reader: Reader): void {
  const { maxDepth } = reader.rules;
  if (reader.path.length >= maxDepth) throw fault(reader, 'TOO_DEEP', `nested deeper than ${maxDepth}`);
  reader.at += 1;
}

function readString(reader: Reader): string {
  const end = endOfString(reader);
  const literal = reader.text.slice(reader.at, end + 1);
  let value: string;
  try {
    value = JSON.parse(literal) as string;
  } catch (error) {
    throw syntax(reader, error);
  }
  reader.at = end + 1;
  if (!value.isWellFormed()) throw fault(reader, 'LONE_SURROGATE', 'a string holds half a character');
  if (reader.rules.nul === 'refused' && value.includes('\0')) throw fault(reader, 'NUL', 'a string holds U+0000');
  return value;
}

function endOfString(reader: Reader): number {
  let end = reader.at;
  do {
    end = reader.text.indexOf('"', end + 1);
    if (end === -1) throw syntax(reader);
  } while (isEscaped(reader.text, end));
  return end;
}

function isEscaped(text: string, index: number): boolean {
  let first = index;
  while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return (index - first) % 2 === 1;
}

function readNumber(reader: Reader): number {
  NUMBER.lastIndex = reader.at;
  const literal = NUMBER.exec(reader.text)?.[0];
  if (literal === undefined) throw syntax(reader);
  const value = Number(literal);
  const { numbers } = reader.rules;
  if (numbers !== 'any' && !Number.isFinite(value)) throw fault(reader, 'NUMBER', 'a number is too large');
  // The text is compared: 9007199254740991.4 is a safe integer once it is read.
  if (numbers === 'exact' && !isKept(literal, value)) {
    throw fault(reader, 'NUMBER', 'a number has more digits than can be kept: send it as a string');
  }
  reader.at += literal.length;
  return value;
}

/** Whether a number is what JavaScript and JCS (RFC 8785) make of it, and is no negative zero. */
function isKept(literal: string, value: number): boolean {
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER || Object.is(value, -0)) return false;
  return canonicalNumber(literal) === canonicalNumber(String(value));
}

function readWord<T>(reader: Reader, word: string, value: T): T {
  if (!reader.text.startsWith(word, reader.at)) throw syntax(reader);
  reader.at += word.length;
  return value;
}

/** Moves to the next character that is not white space (RFC 8259, section 2). @returns it, or '' at the end */
function nextToken(reader: Reader): string {
  for (;;) {
    const character = reader.text.charAt(reader.at);
    if (character !== ' ' && character !== '\n' && character !== '\r' && character !== '\t') return character;
    reader.at += 1;
  }
}

function takes(reader: Reader, token: string): boolean {
  if (nextToken(reader) !== token) return false;
  reader.at += 1;
  return true;
}

function syntax(reader: Reader, cause?: unknown): StrictJsonError {
  return new StrictJsonError('SYNTAX', 'not JSON', toPointer(reader.path), { cause });
}

function fault(reader: Reader, code: StrictJsonCode, message: string): StrictJsonError {
  return new StrictJsonError(code, message, toPointer(reader.path));
}

/** A name may be megabytes long: its beginning will do, and escaping all of it would take seconds. */
const MAX_STEP_CHARACTERS = 128;

function toPointer(path: readonly (string | number)[]): string {
  const escaped = (step: string | number) =>
    String(step).slice(0, MAX_STEP_CHARACTERS).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1');
  return path.map((step) => `/${escaped(step)}`).join('');
}
