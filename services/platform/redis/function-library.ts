import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/**
 * The functions of this release for one store in Redis. The name has a digest of the code. So two releases with different
 * code have two libraries, and each process calls only its own.
 */
export interface FunctionLibrary {
  /** Such as `tollhouse_ledger_0c460e4f3e`. */
  readonly name: string;
  /** The latest format of the stored data that the functions know. */
  readonly format: number;
  readonly code: string;
}

export type StoreName = 'ledger' | 'claims';

const PRELUDE = readFileSync(new URL('function-prelude.lua', import.meta.url), 'utf8');
const VERSION_CHARACTERS = 10;

/** @param parts Lua source. It registers its functions with `register`, which function-prelude.lua defines. */
export function defineLibrary(store: StoreName, format: number, parts: readonly string[]): FunctionLibrary {
  const body = [`local STORE, FORMAT = '${store}', ${format}`, PRELUDE, ...parts].join('\n');
  const version = createHash('sha256').update(body).digest('hex').slice(0, VERSION_CHARACTERS);
  const name = `tollhouse_${store}_${version}`;
  return { name, format, code: `#!lua name=${name}\nlocal LIBRARY = '${name}'\n${body}` };
}

/** The name under which Redis has a function of the library. */
export const functionName = (library: FunctionLibrary, name: string): string => `${library.name}_${name}`;
