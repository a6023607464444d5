import { styleText } from 'node:util';
import type { Terminal } from './command.ts';

/**
 * Prints rows in columns, under headings; `none` if there are no rows.
 * @param texts how many columns are texts; those after them are numbers, which end below each other. All by default
 */
export function sayTable(
  { say }: Pick<Terminal, 'say'>,
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  texts = headings.length,
): void {
  if (rows.length === 0) {
    say('none');
    return;
  }
  const all = [headings, ...rows];
  const widths = headings.map((_, at) => Math.max(...all.map((row) => row[at]?.length ?? 0)));
  const lineOf = (row: readonly string[]) =>
    row
      .map((cell, at) => (at < texts ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd();
  say(styleText('bold', lineOf(headings)));
  for (const row of rows) say(lineOf(row));
}
