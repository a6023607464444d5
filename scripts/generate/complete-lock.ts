// Completes package-lock.json after a change of dependencies. With --check, it only reports whether that is needed.
import { readFileSync, writeFileSync } from 'node:fs';
import { createJsonReader } from '../launch/parse/json-reader.ts';
import { completeLock, Lock } from './platform-stubs.ts';

const file = new URL('../../package-lock.json', import.meta.url);
const before = readFileSync(file, 'utf8');
const lock = createJsonReader(Lock, 'package-lock.json')(before);
const completed = completeLock(lock);
const after = `${JSON.stringify(completed, null, 2)}\n`;

if (after === before) {
  console.log('package-lock.json is complete');
} else if (process.argv.includes('--check')) {
  console.error(
    'package-lock.json lacks packages of other platforms: run `npx node scripts/generate/complete-lock.ts`',
  );
  process.exitCode = 1;
} else {
  writeFileSync(file, after);
  const added = Object.keys(completed.packages).length - Object.keys(lock.packages).length;
  console.log(`package-lock.json: ${added} packages added`);
}
