import { globSync, readFileSync } from 'node:fs';

/** The gateway processes that a process has started, by the kernel's list. It also has a shell, which watches the tests. */
export function childrenOf(pid: number): readonly number[] {
  const children = globSync(`/proc/${pid}/task/*/children`).flatMap((file) =>
    readFileSync(file, 'utf8').trim().split(' ').filter(Boolean).map(Number),
  );
  return children.filter((child) => {
    const [program] = readFileSync(`/proc/${child}/cmdline`, 'utf8').split('\0');
    return program !== undefined && /node$/.test(program);
  });
}
