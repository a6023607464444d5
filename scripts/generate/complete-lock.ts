// Completes package-lock.json after a change of dependencies; with --check only says whether that is due.
import { readFileSync, writeFileSync } from 'node:fs';
import { completeLock, type Lock } from './platform-stubs.ts';

const file = new URL('../../package-lock.json', import.meta.url);
const before = readFileSync(file, 'utf8');
const lock = JSON.parse(before) as Lock;
const after = `${JSON.stringify(completeLock(lock), null, 2)}\n`;

if (after === before) {
  console.log('package-lock.json is complete');
} else if (process.argv.includes('--check')) {
  console.error(
    'package-lock.json lacks packages of other platforms: run `npx node scripts/generate/complete-lock.ts`',
  );
  process.exitCode = 1;
} else {
  writeFileSync(file, after);
  const added = Object.keys(completeLock(lock).packages).length - Object.keys(lock.packages).length;
  console.log(`package-lock.json: ${added} packages added`);
}
