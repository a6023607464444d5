import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLogFile } from '../../scripts/processes/log-file.ts';
import { runFolderOf } from '../../scripts/processes/run-folder.ts';
import { startRedis } from '../../scripts/servers/redis.ts';

export interface LedgerRedis {
  readonly url: string;
  readonly socketPath: string;
  /** Where its append-only file lies. */
  readonly dataDir: string;
  /** Of the process that runs now. */
  pid(): number;
  /** Ends it without warning. */
  kill(): Promise<void>;
  /** Starts it again on the same data. */
  start(): Promise<void>;
  /** Ends it and removes its data. */
  remove(): Promise<void>;
}

/** A Redis as the ledger wants it, with a folder of its own, that can be killed and started again. */
export async function startLedgerRedis(): Promise<LedgerRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'tollhouse-test-'));
  const dataDir = join(folder, 'redis');
  const runDir = runFolderOf(folder);
  const log = openLogFile(folder, 'redis');
  let server = await startRedis({ dataDir, runDir, log });
  const kill = async () => {
    process.kill(server.pid, 'SIGKILL');
    await server.exited;
  };
  return {
    url: server.url,
    socketPath: server.url.slice('unix://'.length),
    dataDir,
    pid: () => server.pid,
    kill,
    async start() {
      server = await startRedis({ dataDir, runDir, log });
    },
    async remove() {
      await kill().catch(() => {});
      log.close();
      for (const path of [folder, runDir]) rmSync(path, { recursive: true, force: true });
    },
  };
}
