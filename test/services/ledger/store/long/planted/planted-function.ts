import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = new URL('../../../../../../services/ledger/sql/functions/', import.meta.url);

/** What is wrong with the changed function, the text that is changed, which the function has once, and what it becomes. */
export type Fault = readonly [what: string, old: string, changed: string];

/** Faults of the functions of one SQL file, and the tests that find each of them. */
export interface PlantedFile {
  readonly file: string;
  /** Test files from `test/services`, those that find most faults first. */
  readonly tests: readonly string[];
  readonly faults: Readonly<Record<string, readonly Fault[]>>;
}

/** The statement that creates each function of an SQL file, by its name. */
export function readFunctions(file: string): ReadonlyMap<string, string> {
  const source = readFileSync(new URL(file, FOLDER), 'utf8');
  const statements = source.matchAll(/^CREATE FUNCTION :release\.(\w+)\([\s\S]*?\$\$[\s\S]*?\$\$;$/gm);
  return new Map(Array.from(statements, ([text, name = '']) => [name, text]));
}

export const listSqlFiles = (): readonly string[] => readdirSync(FOLDER).toSorted();

/** Changes the text of a function. The old text must be there once, or another place would be changed. */
export function changeFunction(text: string, [what, old, changed]: Fault): string {
  const parts = text.split(old);
  if (parts.length !== 2) throw new Error(`${what}: the function has the text ${parts.length - 1} times: ${old}`);
  return parts.join(changed);
}
