import type { Z3_context } from 'z3-solver';
import { SmtError } from '../decide/smt-solver.ts';
import type { Z3Module } from './module.ts';

/** Z3_MEMOUT_FAIL of z3_api.h. */
const MEMOUT = 7;

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
