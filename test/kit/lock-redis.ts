import { startRedis } from '../../scripts/launch/servers/redis.ts';
import { createTestFolder } from './test-folder.ts';

export interface LockRedis {
  readonly url: string;
  readonly socketPath: string;
  /** The folder of its append-only file. */
  readonly dataDir: string;
  /** The pid of the current process. */
  pid(): number;
  /** Kills Redis. */
  kill(): Promise<void>;
  /** Restarts Redis on the same data. */
  start(): Promise<void>;
  /** Stops Redis and removes its data. */
  remove(): Promise<void>;
}

/** Starts a Redis that can be killed and restarted on the same data and socket. */
export async function startLockRedis(): Promise<LockRedis> {
  const folder = createTestFolder();
  const place = folder.place('redis');
  let server = await startRedis(place);
  return {
    url: server.url,
    socketPath: server.url.slice('unix://'.length),
    dataDir: place.dataDir,
    pid: () => server.pid,
    async kill() {
      process.kill(server.pid, 'SIGKILL');
      await server.exited;
    },
    async start() {
      server = await startRedis(place);
    },
    async remove() {
      await server.stop();
      folder.remove();
    },
  };
}
