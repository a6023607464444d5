import { createHash } from 'node:crypto';
import { MAX_TABLE_BYTES, MAX_TABLE_ROWS, type TableDocument } from '../../../exact/plan-schema.ts';
import { parseStrictJson, RECORD_JSON, StrictJsonError } from '../../../exact/strict-json.ts';
import type { TableTypes } from '../../language/site.ts';
import type { ValueType } from '../../language/types.ts';
import { knownNames } from '../faults/suggest.ts';
import { type FaultLog, TextError } from '../faults/text-fault.ts';
import { readTypes, toTypes } from '../tools/read-fields.ts';
import { readWritten } from '../types/read-value.ts';
import { type Fields, faultyNames, quote, readFields, readIdentifiers } from '../yaml/fields.ts';
import { asMap, asScalar, itemsOf, type ScalarNode, type TextNode } from '../yaml/text-node.ts';
import type { TableFiles } from './table-files.ts';

const MAX_INLINE = 256;
const MAX_KEY = 4;
/** Faults of a file that are worth reading. */
const MAX_ROW_FAULTS = 5;

export interface Table extends TableTypes {
  readonly document: TableDocument;
}

/**
 * Tables of a plan: `{ file: approved.jsonl, key: invoice, columns: { … } }`, or with `rows` instead of `file`.
 * @param files the text of each file by its name
 */
export function readTables(node: TextNode | undefined, files: TableFiles, log: FaultLog): ReadonlyMap<string, Table> {
  const tables = new Map<string, Table>();
  for (const { key, value } of readIdentifiers(node, 'tables by name', log)) {
    const table = log.attempt(() => readTable(key.text, value, files, log));
    if (table !== undefined) tables.set(key.text, table);
  }
  return tables;
}

function readTable(name: string, node: TextNode, files: TableFiles, log: FaultLog): Table | undefined {
  const fields = readFields(node, ['file', 'rows', 'key', 'columns'], `the table ${name}`, log);
  const columnsNode = fields.require('columns', 'columns: { invoice: string, amount: decimal(2) }');
  const columns = readTypes(columnsNode, 'types of columns by name', log);
  if (columns.size === 0)
    throw new TextError('MISSING_PART', columnsNode.at, `the table ${name} has no columns that can be read`);
  // A row with a column whose type has a fault would have another one.
  if (faultyNames(columnsNode, columns).length > 0) return undefined;
  const key = readKey(fields, columns);
  const parts = { key: [...key], columns: toTypes(columns) };
  const [file, rows] = [fields.get('file'), fields.get('rows')];
  if (rows !== undefined && file === undefined) {
    return {
      key,
      columns,
      document: { ...parts, inline: readInlineRows(rows, key, columns, log).map((row) => Object.fromEntries(row)) },
    };
  }
  if (file === undefined || rows !== undefined) {
    throw new TextError(
      'MISSING_PART',
      node.at,
      `the table ${name} has either a file, such as file: ${name}.jsonl, or rows`,
    );
  }
  const scalar = asScalar(file, `the name of a file, such as ${name}.jsonl`);
  const text = files.get(scalar.text);
  if (text === undefined) {
    const isCsv = scalar.text.endsWith('.csv');
    const hint = isCsv
      ? ' A table is a file of JSON lines: plan table makes it of a CSV file.'
      : knownNames(scalar.text, files.keys());
    throw new TextError('UNKNOWN_FILE', scalar.at, `there is no file ${quote(scalar.text)} beside the plan.${hint}`);
  }
  const count = readFile(text, { key, columns, scalar }, log);
  const sha256 = createHash('sha256').update(text).digest('hex');
  return { key, columns, document: { ...parts, rows: count, sha256 } };
}

function readKey(fields: Fields, columns: ReadonlyMap<string, ValueType>): readonly string[] {
  const node = fields.require('key', 'key: invoice');
  const names = itemsOf(node).map((item) => {
    const { text, at } = asScalar(item, 'the name of a column');
    if (columns.has(text)) return text;
    throw new TextError(
      'UNKNOWN_NAME',
      at,
      `the key ${quote(text)} is not a column.${knownNames(text, columns.keys())}`,
    );
  });
  if (names.length >= 1 && names.length <= MAX_KEY && new Set(names).size === names.length) return names;
  throw new TextError('WRONG_FORM', node.at, `a key has 1 to ${MAX_KEY} different columns`);
}

type Row = ReadonlyMap<string, string | boolean>;

function readInlineRows(
  node: TextNode,
  key: readonly string[],
  columns: ReadonlyMap<string, ValueType>,
  log: FaultLog,
): Row[] {
  const items = node.kind === 'list' ? node.items : [];
  if (node.kind !== 'list') log.add('WRONG_FORM', node.at, 'rows are a list: - { invoice: A1, amount: 100.00 }');
  if (items.length > MAX_INLINE) {
    throw new TextError(
      'TOO_MANY',
      node.at,
      `${items.length} rows are too many here: write at most ${MAX_INLINE}, or use a file`,
    );
  }
  const seen = new Set<string>();
  return items.flatMap((item) => {
    const row = log.attempt(() => {
      const map = asMap(item, `a row with ${[...columns.keys()].join(', ')}`);
      const cells = new Map(map.entries.map((entry) => [entry.key.text, entry.value]));
      for (const entry of map.entries) assertColumn(entry.key.text, columns, entry.key.at);
      const read = new Map<string, string | boolean>();
      for (const [name, type] of columns) {
        const cell = cells.get(name);
        if (cell === undefined) throw new TextError('MISSING_PART', item.at, `the row has no ${name}`);
        read.set(name, readWritten(asScalar(cell, 'a value'), type));
      }
      assertNew(read, key, seen, item.at);
      return read;
    });
    return row === undefined ? [] : [row];
  });
}

function assertColumn(name: string, columns: ReadonlyMap<string, ValueType>, at: number): void {
  if (columns.has(name)) return;
  throw new TextError('UNKNOWN_NAME', at, `${quote(name)} is not a column.${knownNames(name, columns.keys())}`);
}

function assertNew(row: Row, key: readonly string[], seen: Set<string>, at: number, where = ''): void {
  const text = JSON.stringify(key.map((name) => row.get(name)));
  if (seen.has(text))
    throw new TextError('DUPLICATE_KEY', at, `${where}the key ${quote(text)} occurs in an earlier row`);
  seen.add(text);
}

interface FileTable {
  readonly key: readonly string[];
  readonly columns: ReadonlyMap<string, ValueType>;
  /** Where the plan names the file. */
  readonly scalar: ScalarNode;
}

/** Checks the rows of a file. @returns their number */
function readFile(text: string, { key, columns, scalar }: FileTable, log: FaultLog): number {
  const { text: name, at } = scalar;
  if (Buffer.byteLength(text) > MAX_TABLE_BYTES) {
    throw new TextError('TOO_LARGE', at, `${name} has more than ${MAX_TABLE_BYTES} bytes`);
  }
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  if (lines.length > MAX_TABLE_ROWS)
    throw new TextError('TOO_LARGE', at, `${name} has more than ${MAX_TABLE_ROWS} rows`);
  const seen = new Set<string>();
  let faults = 0;
  for (const [index, line] of lines.entries()) {
    const where = `${name}, line ${index + 1}: `;
    const row = log.attempt(() => readLine(line, columns, { where, at }));
    if (row !== undefined) log.attempt(() => assertNew(row, key, seen, at, where));
    else faults += 1;
    if (faults >= MAX_ROW_FAULTS) break;
  }
  return lines.length;
}

function readLine(
  line: string,
  columns: ReadonlyMap<string, ValueType>,
  { where, at }: { readonly where: string; readonly at: number },
): Row {
  const malformed = (message: string) => new TextError('MALFORMED_TABLE', at, `${where}${message}`);
  const json = parseLine(line, malformed);
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw malformed('this is not an object');
  const cells = new Map<string, unknown>(Object.entries(json));
  const row = new Map<string, string | boolean>();
  for (const name of cells.keys()) {
    if (!columns.has(name)) throw malformed(`${quote(name)} is not a column.${knownNames(name, columns.keys())}`);
  }
  for (const [name, type] of columns) {
    if (!cells.has(name)) throw malformed(`${name} is missing`);
    row.set(name, readCell(cells.get(name), type, `${where}${name}: `, at));
  }
  return row;
}

function parseLine(line: string, malformed: (message: string) => TextError): unknown {
  try {
    return parseStrictJson(line, RECORD_JSON);
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    throw malformed(`this is not a JSON object on one line: ${error.message}`);
  }
}

/** Numbers are strings with exactly the decimals of the column, so that they are hashed as they are read. */
function readCell(cell: unknown, type: ValueType, where: string, at: number): string | boolean {
  const malformed = (message: string) => new TextError('MALFORMED_TABLE', at, `${where}${message}`);
  const isBool = type.type === 'bool';
  const isSmallInt = type.type === 'int' && typeof cell === 'number';
  if (typeof cell !== (isBool ? 'boolean' : 'string') && !isSmallInt) {
    throw malformed(isBool ? 'write true or false' : `write the value in quotes: "${String(cell)}"`);
  }
  const text = String(cell);
  try {
    const value = readWritten({ kind: 'scalar', at, text, isQuoted: !isBool, sourceOf: () => at }, type);
    const isExact = value === cell || isBool || isSmallInt;
    if (isExact) return value;
    throw malformed(`write ${quote(String(value))}, with all its digits`);
  } catch (error) {
    if (error instanceof TextError && error.code !== 'MALFORMED_TABLE') throw malformed(error.message);
    throw error;
  }
}
