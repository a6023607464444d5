import { defined } from '../../../../workers/exact/defined.ts';
import { readHouseNumber } from '../../../../workers/geocoding/addresses/words.ts';
import type { AddressRow } from './sources/address-row.ts';

export type StreetRow = Omit<AddressRow, 'latitude' | 'longitude' | 'number'>;

/** Doubling would leave up to half of the memory unused. */
const GROWTH = 1.25;

/** A list of numbers that grows without moving what other code holds. */
class Column<T extends Int32Array | Uint32Array> {
  values: T;
  readonly #make: (length: number) => T;

  constructor(make: (length: number) => T) {
    this.#make = make;
    this.values = make(1024);
  }

  set(index: number, value: number): void {
    if (index >= this.values.length) {
      const larger = this.#make(Math.ceil(this.values.length * GROWTH));
      larger.set(this.values);
      this.values = larger;
    }
    this.values[index] = value;
  }
}

/** A part of a text keeps the whole text in memory, which is a megabyte of its file. A copy does not. */
function copyOf(text: string): string {
  return Buffer.from(text).toString();
}

/** @returns the value before */
function add(values: Uint32Array, index: number, value: number): number {
  const before = defined(values[index]);
  values[index] = before + value;
  return before;
}

/** Addresses in columns: about 20 bytes for each, and the text of each street once. */
export class AddressTable {
  readonly streets: StreetRow[] = [];
  readonly #streetByKey = new Map<string, number>();
  readonly #suffixes: string[] = [''];
  readonly #suffixByText = new Map([['', 0]]);
  readonly #street = new Column((length) => new Uint32Array(length));
  readonly #number = new Column((length) => new Uint32Array(length));
  readonly #suffix = new Column((length) => new Uint32Array(length));
  readonly #latitude = new Column((length) => new Int32Array(length));
  readonly #longitude = new Column((length) => new Int32Array(length));
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add({ latitude, longitude, number, street, town, district, region, postcode }: AddressRow): void {
    const key = `${street}\n${town}\n${district}\n${region}\n${postcode}`;
    let id = this.#streetByKey.get(key);
    if (id === undefined) {
      id = this.streets.length;
      this.#streetByKey.set(copyOf(key), id);
      this.streets.push({
        street: copyOf(street),
        town: copyOf(town),
        district: copyOf(district),
        region: copyOf(region),
        postcode: copyOf(postcode),
      });
    }
    const house = readHouseNumber(number);
    const at = this.#count++;
    this.#street.set(at, id);
    this.#number.set(at, house?.number ?? 0);
    this.#suffix.set(at, this.#suffixOf(house?.suffix ?? ''));
    this.#latitude.set(at, Math.round(latitude * 1e6));
    this.#longitude.set(at, Math.round(longitude * 1e6));
  }

  /** The rows of each street, one street after the other, in the order in which the streets were added. */
  byStreet(): { readonly rows: Uint32Array; readonly starts: Uint32Array } {
    const starts = new Uint32Array(this.streets.length + 1);
    for (let row = 0; row < this.#count; row++) add(starts, this.streetOf(row) + 1, 1);
    for (let street = 0; street < this.streets.length; street++) add(starts, street + 1, defined(starts[street]));
    const next = starts.slice();
    const rows = new Uint32Array(this.#count);
    for (let row = 0; row < this.#count; row++) rows[add(next, this.streetOf(row), 1)] = row;
    return { rows, starts };
  }

  streetOf(row: number): number {
    return defined(this.#street.values[row]);
  }

  /** 0 if it has none. */
  numberOf(row: number): number {
    return defined(this.#number.values[row]);
  }

  suffixOf(row: number): string {
    return defined(this.#suffixes[defined(this.#suffix.values[row])]);
  }

  latitudeE6Of(row: number): number {
    return defined(this.#latitude.values[row]);
  }

  longitudeE6Of(row: number): number {
    return defined(this.#longitude.values[row]);
  }

  #suffixOf(text: string): number {
    let id = this.#suffixByText.get(text);
    if (id === undefined) {
      id = this.#suffixes.length;
      this.#suffixByText.set(text, id);
      this.#suffixes.push(text);
    }
    return id;
  }
}
