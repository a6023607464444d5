import { styleText } from 'node:util';
import type { Terminal } from './command.ts';

/** Prints rows in columns, under headings; nothing if there are no rows. */
export function sayTable(
  { say }: Pick<Terminal, 'say'>,
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  if (rows.length === 0) return;
  const all = [headings, ...rows];
  const widths = headings.map((_, at) => Math.max(...all.map((row) => row[at]?.length ?? 0)));
  const lineOf = (row: readonly string[]) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  say(styleText('bold', lineOf(headings)));
  for (const row of rows) say(lineOf(row));
}
