import { init, type Z3_context, type Z3Core } from 'z3-solver';
import { SmtError } from '../smt-solver.ts';

/** z3's C API as the package binds it, and the emscripten module under it. */
export interface Z3Module {
  readonly api: Z3Core;
  readonly em: Emscripten;
}

interface Emscripten {
  ccall(name: string, returns: 'number', types: readonly 'number'[], args: readonly unknown[]): number;
}

/** Z3_MEMOUT_FAIL of z3_api.h. */
const MEMOUT = 7;

const silent = () => undefined;

/** @param wasm the package's build/z3-built.wasm */
export async function loadModule(wasm: Uint8Array): Promise<Z3Module> {
  const { Z3: api, em } = await init({ wasmBinary: wasm, print: silent, printErr: silent });
  return { api, em };
}

/** What z3 reports by a code in its context instead of by a result: read after every call. */
export type Checked = <T>(result: T) => T;

/**
 * Runs in a context of its own, which is deleted afterwards: one that was used before answers differently, and leaks.
 * @throws {SmtError} if z3 reports an error
 */
export function withContext<T>({ api }: Z3Module, use: (context: Z3_context, checked: Checked) => T): T {
  const config = api.mk_config();
  const context = api.mk_context(config);
  api.del_config(config);
  const checked: Checked = (result) => {
    const code = api.get_error_code(context);
    // No less than an abort: deleting the context allocates, and aborts.
    if (code === MEMOUT) throw new RangeError('z3 ran out of memory');
    if (code !== 0) throw new SmtError(`z3 reports error ${code}: ${api.get_error_msg(context, code)}`);
    return result;
  };
  let result: T;
  try {
    result = use(context, checked);
  } catch (error) {
    // After anything else the module itself is broken: what it would do now is not known.
    if (error instanceof SmtError) api.del_context(context);
    throw error;
  }
  api.del_context(context);
  return result;
}
