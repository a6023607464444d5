import { DatabaseSync } from 'node:sqlite';
import { defined } from '../../../../workers/exact/defined.ts';
import { ADDRESS_SET_VERSION, cellOf, FIRST_NAMED } from '../../../../workers/geocoding/addresses/address-set.ts';
import { deletionsOf } from '../../../../workers/geocoding/addresses/spelling.ts';
import { VarintWriter } from '../../../../workers/geocoding/addresses/varint.ts';
import { addressWords } from '../../../../workers/geocoding/addresses/words.ts';
import type { AddressTable, StreetRow } from './address-table.ts';
import { CellOrder } from './sort-cells.ts';
import { Spots } from './spots.ts';

const SCHEMA = `
  PRAGMA page_size = 8192;
  PRAGMA journal_mode = MEMORY;
  PRAGMA synchronous = OFF;
  PRAGMA user_version = ${ADDRESS_SET_VERSION};
  CREATE TABLE streets (
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, otherNames TEXT NOT NULL, road TEXT NOT NULL,
    town TEXT NOT NULL, district TEXT NOT NULL, region TEXT NOT NULL, postcode TEXT NOT NULL,
    latitudeE6 INTEGER NOT NULL, longitudeE6 INTEGER NOT NULL, houses BLOB NOT NULL);
  CREATE TABLE words (key TEXT PRIMARY KEY, count INTEGER NOT NULL, streets BLOB NOT NULL) WITHOUT ROWID;
  CREATE TABLE spellings (deletion TEXT NOT NULL, word TEXT NOT NULL, PRIMARY KEY (deletion, word)) WITHOUT ROWID;
  CREATE TABLE cells (cell INTEGER PRIMARY KEY, points BLOB NOT NULL);
`;

/** Is made last, so that its page is the last of the file: who reads it notices that a file is cut. */
const FACTS = 'CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID';

/** Shorter words and numbers are not found with an error in them. */
const SPELLED = /^\D{3,40}$/;
const REPEATED = 2 ** 32 - 1;

/** What was written. */
export interface SetCounts {
  readonly addresses: number;
  readonly streets: number;
  /** Rows that repeat an address, and were left out. */
  readonly repeated: number;
}

/** A street of the set, and its number in the table. */
interface Written {
  readonly id: number;
  readonly row: StreetRow;
}

/** Where the rows of the table are in the set. */
interface Placed {
  readonly written: readonly Written[];
  /** By the number in the table. */
  readonly idOfStreet: Uint32Array;
  /** The index of each row among the houses of its street, or REPEATED. */
  readonly houseOfRow: Uint32Array;
  readonly addresses: number;
}

/**
 * Writes a table of addresses as a file that `openAddressSet` reads. The same table gives the same file.
 * @param facts what `places list` says of the set, beside the counts
 */
export function writeAddressSet(file: string, table: AddressTable, facts: Readonly<Record<string, string>>): SetCounts {
  const database = new DatabaseSync(file);
  try {
    database.exec(SCHEMA);
    database.exec('BEGIN');
    const placed = writeStreets(database, table);
    const { written, addresses } = placed;
    writeWords(database, written);
    writeCells(database, table, placed);
    const firstNamed = written.find(({ row }) => isNamed(row))?.id ?? written.length;
    const own = { addresses: String(addresses), streets: String(written.length), [FIRST_NAMED]: String(firstNamed) };
    database.exec(FACTS);
    const fact = database.prepare('INSERT INTO facts VALUES (?, ?)');
    for (const [name, value] of Object.entries({ ...facts, ...own })) fact.run(name, value);
    database.exec('COMMIT');
    return { addresses, streets: written.length, repeated: table.count - addresses };
  } finally {
    database.close();
  }
}

function isNamed({ kind }: StreetRow): boolean {
  return kind === 'poi' || kind === 'neighborhood';
}

/** Streets and towns come before named places, so that a number tells which of both it is. */
function writeStreets(database: DatabaseSync, table: AddressTable): Placed {
  const insert = database.prepare('INSERT INTO streets VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const { rows, starts } = table.byStreet();
  const houseOfRow = new Uint32Array(table.count).fill(REPEATED);
  const idOfStreet = new Uint32Array(table.streets.length);
  const written: Written[] = [];
  const writer = new VarintWriter();
  let addresses = 0;
  for (const named of [false, true]) {
    for (const [street, row] of table.streets.entries()) {
      const own = rows.subarray(starts[street], starts[street + 1]);
      if (isNamed(row) !== named || own.length === 0) continue;
      const houses = housesOf(table, own);
      const middle = defined(houses[houses.length >>> 1]);
      const at = { latitudeE6: table.latitudeE6Of(middle), longitudeE6: table.longitudeE6Of(middle) };
      const id = written.length;
      for (const [house, houseRow] of houses.entries()) houseOfRow[houseRow] = house;
      writeHouses(writer, table, houses, at);
      const { town, district, region, postcode } = row.area;
      const texts = [row.kind, row.name, row.otherNames, row.road, town, district, region, postcode];
      insert.run(id, ...texts, at.latitudeE6, at.longitudeE6, writer.take());
      idOfStreet[street] = id;
      written.push({ id, row });
      addresses += houses.length;
    }
  }
  return { written, idOfStreet, houseOfRow, addresses };
}

function writeHouses(
  writer: VarintWriter,
  table: AddressTable,
  houses: readonly number[],
  { latitudeE6, longitudeE6 }: { readonly latitudeE6: number; readonly longitudeE6: number },
): void {
  let number = 0;
  for (const row of houses) {
    writer.write(table.numberOf(row) - number);
    number = table.numberOf(row);
    writer.writeText(table.suffixOf(row));
    writer.writeSigned(table.latitudeE6Of(row) - latitudeE6);
    writer.writeSigned(table.longitudeE6Of(row) - longitudeE6);
  }
}

/** The rows of a street by number. Of a number that is there twice at one place, the first is kept. */
function housesOf(table: AddressTable, own: Uint32Array): readonly number[] {
  const houses: number[] = [];
  let sameNumber: Spots | undefined;
  for (const row of Array.from(own).sort((a, b) => compareHouses(table, a, b))) {
    const before = houses.at(-1);
    if (before === undefined || compareNumbers(table, before, row) !== 0) sameNumber = undefined;
    else if (sameNumber === undefined) {
      sameNumber = new Spots(table);
      sameNumber.add(before);
    }
    if (sameNumber?.hasNear(row)) continue;
    sameNumber?.add(row);
    houses.push(row);
  }
  return houses;
}

function compareHouses(table: AddressTable, a: number, b: number): number {
  return compareNumbers(table, a, b) || a - b;
}

function compareNumbers(table: AddressTable, a: number, b: number): number {
  const byNumber = table.numberOf(a) - table.numberOf(b);
  if (byNumber !== 0) return byNumber;
  const [left, right] = [table.suffixOf(a), table.suffixOf(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The street of a named place is no word of its own: many places would hide the street. */
function wordsOf({ name, otherNames, area }: StreetRow): readonly string[] {
  const text = [name, otherNames, area.town, area.district, area.region, area.postcode].join(' ');
  return addressWords(text).map(({ key }) => key);
}

function writeWords(database: DatabaseSync, written: readonly Written[]): void {
  const byWord = new Map<string, number[]>();
  for (const { id, row } of written) {
    for (const key of new Set(wordsOf(row))) {
      const ids = byWord.get(key);
      if (ids === undefined) byWord.set(key, [id]);
      else ids.push(id);
    }
  }
  const insert = database.prepare('INSERT INTO words VALUES (?, ?, ?)');
  const spell = database.prepare('INSERT INTO spellings VALUES (?, ?)');
  const writer = new VarintWriter();
  for (const key of [...byWord.keys()].sort()) {
    const ids = defined(byWord.get(key));
    let before = 0;
    for (const id of ids) {
      writer.write(id - before);
      before = id;
    }
    insert.run(key, ids.length, writer.take());
    if (SPELLED.test(key)) for (const deletion of deletionsOf(key)) spell.run(deletion, key);
  }
}

function writeCells(database: DatabaseSync, table: AddressTable, { idOfStreet, houseOfRow }: Placed): void {
  const order = new CellOrder(table.count);
  for (let row = 0; row < table.count; row++) {
    // The points of towns, postcodes and named places are not addresses.
    const isAddress = defined(table.streets[table.streetOf(row)]).kind === 'street' && houseOfRow[row] !== REPEATED;
    if (isAddress) order.add(row, cellOf(table.latitudeE6Of(row), table.longitudeE6Of(row)));
  }
  order.sort();
  const insert = database.prepare('INSERT INTO cells VALUES (?, ?)');
  const writer = new VarintWriter();
  for (let at = 0; at < order.count; ) {
    const cell = order.cellAt(at);
    let latitudeE6 = 0;
    let longitudeE6 = 0;
    for (; at < order.count && order.cellAt(at) === cell; at++) {
      const row = order.rowAt(at);
      writer.write(defined(idOfStreet[table.streetOf(row)]));
      writer.write(defined(houseOfRow[row]));
      writer.writeSigned(table.latitudeE6Of(row) - latitudeE6);
      writer.writeSigned(table.longitudeE6Of(row) - longitudeE6);
      latitudeE6 = table.latitudeE6Of(row);
      longitudeE6 = table.longitudeE6Of(row);
    }
    insert.run(cell, writer.take());
  }
}
