import { CsvError, parse } from 'csv-parse/sync';
import { MAX_TABLE_ROWS } from '../../../exact/plan-schema.ts';
import type { ValueType } from '../../language/types.ts';
import { knownNames } from '../faults/suggest.ts';
import { FaultLog, TextError } from '../faults/text-fault.ts';
import { readTypes } from '../tools/read-fields.ts';
import { readWritten } from '../types/read-value.ts';
import { readYaml } from '../yaml/read-yaml.ts';

export type CompiledTable =
  /** A JSON object each. */
  | { readonly rows: readonly string[]; readonly faults?: undefined }
  | { readonly rows?: undefined; readonly faults: readonly TableFault[] };

export interface TableFault {
  /** Of the CSV file, from 1. Undefined: the fault is in the types. */
  readonly line: number | undefined;
  readonly message: string;
}

const NO_TYPES: ReadonlyMap<string, ValueType> = new Map();
/** Faults that are worth reading. */
const MAX_FAULTS = 5;

/**
 * Writes the rows of a CSV file (RFC 4180, UTF-8, with the names of the columns in its first line) as JSON lines, as the table
 * of a plan. Semicolons or tabs may separate the values instead of commas. A byte order mark is skipped. Columns without a type
 * are left out.
 * @param columns their types, as in a plan: `{ invoice: string(64), amount: decimal(2) }`
 */
export function tableOfCsv(csv: string, columns: string): CompiledTable {
  const log = new FaultLog(columns);
  const types = log.readText(() => readTypes(readYaml(columns, log), 'types of columns by name', log)) ?? NO_TYPES;
  if (!log.isEmpty) return { faults: log.faults().map(({ message }) => ({ line: undefined, message })) };
  try {
    return toLines(csv, types);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines } = error;
    return { faults: [{ line: typeof lines === 'number' ? lines : undefined, message: error.message }] };
  }
}

/** Names of columns in plans have none of these, so the first line leaves no doubt. */
function separatorOf(csv: string): string {
  const [header = ''] = /^[^\r\n]*/.exec(csv) ?? [];
  return header.includes(',') ? ',' : ([';', '\t'].find((separator) => header.includes(separator)) ?? ',');
}

interface CsvRow {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

function toLines(csv: string, types: ReadonlyMap<string, ValueType>): CompiledTable {
  const read: unknown = parse(csv, {
    bom: true,
    delimiter: separatorOf(csv),
    info: true,
    relaxColumnCount: true,
    skipEmptyLines: true,
  });
  const [header, ...rows] = read as readonly CsvRow[];
  const names = header?.record ?? [];
  const headers = [...types.keys()].flatMap((name): TableFault[] => {
    const times = names.filter((each) => each === name).length;
    if (times === 1) return [];
    return [
      {
        line: 1,
        message:
          times > 1 ? `${name} is twice in the first line` : `the first line has no ${name}.${knownNames(name, names)}`,
      },
    ];
  });
  if (headers.length > 0) return { faults: headers };
  if (rows.length > MAX_TABLE_ROWS) {
    return { faults: [{ line: undefined, message: `${rows.length} rows are more than ${MAX_TABLE_ROWS}` }] };
  }
  const faults: TableFault[] = [];
  const lines: string[] = [];
  for (const { record, info } of rows) {
    const line = info.lines;
    try {
      if (record.length !== names.length) {
        throw new TextError('WRONG_FORM', 0, `${record.length} values, and the first line has ${names.length}`);
      }
      const cells = [...types].map(([name, type]) => [name, readCell(record[names.indexOf(name)] ?? '', name, type)]);
      lines.push(JSON.stringify(Object.fromEntries(cells)));
    } catch (error) {
      if (!(error instanceof TextError)) throw error;
      if (faults.push({ line, message: error.message }) === MAX_FAULTS) break;
    }
  }
  return faults.length === 0 ? { rows: lines } : { faults };
}

function readCell(text: string, name: string, type: ValueType): string | boolean {
  try {
    const isQuoted = type.type !== 'bool';
    return readWritten({ kind: 'scalar', at: 0, text, isQuoted, sourceOf: () => 0 }, type);
  } catch (error) {
    if (error instanceof TextError) throw new TextError(error.code, 0, `${name}: ${error.message}`);
    throw error;
  }
}
