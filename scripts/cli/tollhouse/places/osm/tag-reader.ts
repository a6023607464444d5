import { BinaryReader } from '@bufbuild/protobuf/wire';
import { defined } from '../../../../../workers/exact/defined.ts';
import { PackedNumbers } from './packed-numbers.ts';
import { isKnownKey, isTelling, type Tags } from './tags.ts';

const UNKNOWN = 1;
const KNOWN = 2;
const TELLING = 3;

/** Reads tags through a block's table of texts. Most elements have no tag that matters, so texts are decoded when needed. */
export class TagReader {
  readonly #bytes: readonly Uint8Array[];
  readonly #texts: (string | undefined)[] = [];
  /** What is known of a text as a key. 0: nothing yet. */
  readonly #keys: Uint8Array;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });

  constructor(table: Uint8Array) {
    const reader = new BinaryReader(table);
    const bytes: Uint8Array[] = [];
    while (reader.pos < reader.len) {
      const [field, wire] = reader.tag();
      if (field === 1) bytes.push(reader.bytes());
      else reader.skip(wire, field);
    }
    this.#bytes = bytes;
    this.#keys = new Uint8Array(bytes.length);
  }

  /** @throws {Error} if the table has no such text, or it is not UTF-8 */
  textAt(index: number): string {
    const known = this.#texts[index];
    if (known !== undefined) return known;
    const bytes = this.#bytes[index];
    if (bytes === undefined) throw new RangeError(`it has ${this.#bytes.length} texts, and no text ${index}`);
    const text = this.#decoder.decode(bytes);
    this.#texts[index] = text;
    return text;
  }

  /** The tags of a way, a relation or a single node. Undefined if none of them can make it an address or a name. */
  read(keys: Uint8Array, values: Uint8Array): Tags | undefined {
    if (keys.length === 0) return undefined;
    const [key, value] = [new PackedNumbers(keys), new PackedNumbers(values)];
    const pairs: number[] = [];
    let tells = false;
    while (!key.isAtEnd) tells = this.#collect(pairs, key.next(), value.next()) || tells;
    return tells ? this.#tagsOf(pairs) : undefined;
  }

  /** The tags of the next of the dense nodes: pairs up to a 0. */
  readDense(list: PackedNumbers): Tags | undefined {
    let pairs: number[] | undefined;
    let tells = false;
    for (let key = list.next(); key !== 0; key = list.next()) {
      pairs ??= [];
      tells = this.#collect(pairs, key, list.next()) || tells;
    }
    return tells && pairs !== undefined ? this.#tagsOf(pairs) : undefined;
  }

  #collect(pairs: number[], key: number, value: number): boolean {
    const kind = this.#keys[key] || this.#kindOf(key);
    if (kind !== UNKNOWN) pairs.push(key, value);
    return kind === TELLING;
  }

  #kindOf(key: number): number {
    const text = this.textAt(key);
    const kind = isTelling(text) ? TELLING : isKnownKey(text) ? KNOWN : UNKNOWN;
    this.#keys[key] = kind;
    return kind;
  }

  #tagsOf(pairs: readonly number[]): Tags {
    const tags = new Map<string, string>();
    for (let at = 0; at < pairs.length; at += 2) {
      tags.set(this.textAt(defined(pairs[at])), this.textAt(defined(pairs[at + 1])).trim());
    }
    return tags;
  }
}
