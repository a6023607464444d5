import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createZ3 } from '../../../workers/solver/z3/z3.ts';

/** z3 in this thread. */
export const openZ3 = () =>
  createZ3(readFileSync(createRequire(import.meta.url).resolve('z3-solver/build/z3-built.wasm')));
