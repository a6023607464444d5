import { ConversionError } from '../parse/conversion-error.ts';

export interface OutputLimits {
  readonly maxCharacters: number;
  /** Of the Markdown as a JSON string in UTF-8, without its quotes and its final line break. */
  readonly maxJsonBytes: number;
}

/** Pieces may shrink when they are joined: spaces at the ends of lines go, and code spans are put together. */
const SLACK = 1.25;
/** No UTF-16 code unit takes more bytes in JSON: \u001f. */
const MAX_BYTES_PER_UNIT = 6;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const FIRST_PRINTABLE = 0x20;
/** JSON has escapes of two characters for BS, HT, LF, FF and CR. */
const SHORT_ESCAPES = new Set([0x08, 0x09, 0x0a, 0x0c, 0x0d]);

/** Refuses output that is too long: soon while it is written, and exactly once it is whole. */
export class OutputBudget {
  private readonly limits: OutputLimits;
  /** Counting bytes takes time. Short documents cannot reach the limit. */
  private readonly countsBytes: boolean;
  private characters = 0;
  private jsonBytes = 0;

  constructor(limits: OutputLimits) {
    this.limits = limits;
    this.countsBytes = limits.maxCharacters * MAX_BYTES_PER_UNIT > limits.maxJsonBytes;
  }

  /** Takes what a piece needs from the budget. @throws {ConversionError} DOCUMENT_TOO_LARGE */
  spend(piece: string): void {
    this.characters += piece.length;
    if (this.countsBytes) this.jsonBytes += jsonBytesOf(piece);
    const { maxCharacters, maxJsonBytes } = this.limits;
    if (this.characters > maxCharacters * SLACK || this.jsonBytes > maxJsonBytes * SLACK) throw tooLarge();
  }

  /** Of one block: what holds it may have indented it. @throws {ConversionError} DOCUMENT_TOO_LARGE */
  checkLength(text: string): void {
    if (text.length > this.limits.maxCharacters) throw tooLarge();
  }

  /** Of all that was written. @throws {ConversionError} DOCUMENT_TOO_LARGE */
  check(text: string): void {
    this.checkLength(text);
    if (this.countsBytes && jsonBytesOf(text) > this.limits.maxJsonBytes) throw tooLarge();
  }
}

/** How many bytes well-formed text takes in a JSON string, without its quotes. Allocates nothing: the text may be long. */
export function jsonBytesOf(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit >= 0x80) bytes += unit < 0x800 || isSurrogate(unit) ? 2 : 3;
    else if (unit >= FIRST_PRINTABLE) bytes += unit === QUOTE || unit === BACKSLASH ? 2 : 1;
    else bytes += SHORT_ESCAPES.has(unit) ? 2 : MAX_BYTES_PER_UNIT;
  }
  return bytes;
}

/** Half of a pair that takes four bytes. */
function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xe000;
}

function tooLarge(): ConversionError {
  return new ConversionError('DOCUMENT_TOO_LARGE', 'the Markdown is too long');
}
