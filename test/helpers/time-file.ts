// Loaded by ava before a test file. Where TEST_TIMES names a file, one line a test file is added to it at the end:
// wall-clock and CPU time in seconds, those of ended child processes included, and the path.
import { appendFileSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';

const output = process.env['TEST_TIMES'];

/** `utime`, `stime`, `cutime` and `cstime` of proc_pid_stat(5), in clock ticks of 10 ms. */
function cpuSeconds(): number {
  const [, fields = ''] = readFileSync('/proc/self/stat', 'utf8').split(') ');
  const ticks = fields.split(' ').slice(11, 15).map(Number);
  return ticks.reduce((sum, one) => sum + one, 0) / 100;
}

if (output !== undefined) {
  process.once('exit', () => {
    const path = relative(process.cwd(), fileURLToPath(test.meta.file));
    appendFileSync(output, `${process.uptime().toFixed(2)}\t${cpuSeconds().toFixed(2)}\t${path}\n`);
  });
}
