import { setImmediate } from 'node:timers/promises';
import { ID_PATTERN } from '../../../workers/exact/document-parts.ts';
import { MAX_TABLE_BYTES, MAX_TABLE_ROWS } from '../../../workers/exact/plan-schema.ts';
import { parseStrictJsonBytes, RECORD_JSON, StrictJsonError } from '../../../workers/exact/strict-json.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { isRecord } from '../../platform/is-record.ts';

const NEWLINE = 0x0a;
const BRACE = 0x7b;
const CSV_HINT = '. Of a CSV file, `plan table` of the command line makes JSON lines';
const MAX_ROW_BYTES = 256 * 1024;
const MAX_COLUMNS = 256;
/** After this many bytes, other requests get a turn. */
const BYTES_AT_A_TIME = 128 * 1024;
const NAME = new RegExp(ID_PATTERN);
/** A row has columns with scalars, and nothing nested in them. */
const ROW_JSON = { ...RECORD_JSON, maxDepth: 1, maxValues: MAX_COLUMNS + 1 };

export interface TableShape {
  readonly rows: number;
  readonly columns: readonly string[];
}

/**
 * Checks the text of a table: JSON lines (https://jsonlines.org) whose rows are objects with the same columns of strings,
 * integers and booleans. A plan says what types they have.
 * @throws {ServiceError} MALFORMED_INPUT, with the line
 */
export async function readTable(content: Buffer): Promise<TableShape> {
  if (content.length > MAX_TABLE_BYTES) throw malformed(`is larger than ${MAX_TABLE_BYTES} bytes`);
  let columns: readonly string[] = [];
  let line = 0;
  let turn = BYTES_AT_A_TIME;
  for (let start = 0; start < content.length; ) {
    const newline = content.indexOf(NEWLINE, start);
    const end = newline === -1 ? content.length : newline;
    line += 1;
    if (line > MAX_TABLE_ROWS) throw malformed(`has more than ${MAX_TABLE_ROWS} rows`);
    const names = readRow(content.subarray(start, end), line);
    if (line === 1) columns = names;
    else if (!areSame(columns, names)) throw atLine(line, 'has other columns than line 1');
    start = end + 1;
    if (start < turn) continue;
    turn = start + BYTES_AT_A_TIME;
    await setImmediate();
  }
  return { rows: line, columns };
}

/** @returns the names of its columns, sorted */
function readRow(bytes: Uint8Array, line: number): readonly string[] {
  let row: unknown;
  try {
    row = parseStrictJsonBytes(bytes, MAX_ROW_BYTES, ROW_JSON);
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    const isCsv = line === 1 && bytes[0] !== BRACE;
    throw atLine(line, `is not a row: ${error.message}${isCsv ? CSV_HINT : ''}`, error);
  }
  if (!isRecord(row)) throw atLine(line, 'is not a JSON object');
  const names = Object.keys(row);
  if (names.length === 0) throw atLine(line, 'has no columns');
  const wrong = names.find((name) => !NAME.test(name));
  if (wrong !== undefined) throw atLine(line, `has a column whose name does not match ${ID_PATTERN}`);
  const other = names.find((name) => !isValue(row[name]));
  if (other !== undefined) throw atLine(line, `has in ${other} neither a string, an integer nor a boolean`);
  return names.sort();
}

const isValue = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value);

const areSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((name, index) => name === other[index]);

const malformed = (message: string, cause?: unknown) =>
  new ServiceError('MALFORMED_INPUT', `the table ${message}`, { cause });
const atLine = (line: number, message: string, cause?: unknown) => malformed(`in line ${line} ${message}`, cause);
