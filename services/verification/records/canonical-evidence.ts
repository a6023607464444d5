import { canonicalNumber } from '../../../workers/exact/canonical-number.ts';
import type { ArtifactText } from '../../../workers/verdict/tasks.ts';
import { digestCanonical } from '../proof/digests.ts';

/**
 * The digest of an artifact's JSON value; undefined if its text is not JSON. White space, the order of members, escapes and the
 * form of numbers do not matter, so that a receipt has one digest: `80.0` and `8e1` are the same number. RFC 8785 would
 * round numbers to doubles, but two receipts that differ in the twentieth digit are different.
 */
export function digestEvidence(text: ArtifactText): string | undefined {
  if (!('json' in text)) return undefined;
  return digestCanonical('artifact', Buffer.from(readValue({ text: text.json, at: 0 })));
}

/** A position in a text that is known to be JSON. The text is read in one pass: it may have a million values. */
interface Reader {
  readonly text: string;
  at: number;
}

const SPACE = /[ \n\r\t]*/y;
const SCALAR = /[^ \n\r\t,\]}]+/y;
const FIRST_OF_NUMBER = /^[-0-9]/;

/** Reads a value. @returns its canonical text */
function readValue(reader: Reader): string {
  skipSpace(reader);
  switch (reader.text[reader.at]) {
    case '{':
      return `{${readItems(reader, readMember).sort().join(',')}}`;
    case '[':
      return `[${readItems(reader, readValue).join(',')}]`;
    case '"':
      return readString(reader);
    default: {
      const literal = match(reader, SCALAR);
      return FIRST_OF_NUMBER.test(literal) ? canonicalNumber(literal) : literal;
    }
  }
}

/** Members have distinct names, so any order by name is canonical. */
function readMember(reader: Reader): string {
  skipSpace(reader);
  const name = readString(reader);
  skipSpace(reader);
  reader.at += 1;
  return `${name}:${readValue(reader)}`;
}

function readItems(reader: Reader, readItem: (reader: Reader) => string): string[] {
  const items: string[] = [];
  reader.at += 1;
  skipSpace(reader);
  if (isEnd(reader)) return items;
  do {
    items.push(readItem(reader));
    skipSpace(reader);
  } while (!isEnd(reader));
  return items;
}

/** Skips what follows an item: a comma, or the end of its container. */
function isEnd(reader: Reader): boolean {
  const character = reader.text[reader.at];
  const isLast = character === ']' || character === '}';
  if (isLast || character === ',') reader.at += 1;
  return isLast;
}

function readString(reader: Reader): string {
  const start = reader.at;
  let end = start;
  let isEscaped = false;
  for (;;) {
    end += 1;
    const character = reader.text[end];
    if (character === '"') break;
    if (character !== '\\') continue;
    isEscaped = true;
    end += 1;
  }
  reader.at = end + 1;
  const literal = reader.text.slice(start, reader.at);
  return isEscaped ? JSON.stringify(JSON.parse(literal)) : literal;
}

function skipSpace(reader: Reader): void {
  match(reader, SPACE);
}

function match(reader: Reader, pattern: RegExp): string {
  pattern.lastIndex = reader.at;
  const [text] = pattern.exec(reader.text) ?? [];
  if (text === undefined) throw new TypeError('not JSON');
  reader.at += text.length;
  return text;
}
