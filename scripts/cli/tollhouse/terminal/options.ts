import { CommandError, parseArguments } from './command.ts';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 100_000;
const OPTIONS = { limit: { type: 'string' }, json: { type: 'boolean', default: false } } as const;

interface Listing {
  readonly positionals: readonly string[];
  readonly json: boolean;
  readonly limit: number;
}

/** Arguments of a command that lists: `[--limit N] [--json]`. @throws {CommandError} */
export function readListing(args: readonly string[], usage: string): Listing {
  const { positionals, values } = parseArguments(args, OPTIONS, `usage: npm run tollhouse -- ${usage}`);
  return { positionals, json: values.json, limit: readLimit(values.limit) };
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
