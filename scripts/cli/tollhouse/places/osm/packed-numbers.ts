import { defined } from '../../../../../workers/exact/defined.ts';

const MAX_BYTES = 10;

/**
 * Reads the packed varints of Protocol Buffers as numbers. A file has hundreds of millions of them, so they are not read
 * through bigint: integers beyond 2^53 lose digits, and no id or coordinate is one.
 */
export class PackedNumbers {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** @throws {RangeError} if a number is cut or has too many bytes */
  next(): number {
    const bytes = this.#bytes;
    const first = bytes[this.#at];
    if (first !== undefined && first < 0x80) {
      this.#at += 1;
      return first;
    }
    let value = 0;
    let scale = 1;
    for (let count = 0; count < MAX_BYTES; count++) {
      if (this.#at >= bytes.length) throw new RangeError('a list of numbers is cut');
      const byte = defined(bytes[this.#at++]);
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 0x80;
    }
    throw new RangeError('a number has more than ten bytes');
  }

  /** Signed integers alternate: 0, -1, 1, -2 are 0, 1, 2, 3. */
  nextSigned(): number {
    const value = this.next();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}
