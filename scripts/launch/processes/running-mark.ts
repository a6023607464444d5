import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../../.cache/running', import.meta.url));

/** Tells scripts/setup.sh to keep node_modules while this process runs. */
export function markRunning(): void {
  mkdirSync(FOLDER, { recursive: true });
  const mark = `${FOLDER}/${process.pid}`;
  writeFileSync(mark, '');
  process.once('exit', () => rmSync(mark, { force: true }));
}
