import { defined } from '../../exact/defined.ts';

/** A growing list of bytes with unsigned integers of variable length (LEB128), as in Protocol Buffers. */
export class VarintWriter {
  #bytes = new Uint8Array(64);
  #length = 0;

  /** `value` is an integer from 0 to 2^32 - 1. */
  write(value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      this.#push((rest & 0x7f) | 0x80);
      rest = Math.floor(rest / 0x80);
    }
    this.#push(rest);
  }

  /** Signed integers alternate: 0, -1, 1, -2 are 0, 1, 2, 3. */
  writeSigned(value: number): void {
    this.write(value < 0 ? -2 * value - 1 : 2 * value);
  }

  writeText(text: string): void {
    const bytes = new TextEncoder().encode(text);
    this.write(bytes.length);
    for (const byte of bytes) this.#push(byte);
  }

  /** A copy of the bytes so far. The writer is empty afterwards. */
  take(): Uint8Array {
    const taken = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    return taken;
  }

  #push(byte: number): void {
    if (this.#length === this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 2);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes[this.#length++] = byte;
  }
}

/** Reads what a `VarintWriter` wrote. */
export class VarintReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  read(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = defined(this.#bytes[this.#at++]);
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 0x80;
    }
  }

  readSigned(): number {
    const value = this.read();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  readText(): string {
    const length = this.read();
    const text = new TextDecoder().decode(this.#bytes.subarray(this.#at, this.#at + length));
    this.#at += length;
    return text;
  }
}

/**
 * Adds up ascending differences that a `VarintWriter` wrote. A query reads up to a hundred thousand of them, which takes half as
 * long without an object.
 * @throws {RangeError} if there are fewer than `count`
 */
export function readAscending(bytes: Uint8Array, count: number): Uint32Array {
  const values = new Uint32Array(count);
  let value = 0;
  let at = 0;
  for (let index = 0; index < count; index++) {
    let scale = 1;
    for (;;) {
      const byte = bytes[at++];
      if (byte === undefined) throw new RangeError('a list of numbers is cut');
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) break;
      scale *= 0x80;
    }
    values[index] = value;
  }
  return values;
}
