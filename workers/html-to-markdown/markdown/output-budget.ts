import { ConversionError } from '../parse/conversion-error.ts';

export interface OutputLimits {
  readonly maxCharacters: number;
  /** Most bytes of the Markdown as a JSON string in UTF-8, without its quotes and its final line break. */
  readonly maxJsonBytes: number;
}

/** Pieces may shrink when they are joined: spaces at line ends are removed, and code spans are merged. */
const SLACK = 1.25;
/** Most bytes of one UTF-16 code unit in JSON, such as \u001f. */
const MAX_BYTES_PER_UNIT = 6;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const FIRST_PRINTABLE = 0x20;
/** BS, HT, LF, FF and CR: JSON has escapes of two characters for them. */
const SHORT_ESCAPES = new Set([0x08, 0x09, 0x0a, 0x0c, 0x0d]);

/** Refuses output that is too long: roughly while it is written, and exactly once it is complete. */
export class OutputBudget {
  private readonly limits: OutputLimits;
  /** Whether bytes are counted, which takes time. Short documents cannot reach the limit. */
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

  /** Checks one block, which indentation may have made longer. @throws {ConversionError} DOCUMENT_TOO_LARGE */
  checkLength(text: string): void {
    if (text.length > this.limits.maxCharacters) throw tooLarge();
  }

  /** Checks the whole Markdown. @throws {ConversionError} DOCUMENT_TOO_LARGE */
  check(text: string): void {
    this.checkLength(text);
    if (this.countsBytes && jsonBytesOf(text) > this.limits.maxJsonBytes) throw tooLarge();
  }
}

/** Bytes of well-formed text in a JSON string, without its quotes. It allocates nothing, because the text may be long. */
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

/** Whether the unit is half of a surrogate pair, which takes four bytes. */
function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xe000;
}

function tooLarge(): ConversionError {
  return new ConversionError('DOCUMENT_TOO_LARGE', 'the Markdown is too long');
}
