import { Option } from 'commander';
import { CommandError } from './command.ts';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 100_000;

const FLAGS = '--[a-z-]+(?: <[A-Z]+>)?';
const OPTION = new RegExp(`(\\[)?(${FLAGS}(?: \\| ${FLAGS})*)\\]?(\\.\\.\\.)?`, 'g');

/**
 * The options in a usage: `--reason <TEXT>` is required, `[--json]` is not, `[--sheet <FILE>]...` may be repeated, and of
 * `[--csv | --json]` only one may be given.
 * @param meanings by flags such as `--reason <TEXT>`
 */
export function optionsOf(usage: string, meanings: Readonly<Record<string, string>>): readonly Option[] {
  return [...usage.matchAll(OPTION)].flatMap(([, bracket, alternatives = '', dots]) => {
    const options = alternatives.split(' | ').map((flags) => {
      const meaning = meanings[flags];
      if (meaning === undefined) throw new TypeError(`${flags} has no meaning`);
      const option = new Option(flags, dots === undefined ? meaning : `${meaning}; may be repeated`);
      if (dots !== undefined) option.argParser<readonly string[]>((text, before = []) => [...before, text]);
      return option.makeOptionMandatory(bracket === undefined);
    });
    const names = options.map((option) => option.attributeName());
    return options.map((option) => option.conflicts(names.filter((name) => name !== option.attributeName())));
  });
}

/** The number of rows to print, 100 by default. @throws {CommandError} */
export function readLimit(text: string | undefined): number {
  const limit = text === undefined ? DEFAULT_LIMIT : Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw new CommandError(`--limit is a number from 1 to ${MAX_LIMIT}`, 2);
}

/** JSON text, with bigints as decimal strings. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? String(member) : member));
