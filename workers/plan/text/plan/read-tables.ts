import { createHash } from 'node:crypto';
import type { TableDocument } from '../../../exact/plan-schema.ts';
import type { TableTypes } from '../../language/site.ts';
import { PlanError } from '../../plan-error.ts';
import { readLines, type TableText } from '../../read/read-table.ts';
import type { TypesByName } from '../cel/scope.ts';
import { knownNames } from '../faults/suggest.ts';
import { type FaultLog, TextError } from '../faults/text-fault.ts';
import { readTypes, toTypes } from '../tools/read-fields.ts';
import { readMembers } from '../types/read-members.ts';
import {
  type Fields,
  faultyNames,
  quote,
  readEntries,
  readFields,
  readIdentifiers,
  unknownName,
} from '../yaml/fields.ts';
import { asMap, asScalar, itemsOf, type ScalarNode, type TextNode } from '../yaml/text-node.ts';
import type { TableFiles } from './table-files.ts';

const MAX_INLINE = 256;
const MAX_KEY = 4;
/** Faults of a file that are worth reading. */
const MAX_ROW_FAULTS = 5;

export interface Table extends TableTypes {
  readonly document: TableDocument;
  /** The file. */
  readonly source?: TableText;
}

/**
 * Tables of a plan: `{ file: approved.jsonl, key: invoice, columns: { … } }`, or with `rows` instead of `file`.
 * @param files the text of each file by its name
 */
export function readTables(node: TextNode | undefined, files: TableFiles, log: FaultLog): ReadonlyMap<string, Table> {
  const entries = readIdentifiers(node, 'tables by name', log);
  return readEntries(entries, ({ key, value }) => readTable(key.text, value, files, log), log);
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
    return { key, columns, document: { ...parts, inline: readInlineRows(rows, columns, log) } };
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
  const count = countRows(text, scalar, { key, columns }, log);
  const sha256 = createHash('sha256').update(text).digest('hex');
  return { key, columns, document: { ...parts, rows: count, sha256 }, source: { text, sha256 } };
}

function readKey(fields: Fields, columns: TypesByName): readonly string[] {
  const node = fields.require('key', 'key: invoice');
  const names = itemsOf(node).map((item) => {
    const name = asScalar(item, 'the name of a column');
    if (columns.has(name.text)) return name.text;
    throw unknownName(name, columns.keys(), `the key ${quote(name.text)} is not a column`);
  });
  if (names.length >= 1 && names.length <= MAX_KEY && new Set(names).size === names.length) return names;
  throw new TextError('WRONG_FORM', node.at, `a key has 1 to ${MAX_KEY} different columns`);
}

/** Rows with each column. The reader finds keys that occur twice. */
function readInlineRows(node: TextNode, columns: TypesByName, log: FaultLog) {
  const items = node.kind === 'list' ? node.items : [];
  if (node.kind !== 'list') log.add('WRONG_FORM', node.at, 'rows are a list: - { invoice: A1, amount: 100.00 }');
  if (items.length > MAX_INLINE) {
    const message = `${items.length} rows are too many here: write at most ${MAX_INLINE}, or use a file`;
    throw new TextError('TOO_MANY', node.at, message);
  }
  const names = [...columns.keys()];
  return log.each(items, (item) => {
    const { entries } = asMap(item, `a row with ${names.join(', ')}`);
    const missing = names.find((name) => entries.every(({ key }) => key.text !== name));
    if (missing !== undefined) throw new TextError('MISSING_PART', item.at, `the row has no ${missing}`);
    return Object.fromEntries(readMembers(item, columns, 'a row', log));
  });
}

/** Checks the rows of a file. @returns their number @throws {TextError} */
function countRows(text: string, { text: file, at }: ScalarNode, types: TableTypes, log: FaultLog): number {
  const explain = ({ code, message }: PlanError) =>
    new TextError(code === 'DUPLICATE_KEY' ? code : 'MALFORMED_TABLE', at, `${file} ${message}`);
  let left = MAX_ROW_FAULTS;
  const fail = (fault: PlanError) => {
    left -= 1;
    if (left === 0) throw fault;
    const { code, message } = explain(fault);
    log.add(code, at, message);
  };
  try {
    return readLines(text, types, '', fail).rows.length;
  } catch (error) {
    throw error instanceof PlanError ? explain(error) : error;
  }
}
