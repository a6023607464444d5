import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLogFile } from '../../../scripts/processes/log-file.ts';
import { runFolderOf } from '../../../scripts/processes/run-folder.ts';
import { startAnvil } from '../../../scripts/servers/anvil.ts';
import { startRedis } from '../../../scripts/servers/redis.ts';

export interface TestSandbox {
  /** For `startPayments`. */
  readonly env: Readonly<Record<string, string>>;
  readonly redisUrl: string;
  readonly rpcUrl: string;
  /** SIGKILL. */
  killChain(): Promise<void>;
  /** An empty chain in its place. */
  restartChain(): Promise<void>;
  stop(): Promise<void>;
}

function createFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'tp-'));
  const runDir = runFolderOf(folder);
  return {
    path: (name: string) => join(folder, name),
    place: (name: string) => ({ dataDir: join(folder, name), runDir, log: openLogFile(join(folder, 'logs'), name) }),
    remove: () => {
      for (const path of [folder, runDir]) rmSync(path, { recursive: true, force: true });
    },
  };
}

/** A Redis of one's own. */
export async function startTestRedis(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const folder = createFolder();
  const redis = await startRedis(folder.place('redis'));
  return {
    url: redis.url,
    async stop() {
      await redis.stop();
      folder.remove();
    },
  };
}

/** A Redis and a chain of one's own. */
export async function startSandbox(): Promise<TestSandbox> {
  const folder = createFolder();
  const [redis, first] = await Promise.all([startRedis(folder.place('redis')), startAnvil(folder.place('anvil'))]);
  let anvil = first;
  return {
    env: { REDIS_URL: redis.url, SANDBOX_RPC_URL: anvil.url, SANDBOX_STATE_FILE: folder.path('state') },
    redisUrl: redis.url,
    rpcUrl: anvil.url,
    async killChain() {
      process.kill(anvil.pid, 'SIGKILL');
      await anvil.exited;
    },
    async restartChain() {
      anvil = await startAnvil({ ...folder.place('anvil'), port: Number(new URL(first.url).port) });
    },
    async stop() {
      await Promise.all([redis.stop(), anvil.stop()]);
      folder.remove();
    },
  };
}
