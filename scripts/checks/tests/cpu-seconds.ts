import { readFileSync } from 'node:fs';
import { defined } from '../../../workers/exact/defined.ts';

/** The processor time of this process and of its children that have ended: four fields of proc_pid_stat(5), in ticks of 10 ms. */
export function cpuSeconds(): number {
  const [, fields] = readFileSync('/proc/self/stat', 'utf8').split(') ');
  const ticks = defined(fields).split(' ').slice(11, 15).map(Number);
  return ticks.reduce((sum, one) => sum + one, 0) / 100;
}
