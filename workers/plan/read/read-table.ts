import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { defined } from '../../exact/defined.ts';
import { DocumentError } from '../../exact/document-error.ts';
import { pointerToken } from '../../exact/json-pointer.ts';
import { MAX_TABLE_BYTES, MAX_TABLE_ROWS, type TableDocument } from '../../exact/plan-schema.ts';
import { parseStrictJson, RECORD_JSON, StrictJsonError } from '../../exact/strict-json.ts';
import type { TableTypes } from '../language/site.ts';
import { FOLDED_TYPES, fieldsOf, parseTypes, type ValueType } from '../language/types.ts';
import { parseValue, type Value } from '../language/values.ts';
import type { Table, TableRow } from '../plan.ts';
import { PlanError } from '../plan-error.ts';

/** A text of JSON lines, with the hash that the caller says it has. */
export interface TableText {
  readonly sha256: string;
  readonly text: string;
}

/** Characters of the texts of all tables that are kept. In memory, a table takes a few times its text. */
const MAX_CHARACTERS = 33_554_432;
/** Reading 100,000 rows takes a second, and plans are judged again and again. Tables with faults are not kept. */
const cache = new LRUCache<string, Table>({ maxSize: MAX_CHARACTERS });

/**
 * Reads a table of a plan.
 * @throws {PlanError} UNKNOWN_TABLE, WRONG_TABLE, MALFORMED_TABLE, DUPLICATE_KEY, UNKNOWN_FIELD
 * @throws {DocumentError} about a value of an inline table
 */
export function readTable(table: TableDocument, texts: readonly TableText[], path: string): Table {
  const columns = readColumns(table, path);
  if ('inline' in table) return readInline(table.inline, columns, `${path}/inline`);
  const found = texts.find(({ sha256 }) => sha256 === table.sha256);
  if (found === undefined) throw new PlanError('UNKNOWN_TABLE', `${path}/sha256`, 'is not the hash of a known table');
  const id = JSON.stringify([table.sha256, table.key, table.columns]);
  const known = cache.get(id);
  const read = known ?? readText(found, columns, path);
  if (known === undefined) cache.set(id, read, { size: found.text.length + 1 });
  if (read.rows.length === table.rows) return read;
  throw new PlanError('WRONG_TABLE', `${path}/rows`, `is not ${read.rows.length}, the number of rows of the table`);
}

function readColumns({ key, columns: json }: TableDocument, path: string): TableTypes {
  const columns = parseTypes(json, `${path}/columns`, [], FOLDED_TYPES);
  for (const [index, name] of key.entries()) {
    const at = `${path}/key/${index}`;
    if (!columns.has(name)) throw new PlanError('UNKNOWN_FIELD', at, `${name} is not a column of the table`);
    if (key.indexOf(name) !== index) throw new PlanError('DUPLICATE_ID', at, `${name} occurs twice`);
  }
  return { key, columns };
}

/** Reads the rows of an inline table. @throws {PlanError} DUPLICATE_KEY @throws {DocumentError} about a value */
export function readInline(json: readonly unknown[], types: TableTypes, path: string): Table {
  const rows = json.map((row, index) => readRow(row, types.columns, `${path}/${index}`));
  return createTable(types, rows, (index) => [`${path}/${index}`, 'has the key of an earlier row']);
}

function readText({ text, sha256 }: TableText, types: TableTypes, path: string): Table {
  if (createHash('sha256').update(text).digest('hex') === sha256) return readLines(text, types, path);
  throw new PlanError('WRONG_TABLE', `${path}/sha256`, 'is not the hash of the text');
}

/**
 * Reads the text of a table.
 * @param fail gets the fault of each line. If it does not throw, the next line is read
 * @throws {PlanError} MALFORMED_TABLE, DUPLICATE_KEY
 */
export function readLines(text: string, types: TableTypes, path: string, fail = raise): Table {
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_TABLE_BYTES) {
    throw new PlanError('MALFORMED_TABLE', path, `has ${bytes} bytes, more than ${MAX_TABLE_BYTES}`);
  }
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  if (lines.length > MAX_TABLE_ROWS) {
    throw new PlanError('MALFORMED_TABLE', path, `has ${lines.length} rows, more than ${MAX_TABLE_ROWS}`);
  }
  const rows = lines.flatMap((line, index) => {
    try {
      return [readRow(parseLine(line), types.columns, '')];
    } catch (error) {
      if (!(error instanceof DocumentError || error instanceof StrictJsonError)) throw error;
      const at = (error instanceof DocumentError ? error.path : error.pointer).replace(/^\/(.*)/, '$1 ');
      fail(new PlanError('MALFORMED_TABLE', path, `is malformed in line ${index + 1}: ${at}${error.message}`));
      return [];
    }
  });
  return createTable(types, rows, (index) => [path, `has in line ${index + 1} the key of an earlier row`]);
}

function raise(fault: PlanError): void {
  throw fault;
}

/**
 * Parses a line. A line that JavaScript writes as it was read has one meaning: no member is repeated, and no number has more
 * digits than a double holds. Reading others strictly takes ten times as long.
 */
function parseLine(line: string): unknown {
  try {
    const parsed: unknown = JSON.parse(line);
    if (JSON.stringify(parsed) === line) return parsed;
  } catch {
    // The strict reader says what is wrong, and where.
  }
  return parseStrictJson(line, RECORD_JSON);
}

/** Reads an object with exactly the columns. */
function readRow(json: unknown, columns: ReadonlyMap<string, ValueType>, path: string): TableRow {
  const fields = fieldsOf(json, path);
  for (const name of fields.keys()) {
    if (columns.has(name)) continue;
    throw new DocumentError('UNKNOWN_NAME', `${path}/${pointerToken(name)}`, 'is not a column of the table');
  }
  return [...columns].map(([name, type]) => {
    const at = `${path}/${name}`;
    if (!fields.has(name)) throw new DocumentError('MALFORMED_VALUE', at, 'is missing');
    return parseValue(fields.get(name), type, at);
  });
}

/** @param repeats the place and the words of a row whose key an earlier one has */
function createTable(
  { key, columns }: TableTypes,
  rows: readonly TableRow[],
  repeats: (index: number) => readonly [path: string, message: string],
): Table {
  const positions = new Map([...columns.keys()].map((name, index) => [name, index]));
  const keyPositions = key.map((name) => defined(positions.get(name)));
  const byKey = new Map<string, TableRow>();
  for (const [index, row] of rows.entries()) {
    const text = keyText(keyPositions.map((position) => defined(row[position])));
    if (byKey.has(text)) throw new PlanError('DUPLICATE_KEY', ...repeats(index));
    byKey.set(text, row);
  }
  return { key, columns, positions, rows, rowAt: (values) => byKey.get(keyText(values)) };
}

/** Different keys of the same types have different texts: no string has a NUL. */
export const keyText = (values: readonly Value[]): string => values.join('\0');
