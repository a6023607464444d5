import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** What the solver's threads are given: z3, once for all of them. */
export async function readSolverData(): Promise<{ readonly wasm: Uint8Array }> {
  const file = await readFile(fileURLToPath(import.meta.resolve('z3-solver/build/z3-built.wasm')));
  const wasm = new Uint8Array(new SharedArrayBuffer(file.length));
  wasm.set(file);
  return { wasm };
}
