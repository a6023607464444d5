import { join } from 'node:path';
import { startAnvil } from '../../../scripts/servers/anvil.ts';
import type { RunningServer } from '../../../scripts/servers/server.ts';
import { startTestAnvil, startTestRedis } from '../../helpers/servers.ts';

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

/** A Redis and a chain of one's own. */
export async function startSandbox(): Promise<TestSandbox> {
  const [redis, anvil] = await Promise.all([startTestRedis(), startTestAnvil()]);
  let later: RunningServer | undefined;
  return {
    env: { REDIS_URL: redis.url, SANDBOX_RPC_URL: anvil.url, SANDBOX_STATE_FILE: join(anvil.folder.path, 'state') },
    redisUrl: redis.url,
    rpcUrl: anvil.url,
    killChain: () => anvil.kill(),
    async restartChain() {
      later = await startAnvil({ ...anvil.folder.place('anvil'), port: Number(new URL(anvil.url).port) });
    },
    async stop() {
      await later?.stop();
      await Promise.all([redis.stop(), anvil.stop()]);
    },
  };
}
