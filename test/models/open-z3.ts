import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { defined } from '../../workers/exact/defined.ts';
import type { SmtQuery } from '../../workers/verdict/decide/smt-solver.ts';
import { createZ3, DEFAULT_RLIMIT } from '../../workers/verdict/z3/z3.ts';

export const readWasm = () => readFile(createRequire(import.meta.url).resolve('z3-solver/build/z3-built.wasm'));

export const openZ3 = async () => createZ3(await readWasm());

let shared: ReturnType<typeof openZ3> | undefined;

/** One solver for all tests of a process. */
export const sharedZ3 = () => (shared ??= openZ3());

const SORTS = ['Int', 'Bool'] as const;

/** A query for z3. @param constants names and sorts, such as `x0:Int b1:Bool` @param terms assertions, named c0, c1 … */
export const query = (constants: string, ...terms: readonly string[]): SmtQuery => ({
  constants: new Map(
    constants
      .split(' ')
      .filter((constant) => constant !== '')
      .map((constant) => {
        const [name, sort] = constant.split(':');
        return [defined(name), defined(SORTS.find((each) => each === sort))] as const;
      }),
  ),
  assertions: terms.map((term, index) => ({ name: `c${index}`, term })),
  rlimit: DEFAULT_RLIMIT,
});
