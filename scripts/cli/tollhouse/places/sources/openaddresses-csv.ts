import { type AddressRow, ImportError } from './address-row.ts';
import { linesOf } from './lines.ts';
import type { RowSource } from './row-source.ts';

/** The columns of OpenAddresses that are read, by the fields of a row (https://github.com/openaddresses/openaddresses). */
const COLUMNS = {
  longitude: 'lon',
  latitude: 'lat',
  number: 'number',
  street: 'street',
  town: 'city',
  district: 'district',
  region: 'region',
  postcode: 'postcode',
} as const;
type Field = keyof typeof COLUMNS;
const REQUIRED: readonly Field[] = ['longitude', 'latitude', 'street'];

/** Reads CSV (RFC 4180) with the columns of OpenAddresses in any order, and others between them. */
export const openAddressesCsv: RowSource = {
  name: 'OpenAddresses CSV',
  async *read(file) {
    let columns: Readonly<Partial<Record<Field, number>>> | undefined;
    for await (const lines of linesOf(file)) {
      for (const { number: line, text } of lines) {
        if (text === '') continue;
        const fields = fieldsOf(text);
        if (fields === undefined) throw new ImportError(file, line, 'a quote is not closed on its line');
        if (columns === undefined) columns = columnsOf(file, line, fields);
        else yield { at: line, row: rowOf(fields, columns) };
      }
    }
    if (columns === undefined) throw new ImportError(file, 1, 'the file is empty');
  },
};

function columnsOf(file: string, line: number, header: readonly string[]): Readonly<Partial<Record<Field, number>>> {
  const names = header.map((name) =>
    name
      .replace(/^\uFEFF/, '')
      .trim()
      .toLowerCase(),
  );
  const known = Object.entries(COLUMNS).map(([field, name]) => [field, names.indexOf(name)] as const);
  const at: Partial<Record<string, number>> = Object.fromEntries(known.filter(([, index]) => index !== -1));
  const missing = REQUIRED.filter((field) => at[field] === undefined).map((field) => COLUMNS[field].toUpperCase());
  if (missing.length > 0) {
    throw new ImportError(
      file,
      line,
      `the columns ${missing.join(', ')} are missing; the header is ${header.join(',').slice(0, 200)}`,
    );
  }
  return at;
}

function rowOf(fields: readonly string[], at: Readonly<Partial<Record<Field, number>>>): AddressRow {
  const text = (field: Field) => {
    const index = at[field];
    return index === undefined ? '' : (fields[index] ?? '').trim();
  };
  return {
    latitude: numberOf(text('latitude')),
    longitude: numberOf(text('longitude')),
    number: text('number'),
    street: text('street'),
    town: text('town'),
    district: text('district'),
    region: text('region'),
    postcode: text('postcode'),
  };
}

/** NaN for what is not a decimal number, empty text among them. */
export function numberOf(text: string): number {
  return /^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
}

/** The fields of a line. Undefined if a quote is not closed. */
function fieldsOf(line: string): readonly string[] | undefined {
  if (!line.includes('"')) return line.split(',');
  const fields: string[] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^,"]*))(,|$)/y;
  while (field.lastIndex < line.length || fields.length === 0) {
    const match = field.exec(line);
    if (match === null) return undefined;
    const [, quoted, plain = '', end] = match;
    fields.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '') return fields;
    if (field.lastIndex === line.length) fields.push('');
  }
  return fields;
}
