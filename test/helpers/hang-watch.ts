// Ava loads this before each test file. It ends a process that hangs, and names its file. Ava's own time limit would end
// all, because its TAP reporter cannot show it.
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';

/** Other files take minutes at most, on a busy machine too. */
const HANG_MS = 25 * 60_000;

const path = relative(process.cwd(), fileURLToPath(test.meta.file));
if (!path.includes('/long/')) {
  setTimeout(() => {
    throw new Error(`${path} hangs`);
  }, HANG_MS).unref();
}
