import { chmodSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runFolderOf } from '../../scripts/launch/processes/run-folder.ts';
import type { ServerPlace } from '../../scripts/launch/servers/server.ts';
import { type LogFile, openLogFile } from './log-file.ts';

export interface TestFolder {
  readonly path: string;
  /** A folder for sockets, with a short path. */
  readonly runDir: string;
  /** The data folder, the socket folder and the log of a server. */
  readonly place: (name: string) => ServerPlace & { readonly log: LogFile };
  readonly remove: () => void;
}

const MEMORY = '/dev/shm';
const ENOUGH_BYTES = 4 * 1024 ** 3;

/**
 * Uses memory if there is enough. Writes to a busy disk can wait for seconds, which services rightly treat as a fault.
 * Tests kill processes but not the machine, so memory is safe enough.
 */
function rootFolder(): string {
  const run = process.env['TOLLHOUSE_TEST_RUN'];
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize < ENOUGH_BYTES) return tmpdir();
  } catch {
    return tmpdir();
  }
  if (run === undefined) return MEMORY;
  const folder = join(MEMORY, run);
  mkdirSync(folder, { recursive: true });
  // For root, PostgreSQL runs as another user, who must be able to reach its folder.
  chmodSync(folder, 0o711);
  return folder;
}

/** Creates a data folder and its run folder. Servers in it end with the test process. */
export function createTestFolder(): TestFolder {
  const path = mkdtempSync(join(rootFolder(), 'tollhouse-test-'));
  // For root, PostgreSQL runs as another user, who must be able to reach the folder of PostgreSQL.
  chmodSync(path, 0o711);
  const runDir = runFolderOf(path);
  const logs = new Map<string, LogFile>();
  return {
    path,
    runDir,
    place: (name) => {
      const log = logs.get(name) ?? openLogFile(join(path, 'logs'), name);
      logs.set(name, log);
      return { dataDir: join(path, name), runDir, log };
    },
    remove: () => {
      for (const log of logs.values()) log.close();
      logs.clear();
      // Servers that a killed process has left may still write for a moment.
      const options = { recursive: true, force: true, maxRetries: 10 };
      for (const each of [path, runDir, `${runDir}-pg`]) rmSync(each, options);
    },
  };
}
