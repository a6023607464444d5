import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LogFile, openLogFile } from '../../scripts/processes/log-file.ts';
import { runFolderOf } from '../../scripts/processes/run-folder.ts';
import { startAnvil } from '../../scripts/servers/anvil.ts';
import { startPostgres } from '../../scripts/servers/postgres.ts';
import { startRedis } from '../../scripts/servers/redis.ts';
import type { RunningServer, ServerPlace } from '../../scripts/servers/server.ts';

export interface TestFolder {
  readonly path: string;
  /** Short, for sockets. */
  readonly runDir: string;
  /** Where a server of that name keeps its data, its sockets and its log. */
  readonly place: (name: string) => ServerPlace;
  readonly remove: () => void;
}

export interface TestServer extends RunningServer {
  readonly folder: TestFolder;
  /** Ends it without warning; its folder stays. */
  readonly kill: () => Promise<void>;
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

async function startIn(start: (place: ServerPlace) => Promise<RunningServer>, name: string): Promise<TestServer> {
  const folder = createTestFolder();
  const server = await start(folder.place(name));
  return {
    ...server,
    folder,
    kill: async () => {
      process.kill(server.pid, 'SIGKILL');
      await server.exited;
    },
    stop: async () => {
      await server.stop();
      folder.remove();
    },
  };
}

/** Redis with the settings of production; `stop` removes its data. */
export const startTestRedis = (): Promise<TestServer> => startIn(startRedis, 'redis');

/** PostgreSQL with an empty database; `stop` removes its data. */
export const startTestPostgres = (): Promise<TestServer> => startIn(startPostgres, 'postgres');

/** An empty development chain, chain id 31337. */
export const startTestAnvil = (): Promise<TestServer> => startIn(startAnvil, 'anvil');
