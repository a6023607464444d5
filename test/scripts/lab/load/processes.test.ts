import { execFileSync } from 'node:child_process';
import test from 'ava';
import { readUsage } from '../../../../scripts/lab/load/measure/processes.ts';
import { defined } from '../../../../workers/exact/defined.ts';

const BUSY_SECONDS = 0.3;
const BE_BUSY = `while (process.cpuUsage().user < ${BUSY_SECONDS * 1e6});`;

test('the CPU time of a child that has ended is kept', (t) => {
  const used = () => defined(readUsage(undefined).get('load')).cpuSeconds;
  const before = used();
  execFileSync(process.execPath, ['-e', BE_BUSY]);
  t.true(used() - before > BUSY_SECONDS / 2);
});
