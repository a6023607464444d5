import { startRedis } from '../../scripts/launch/servers/redis.ts';
import { createTestFolder } from './test-folder.ts';

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

/** A Redis that can be killed and started again on the same data and socket. */
export async function startLedgerRedis(): Promise<LedgerRedis> {
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
