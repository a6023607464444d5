import { hasCode } from '../../../../services/platform/process/system-error.ts';

/** Reads something of a process. Undefined if the process has ended, or belongs to another user. */
export function ignoreGone<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    for (const code of ['ENOENT', 'ESRCH', 'EACCES', 'EPERM']) if (hasCode(error, code)) return undefined;
    throw error;
  }
}
