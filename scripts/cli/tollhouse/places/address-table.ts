import { defined } from '../../../../workers/exact/defined.ts';
import type { StreetKind } from '../../../../workers/geocoding/addresses/address-set.ts';
import { readHouseNumber } from '../../../../workers/geocoding/addresses/words.ts';
import { Column } from './column.ts';
import type { AddressRow } from './sources/address-row.ts';

/** Where streets are. Streets of one area share it. */
export interface Area {
  readonly id: number;
  readonly town: string;
  readonly district: string;
  readonly region: string;
  readonly postcode: string;
  /** Whether the town is the one around the point, because the source does not name it. */
  readonly isTownGuessed: boolean;
}

/** A street, a town or a named place, without its points. */
export interface StreetRow {
  readonly kind: StreetKind;
  /** Of a street or a named place. Empty for a town. */
  readonly name: string;
  /** Each on a line of its own. */
  readonly otherNames: string;
  /** The street of a named place. */
  readonly road: string;
  readonly area: Area;
}

/** A part of a text keeps the whole text in memory, which is a megabyte of its file. A copy does not. */
function copyOf(text: string): string {
  return text === '' ? '' : Buffer.from(text).toString();
}

/** @returns the value before */
function add(values: Uint32Array, index: number, value: number): number {
  const before = defined(values[index]);
  values[index] = before + value;
  return before;
}

/** Addresses in columns: 20 bytes for each, and the texts of each street once. */
export class AddressTable {
  readonly streets: StreetRow[] = [];
  readonly #streetByKey = new Map<string, number>();
  readonly #areaByKey = new Map<string, Area>();
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

  add(row: AddressRow): void {
    const house = readHouseNumber(row.number);
    const at = this.#count++;
    this.#street.set(at, this.#idOfStreet(row));
    this.#number.set(at, house?.number ?? 0);
    this.#suffix.set(at, this.#idOfSuffix(house?.suffix ?? ''));
    this.#latitude.set(at, Math.round(row.latitude * 1e6));
    this.#longitude.set(at, Math.round(row.longitude * 1e6));
  }

  /** No row can be added afterwards: the memory for finding streets is free again. */
  finish(): void {
    this.#streetByKey.clear();
    this.#areaByKey.clear();
    this.#suffixByText.clear();
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
    return this.#street.at(row);
  }

  /** Makes a row one of another street. */
  move(row: number, street: number): void {
    this.#street.set(row, street);
  }

  /** 0 if it has none. */
  numberOf(row: number): number {
    return this.#number.at(row);
  }

  suffixOf(row: number): string {
    return defined(this.#suffixes[this.#suffix.at(row)]);
  }

  latitudeE6Of(row: number): number {
    return this.#latitude.at(row);
  }

  longitudeE6Of(row: number): number {
    return this.#longitude.at(row);
  }

  #idOfStreet(row: AddressRow): number {
    const { kind, street, name = '', otherNames = [] } = row;
    const area = this.#areaOf(row);
    const others = otherNames.join('\n');
    const key =
      kind === undefined ? `${area.id} ${street}\n${others}` : `${area.id} ${kind}\n${name}\n${street}\n${others}`;
    const known = this.#streetByKey.get(key);
    if (known !== undefined) return known;
    const id = this.streets.length;
    this.#streetByKey.set(copyOf(key), id);
    this.streets.push({
      kind: kind ?? (street === '' ? 'town' : 'street'),
      name: copyOf(kind === undefined ? street : name),
      otherNames: copyOf(others),
      road: copyOf(kind === undefined ? '' : street),
      area,
    });
    return id;
  }

  #areaOf({ town, district, region, postcode, isTownGuessed = false }: AddressRow): Area {
    const key = `${isTownGuessed ? '?' : ''}${town}\n${district}\n${region}\n${postcode}`;
    const known = this.#areaByKey.get(key);
    if (known !== undefined) return known;
    const area: Area = {
      id: this.#areaByKey.size,
      town: copyOf(town),
      district: copyOf(district),
      region: copyOf(region),
      postcode: copyOf(postcode),
      isTownGuessed,
    };
    this.#areaByKey.set(copyOf(key), area);
    return area;
  }

  #idOfSuffix(text: string): number {
    let id = this.#suffixByText.get(text);
    if (id === undefined) {
      id = this.#suffixes.length;
      this.#suffixByText.set(text, id);
      this.#suffixes.push(text);
    }
    return id;
  }
}
