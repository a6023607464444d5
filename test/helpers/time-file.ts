// Ava loads this before each test file. At the end of the process, it appends one line to the file that TEST_TIMES names:
// wall-clock time and CPU time in seconds, including ended child processes, and the path.
import { appendFileSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { defined } from '../../workers/exact/defined.ts';

const output = process.env['TEST_TIMES'];

/** `utime`, `stime`, `cutime` and `cstime` of proc_pid_stat(5), in clock ticks of 10 ms. */
function cpuSeconds(): number {
  const [, fields] = readFileSync('/proc/self/stat', 'utf8').split(') ');
  const ticks = defined(fields).split(' ').slice(11, 15).map(Number);
  return ticks.reduce((sum, one) => sum + one, 0) / 100;
}

if (output !== undefined) {
  process.once('exit', () => {
    const path = relative(process.cwd(), fileURLToPath(test.meta.file));
    appendFileSync(output, `${process.uptime().toFixed(2)}\t${cpuSeconds().toFixed(2)}\t${path}\n`);
  });
}
