import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of files for commands. */
export function openFiles() {
  const folder = mkdtempSync(join(tmpdir(), 'tollhouse-command-'));
  return {
    folder,
    /** Writes a file. @returns its path */
    keep(name: string, content: Uint8Array | string): string {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
