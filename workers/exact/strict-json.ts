import { canonicalNumber } from './canonical-number.ts';
import { pointerToken } from './json-pointer.ts';

/**
 * Why a text was refused. `NOT_UTF8`, `SYNTAX`: it is not JSON. `TOO_LARGE`, `TOO_DEEP`: it is beyond a limit. The others:
 * it is JSON that two readers could understand differently.
 */
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
  /** JSON pointer (RFC 6901) of the value at fault, or of the object with the name at fault. */
  readonly pointer: string;

  constructor(code: StrictJsonCode, message: string, pointer = '', options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.pointer = pointer;
  }
}

export interface JsonRules {
  /**
   * `double`: the nearest double. `exact`: only numbers within ±(2^53 - 1) that a double holds exactly; others must be sent as
   * strings. `any`: every number; the caller reads the text again.
   */
  readonly numbers: 'double' | 'exact' | 'any';
  /** U+0000, escaped or not. PostgreSQL's text type cannot hold it. */
  readonly nul: 'accepted' | 'refused';
  readonly maxDepth: number;
  /** Most members of one object. */
  readonly maxMembers: number;
  /** Most values, each container and each of its elements counted. Two bytes can make one, and each costs time. */
  readonly maxValues: number;
}

/** I-JSON (RFC 7493), for bodies of paid operations and for headers. Valid ones have a few dozen values. */
export const I_JSON: JsonRules = { numbers: 'double', nul: 'accepted', maxDepth: 64, maxMembers: 100, maxValues: 1000 };

/** For texts that are stored, hashed and signed. */
export const RECORD_JSON: JsonRules = {
  numbers: 'exact',
  nul: 'refused',
  maxDepth: 64,
  maxMembers: Number.POSITIVE_INFINITY,
  maxValues: Number.POSITIVE_INFINITY,
};

/** The largest valid request has fewer: 256 groups of 1,000 ids. */
const MAX_REQUEST_VALUES = 300_000;

/** For requests from which such records are made. */
export const ARGUMENTS_JSON: JsonRules = { ...RECORD_JSON, maxValues: MAX_REQUEST_VALUES };

/** `path` leads to the value that is being read: one step for each container around it. */
interface Reader {
  readonly text: string;
  readonly rules: JsonRules;
  readonly path: (string | number)[];
  at: number;
  /** How many more values are allowed. */
  left: number;
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const BACKSLASH = 0x5c;

/** It keeps a byte order mark as a character, which JSON must not begin with (RFC 8259, section 8.1). */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Decodes UTF-8 and parses the text as `parseStrictJson` does.
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
 * Parses JSON that has one meaning. Refuses repeated member names, lone surrogates, a member `__proto__`, and whatever the
 * rules refuse.
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
  const { maxMembers } = reader.rules;
  let members = 0;
  if (!takes(reader, '}')) {
    do {
      members += 1;
      if (members > maxMembers) throw fault(reader, 'TOO_LARGE', `an object has more than ${maxMembers} members`);
      const name = readName(reader);
      reader.path.push(name);
      // JSON.parse makes it an own member, but later code that assigns it would set the prototype.
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
  let value: unknown;
  try {
    value = JSON.parse(literal);
  } catch (error) {
    throw syntax(reader, error);
  }
  if (typeof value !== 'string') throw syntax(reader);
  reader.at = end + 1;
  if (!value.isWellFormed()) throw fault(reader, 'LONE_SURROGATE', 'a string has a lone surrogate');
  if (reader.rules.nul === 'refused' && value.includes('\0')) throw fault(reader, 'NUL', 'a string has U+0000');
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
  // The texts are compared because 9007199254740991.4 would be read as a safe integer.
  if (numbers === 'exact' && !isKept(literal, value)) {
    throw fault(reader, 'NUMBER', 'a number has more digits than a double holds: send it as a string');
  }
  reader.at += literal.length;
  return value;
}

/** Whether the number keeps its exact value when JavaScript and JCS (RFC 8785) write it again. Negative zero does not. */
function isKept(literal: string, value: number): boolean {
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER || Object.is(value, -0)) return false;
  return canonicalNumber(literal) === canonicalNumber(String(value));
}

function readWord<T>(reader: Reader, word: string, value: T): T {
  if (!reader.text.startsWith(word, reader.at)) throw syntax(reader);
  reader.at += word.length;
  return value;
}

/** Moves to the next character that is not white space (RFC 8259, section 2). @returns that character, or '' at the end */
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
  return new StrictJsonError('SYNTAX', `not JSON: ${describeSyntax(reader)}`, toPointer(reader.path), { cause });
}

const BYTE_ORDER_MARK = '\uFEFF';

/** Characters are counted from 1. */
function describeSyntax({ text, at }: Reader): string {
  const place = `at character ${at + 1}`;
  switch (text.charAt(at)) {
    case '':
      return `it ends early, ${place}`;
    case '"':
      return `unexpected string, or one with a control character, a wrong escape or no end, ${place}`;
    case BYTE_ORDER_MARK:
      return at === 0 ? 'leave out the byte order mark at its beginning' : `unexpected byte order mark ${place}`;
    default:
      return `unexpected ${JSON.stringify(String.fromCodePoint(text.codePointAt(at) ?? 0).toWellFormed())} ${place}`;
  }
}

function fault(reader: Reader, code: StrictJsonCode, message: string): StrictJsonError {
  return new StrictJsonError(code, message, toPointer(reader.path));
}

/** A name may have megabytes, which would take seconds to escape. Its beginning is enough. */
const MAX_STEP_CHARACTERS = 128;

function toPointer(path: readonly (string | number)[]): string {
  const escaped = (step: string | number) => pointerToken(String(step).slice(0, MAX_STEP_CHARACTERS).toWellFormed());
  return path.map((step) => `/${escaped(step)}`).join('');
}
