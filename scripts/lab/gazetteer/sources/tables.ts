import { readFileSync } from 'node:fs';

/**
 * Reads a table of this folder that was written by hand: one row a line, its fields separated by tabs.
 * @throws {Error} if a row does not have that many fields
 */
export function readTable(file: string, columns: number): readonly (readonly string[])[] {
  const lines = readFileSync(new URL(file, import.meta.url), 'utf8')
    .replace(/\n$/, '')
    .split('\n');
  return lines.map((line, index) => {
    const fields = line.split('\t');
    if (fields.length !== columns) throw new Error(`${file}:${index + 1} does not have ${columns} fields`);
    return fields;
  });
}

/** Names with "|" between them. */
export function namesIn(field: string): readonly string[] {
  return field === '' ? [] : field.split('|');
}
