import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** The data of the solver's threads: z3, in memory that all of them share. */
export async function readSolverData(): Promise<{ readonly wasm: Uint8Array }> {
  const file = await readFile(fileURLToPath(import.meta.resolve('z3-solver/build/z3-built.wasm')));
  const wasm = new Uint8Array(new SharedArrayBuffer(file.length));
  wasm.set(file);
  return { wasm };
}
