import { readFileSync } from 'node:fs';
import { defineLibrary } from '../../platform/redis/function-library.ts';

/** Order matters: each part uses the ones before it. */
const PARTS = ['book', 'reserve', 'resolve', 'channels', 'library'];
/** Format of the ledger in Redis, as `book.lua` describes it. `meta` has no number in the first format. */
const FORMAT = 1;

export const LEDGER_LIBRARY = defineLibrary(
  'ledger',
  FORMAT,
  PARTS.map((part) => readFileSync(new URL(`./functions/${part}.lua`, import.meta.url), 'utf8')),
);
