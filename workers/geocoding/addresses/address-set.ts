import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { readAscending, VarintReader } from './varint.ts';

/** What a row of a set is. A town has no name beside `town`; neighborhoods and points of interest are named places. */
export type StreetKind = 'street' | 'town' | 'neighborhood' | 'poi';

/** A street, a town or a named place of a set. Empty texts are unknown parts. Coordinates are in millionths of a degree. */
export interface Street {
  readonly kind: StreetKind;
  /** The name of the street or the named place. Empty for a town. */
  readonly name: string;
  /** Other names of a town or a named place, each on a line of its own. */
  readonly otherNames: string;
  /** The street that a named place is in. */
  readonly road: string;
  readonly town: string;
  readonly district: string;
  readonly region: string;
  readonly postcode: string;
  readonly latitudeE6: number;
  readonly longitudeE6: number;
  readonly houses: Uint8Array;
}

export interface House {
  /** 0 for a point of the street without a number. */
  readonly number: number;
  readonly suffix: string;
  readonly latitudeE6: number;
  readonly longitudeE6: number;
}

export interface StreetPoint {
  readonly street: number;
  readonly house: number;
  readonly latitudeE6: number;
  readonly longitudeE6: number;
}

/** The streets of a word, ascending. */
export interface WordPostings {
  readonly count: number;
  readonly streets: Uint8Array;
}

/** One imported set of addresses: a SQLite file that is only read. */
export interface AddressSet {
  /** The number of the first named place. Streets and towns have smaller numbers. */
  readonly firstNamed: number;
  street(id: number): Street | undefined;
  word(key: string): WordPostings | undefined;
  /** The words that have `key` if one letter is left out of them, or of it. */
  wordsNear(deletion: string): readonly string[];
  /** The points of a cell: see `cellOf`. */
  points(cell: number): readonly StreetPoint[];
  close(): void;
}

/** The version of the file format, in SQLite's `user_version`. */
export const ADDRESS_SET_VERSION = 3;
/** The fact that is `firstNamed`. */
export const FIRST_NAMED = 'firstNamed';
/** The side of a cell in millionths of a degree: 222 m from south to north. */
const CELL_E6 = 2000;
const COLUMNS = 360_000_000 / CELL_E6;
const MAPPED_BYTES = 4 * 1024 ** 3;

/** The number of the cell that contains a point. Cells of one row are consecutive from west to east. */
export function cellOf(latitudeE6: number, longitudeE6: number): number {
  const row = Math.floor((latitudeE6 + 90_000_000) / CELL_E6);
  const column = Math.floor((longitudeE6 + 180_000_000) / CELL_E6);
  return row * COLUMNS + ((column + COLUMNS) % COLUMNS);
}

/** The cells around a point, its own among them. */
export function cellsAround(latitudeE6: number, longitudeE6: number): readonly number[] {
  const steps = [-CELL_E6, 0, CELL_E6];
  return steps.flatMap((north) => steps.map((east) => cellOf(latitudeE6 + north, longitudeE6 + east)));
}

/**
 * @param bytes the size of the file. SQLite does not notice that a part of its last page is missing
 * @throws {Error} if the file is not a complete set of addresses of this version
 */
export function openAddressSet(file: string, bytes?: number): AddressSet {
  // The file never changes, so SQLite need not lock it or look for changes at each read.
  const address = pathToFileURL(file);
  address.searchParams.set('immutable', '1');
  const database = new DatabaseSync(address, { readOnly: true });
  try {
    if (bytes !== undefined && bytes !== completeSize(database)) throw new Error(`${file} is cut off`);
    return readSet(database, file);
  } catch (error) {
    database.close();
    throw error;
  }
}

/** The size that the header of the file states, in bytes. */
function completeSize(database: DatabaseSync): number {
  const count = database
    .prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size')
    .get();
  return Number(count?.['bytes']);
}

function readSet(database: DatabaseSync, file: string): AddressSet {
  database.exec(`PRAGMA mmap_size = ${MAPPED_BYTES}`);
  const version = database.prepare('PRAGMA user_version').get()?.['user_version'];
  if (version !== ADDRESS_SET_VERSION) {
    throw new Error(
      `${file} has version ${String(version)} of the address format, not ${ADDRESS_SET_VERSION}; import it again`,
    );
  }
  const fact = database.prepare('SELECT value FROM facts WHERE name = ?').get(FIRST_NAMED)?.['value'];
  const firstNamed = Number(fact);
  if (fact === undefined || !Number.isSafeInteger(firstNamed)) throw new Error(`${file} has no number of streets`);
  const streetById = database.prepare('SELECT * FROM streets WHERE id = ?');
  const wordByKey = database.prepare('SELECT count, streets FROM words WHERE key = ?');
  const nearWords = database.prepare('SELECT word FROM spellings WHERE deletion = ?');
  const cellByNumber = database.prepare('SELECT points FROM cells WHERE cell = ?');
  return {
    firstNamed,
    // The columns of the file are those of the types.
    street: (id) => streetById.get(id) as unknown as Street | undefined,
    word: (key) => wordByKey.get(key) as unknown as WordPostings | undefined,
    wordsNear: (deletion) => nearWords.all(deletion).map(({ word }) => String(word)),
    points: (cell) => {
      const row = cellByNumber.get(cell);
      return row === undefined ? [] : readPoints(row['points'] as Uint8Array);
    },
    close: () => database.close(),
  };
}

/** The houses of a street, by ascending number. */
export function housesOf({ houses, latitudeE6, longitudeE6 }: Street): readonly House[] {
  const reader = new VarintReader(houses);
  const found: House[] = [];
  let number = 0;
  while (!reader.isAtEnd) {
    number += reader.read();
    const suffix = reader.readText();
    const north = reader.readSigned();
    const east = reader.readSigned();
    found.push({ number, suffix, latitudeE6: latitudeE6 + north, longitudeE6: longitudeE6 + east });
  }
  return found;
}

function readPoints(bytes: Uint8Array): readonly StreetPoint[] {
  const reader = new VarintReader(bytes);
  const points: StreetPoint[] = [];
  let latitudeE6 = 0;
  let longitudeE6 = 0;
  while (!reader.isAtEnd) {
    const street = reader.read();
    const house = reader.read();
    latitudeE6 += reader.readSigned();
    longitudeE6 += reader.readSigned();
    points.push({ street, house, latitudeE6, longitudeE6 });
  }
  return points;
}

/** Ascending numbers of streets, each as its difference from the one before. */
export function readPostings({ count, streets }: WordPostings): Uint32Array {
  return readAscending(streets, count);
}
