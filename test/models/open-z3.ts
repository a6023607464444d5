import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { SmtQuery } from '../../workers/solver/decide/smt-solver.ts';
import { createZ3, DEFAULT_RLIMIT } from '../../workers/solver/z3/z3.ts';

export const readWasm = () => readFile(createRequire(import.meta.url).resolve('z3-solver/build/z3-built.wasm'));

export const openZ3 = async () => createZ3(await readWasm());

let shared: ReturnType<typeof openZ3> | undefined;

/** One solver for all tests of a process. */
export const sharedZ3 = () => (shared ??= openZ3());

/** Constants as `x0:Int`, assertions named c0, c1 … */
export const query = (constants: string, ...terms: readonly string[]): SmtQuery => ({
  constants: new Map(
    constants
      .split(' ')
      .filter((constant) => constant !== '')
      .map((constant) => constant.split(':') as [string, 'Int' | 'Real' | 'Bool']),
  ),
  assertions: terms.map((term, index) => ({ name: `c${index}`, term })),
  rlimit: DEFAULT_RLIMIT,
});
