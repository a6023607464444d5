import { readdirSync, readFileSync } from 'node:fs';
import { ignoreGone } from '../measure/ignore-gone.ts';
import { descendantsOf, nameOf } from '../measure/processes.ts';

/** Processor time by the name of a process, in milliseconds. */
export type Spent = Readonly<Record<string, number>>;

const read = (path: string): string => ignoreGone(() => readFileSync(path, 'latin1')) ?? '';

/**
 * Sums up the threads of the descendants of some processes, to the nanosecond. Linux only (proc(5), schedstat).
 * @param isCounted whether a process with this command line counts
 */
export function readSpent(roots: readonly number[], isCounted: (command: string) => boolean): Spent {
  const spent: Record<string, number> = {};
  for (const { pid } of roots.flatMap(descendantsOf)) {
    const name = isCounted(read(`/proc/${pid}/cmdline`)) ? nameOf(pid) : undefined;
    if (name === undefined) continue;
    for (const thread of ignoreGone(() => readdirSync(`/proc/${pid}/task`)) ?? []) {
      const [nanoseconds = '0'] = read(`/proc/${pid}/task/${thread}/schedstat`).split(' ');
      spent[name] = (spent[name] ?? 0) + Number(nanoseconds) / 1e6;
    }
  }
  return spent;
}

/** What each of some calls took since then. */
export const perCall = (before: Spent, after: Spent, calls: number): Spent =>
  Object.fromEntries(Object.entries(after).map(([name, ms]) => [name, (ms - (before[name] ?? 0)) / calls]));
