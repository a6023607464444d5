import { readFileSync } from 'node:fs';
import { childrenOf } from '../helpers/children-of.ts';

/** The processes of a gateway that takes requests with several. It also has a shell, which watches the tests. */
export const gatewayChildren = (pid: number): readonly number[] =>
  childrenOf(pid).filter((child) => {
    const [program] = readFileSync(`/proc/${child}/cmdline`, 'utf8').split('\0');
    return program !== undefined && /node$/.test(program);
  });
