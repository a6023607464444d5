import { startAnvil } from '../../scripts/launch/servers/anvil.ts';
import { startRedis } from '../../scripts/launch/servers/redis.ts';
import type { RunningServer, ServerPlace } from '../../scripts/launch/servers/server.ts';
import { startSeededPostgres } from './seeded-postgres.ts';
import { createTestFolder, type TestFolder } from './test-folder.ts';

export interface TestServer extends RunningServer {
  readonly folder: TestFolder;
  /** Kills the server. Its folder stays. */
  readonly kill: () => Promise<void>;
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
export const startTestPostgres = (): Promise<TestServer> => startIn(startSeededPostgres, 'postgres');

/** An empty development chain, with the chain id of the sandbox by default. */
export const startTestAnvil = (chainId?: number): Promise<TestServer> =>
  startIn((place) => startAnvil({ ...place, ...(chainId !== undefined && { chainId }) }), 'anvil');
