import { DatabaseSync } from 'node:sqlite';
import { defined } from '../../../../workers/exact/defined.ts';
import { ADDRESS_SET_VERSION, cellOf } from '../../../../workers/geocoding/addresses/address-set.ts';
import { deletionsOf } from '../../../../workers/geocoding/addresses/spelling.ts';
import { VarintWriter } from '../../../../workers/geocoding/addresses/varint.ts';
import { addressWords } from '../../../../workers/geocoding/addresses/words.ts';
import type { AddressTable, StreetRow } from './address-table.ts';

const SCHEMA = `
  PRAGMA user_version = ${ADDRESS_SET_VERSION};
  PRAGMA journal_mode = OFF;
  PRAGMA synchronous = OFF;
  PRAGMA page_size = 8192;
  CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE streets (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, town TEXT NOT NULL, district TEXT NOT NULL, region TEXT NOT NULL,
    postcode TEXT NOT NULL, latitudeE6 INTEGER NOT NULL, longitudeE6 INTEGER NOT NULL, houses BLOB NOT NULL);
  CREATE TABLE words (key TEXT PRIMARY KEY, count INTEGER NOT NULL, streets BLOB NOT NULL) WITHOUT ROWID;
  CREATE TABLE spellings (deletion TEXT NOT NULL, word TEXT NOT NULL, PRIMARY KEY (deletion, word)) WITHOUT ROWID;
  CREATE TABLE cells (cell INTEGER PRIMARY KEY, points BLOB NOT NULL);
`;

/** Shorter words and numbers are not found with an error in them. */
const SPELLED = /^\D{3,40}$/;

/**
 * Writes a table of addresses as a file that `openAddressSet` reads. The same table gives the same file.
 * @param facts what `places list` says of the set
 */
export function writeAddressSet(file: string, table: AddressTable, facts: Readonly<Record<string, string>>): void {
  const database = new DatabaseSync(file);
  try {
    database.exec(SCHEMA);
    database.exec('BEGIN');
    const fact = database.prepare('INSERT INTO facts VALUES (?, ?)');
    for (const [name, value] of Object.entries(facts)) fact.run(name, value);
    const houseOfRow = writeStreets(database, table);
    writeWords(database, table.streets);
    writeCells(database, table, houseOfRow);
    database.exec('COMMIT');
  } finally {
    database.close();
  }
}

/** @returns the index of each row among the houses of its street */
function writeStreets(database: DatabaseSync, table: AddressTable): Uint32Array {
  const insert = database.prepare('INSERT INTO streets VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const { rows, starts } = table.byStreet();
  const houseOfRow = new Uint32Array(table.count);
  const writer = new VarintWriter();
  for (const [id, { street, town, district, region, postcode }] of table.streets.entries()) {
    const own = rows.subarray(starts[id], starts[id + 1]);
    const sorted = Array.from(own).sort((a, b) => compareHouses(table, a, b));
    const middle = defined(sorted[sorted.length >>> 1]);
    const latitudeE6 = table.latitudeE6Of(middle);
    const longitudeE6 = table.longitudeE6Of(middle);
    let number = 0;
    for (const [house, row] of sorted.entries()) {
      houseOfRow[row] = house;
      writer.write(table.numberOf(row) - number);
      number = table.numberOf(row);
      writer.writeText(table.suffixOf(row));
      writer.writeSigned(table.latitudeE6Of(row) - latitudeE6);
      writer.writeSigned(table.longitudeE6Of(row) - longitudeE6);
    }
    insert.run(id, street, town, district, region, postcode, latitudeE6, longitudeE6, writer.take());
  }
  return houseOfRow;
}

function compareHouses(table: AddressTable, a: number, b: number): number {
  const byNumber = table.numberOf(a) - table.numberOf(b);
  if (byNumber !== 0) return byNumber;
  const [left, right] = [table.suffixOf(a), table.suffixOf(b)];
  return left < right ? -1 : left > right ? 1 : a - b;
}

function writeWords(database: DatabaseSync, streets: readonly StreetRow[]): void {
  const byWord = new Map<string, number[]>();
  for (const [id, { street, town, district, region, postcode }] of streets.entries()) {
    const text = `${street} ${town} ${district} ${region} ${postcode}`;
    for (const key of new Set(addressWords(text).map((word) => word.key))) {
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

function writeCells(database: DatabaseSync, table: AddressTable, houseOfRow: Uint32Array): void {
  const cells = new Float64Array(table.count);
  for (let row = 0; row < table.count; row++) cells[row] = cellOf(table.latitudeE6Of(row), table.longitudeE6Of(row));
  // The points of towns and postcodes are not addresses.
  const order = new Uint32Array(table.count)
    .map((_, row) => row)
    .filter((row) => table.streets[table.streetOf(row)]?.street !== '');
  order.sort((a, b) => defined(cells[a]) - defined(cells[b]) || a - b);
  const insert = database.prepare('INSERT INTO cells VALUES (?, ?)');
  const writer = new VarintWriter();
  for (let at = 0; at < order.length; ) {
    const cell = defined(cells[defined(order[at])]);
    let latitudeE6 = 0;
    let longitudeE6 = 0;
    for (; at < order.length && cells[defined(order[at])] === cell; at++) {
      const row = defined(order[at]);
      writer.write(table.streetOf(row));
      writer.write(defined(houseOfRow[row]));
      writer.writeSigned(table.latitudeE6Of(row) - latitudeE6);
      writer.writeSigned(table.longitudeE6Of(row) - longitudeE6);
      latitudeE6 = table.latitudeE6Of(row);
      longitudeE6 = table.longitudeE6Of(row);
    }
    insert.run(cell, writer.take());
  }
}
