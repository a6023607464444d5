import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LogFile, openLogFile } from '../../scripts/launch/processes/log-file.ts';
import { runFolderOf } from '../../scripts/launch/processes/run-folder.ts';
import type { ServerPlace } from '../../scripts/launch/servers/server.ts';

export interface TestFolder {
  readonly path: string;
  /** Short, for sockets. */
  readonly runDir: string;
  /** Where a server of that name keeps its data, its sockets and its log. */
  readonly place: (name: string) => ServerPlace;
  readonly remove: () => void;
}

const MEMORY = '/dev/shm';
const ENOUGH_BYTES = 4 * 1024 ** 3;

/**
 * In memory, where there is enough of it: what is written to a disk waits for everything else that is, for seconds at
 * times, and services rightly take that for a fault. Processes are killed in tests, and never the machine.
 */
function rootFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ENOUGH_BYTES ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** A data folder of its own with its run folder; servers in it die with the test process. */
export function createTestFolder(): TestFolder {
  const path = mkdtempSync(join(rootFolder(), 'tollhouse-test-'));
  // PostgreSQL runs as another user than root, and has to reach its own folder in this one
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
      for (const each of [path, runDir, `${runDir}-pg`]) rmSync(each, { recursive: true, force: true });
    },
  };
}
