import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LogFile, openLogFile } from '../../scripts/processes/log-file.ts';
import { runFolderOf } from '../../scripts/processes/run-folder.ts';
import type { ServerPlace } from '../../scripts/servers/server.ts';

export interface TestFolder {
  readonly path: string;
  /** Short, for sockets. */
  readonly runDir: string;
  /** Where a server of that name keeps its data, its sockets and its log. */
  readonly place: (name: string) => ServerPlace;
  readonly remove: () => void;
}

/** A data folder of its own with its run folder; servers in it die with the test process. */
export function createTestFolder(): TestFolder {
  const path = mkdtempSync(join(tmpdir(), 'tollhouse-test-'));
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
