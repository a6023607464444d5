import type { Z3_context } from 'z3-solver';
import { SmtError } from '../decide/smt-solver.ts';
import type { Z3Module } from './module.ts';

/** Z3_MEMOUT_FAIL of z3_api.h. */
const MEMOUT = 7;

/** Checks the error code in z3's context, by which it reports errors. To be called around every call of the API. */
export type Checked = <T>(result: T) => T;

/**
 * Runs in a new context, which is deleted afterwards. A context that was used before would answer differently and leak.
 * @throws {SmtError} if z3 reports an error
 */
export function withContext<T>({ api }: Z3Module, use: (context: Z3_context, checked: Checked) => T): T {
  const config = api.mk_config();
  const context = api.mk_context(config);
  api.del_config(config);
  const checked: Checked = (result) => {
    const code = api.get_error_code(context);
    // Treated like an abort: deleting the context would allocate memory and abort.
    if (code === MEMOUT) throw new RangeError('z3 ran out of memory');
    if (code !== 0) throw new SmtError(`z3 reports error ${code}: ${api.get_error_msg(context, code)}`);
    return result;
  };
  let result: T;
  try {
    result = use(context, checked);
  } catch (error) {
    // After any other error the module itself is broken, and its behavior is unknown.
    if (error instanceof SmtError) api.del_context(context);
    throw error;
  }
  api.del_context(context);
  return result;
}
