import { globSync, readFileSync } from 'node:fs';

/** The pids of the processes that a process has started, by the kernel's list. */
export const childrenOf = (pid: number): readonly number[] =>
  globSync(`/proc/${pid}/task/*/children`).flatMap((file) =>
    readFileSync(file, 'utf8').trim().split(' ').filter(Boolean).map(Number),
  );
