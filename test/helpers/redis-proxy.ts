import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * - `pass`: as if it were not there.
 * - `lose`: requests arrive, answers do not, and the connection breaks with the first answer.
 * - `hold`: requests arrive, answers wait until the mode changes.
 * - `double`: every request arrives twice; one answer is passed.
 */
export type ProxyMode = 'pass' | 'lose' | 'hold' | 'double';

export interface RedisProxy {
  readonly url: string;
  /** Of all connections, after `passFirst` more answers. Lets go what was held. */
  setMode(mode: ProxyMode, passFirst?: number): void;
  /** Breaks all connections. */
  cut(): void;
  /** Answers that were kept from the client so far. */
  withheld(): number;
  close(): Promise<void>;
}

/** A Redis behind a wire that can be cut, on a Unix socket of its own. */
export async function startRedisProxy(upstreamPath: string): Promise<RedisProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'tollhouse-proxy-'));
  const path = join(folder, 's');
  const sockets = new Set<Socket>();
  const letGo = new Set<() => void>();
  let mode: ProxyMode = 'pass';
  let withheld = 0;
  let toPass = 0;

  const track = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
    return socket;
  };

  const server = createServer((given) => {
    const client = track(given);
    const redis = track(createConnection(upstreamPath));
    const twin = track(createConnection(upstreamPath));
    const held: Buffer[] = [];
    const release = () => {
      for (const chunk of held.splice(0)) client.write(chunk);
    };
    letGo.add(release);
    client.on('data', (request) => {
      redis.write(request);
      if (mode === 'double') twin.write(request);
    });
    redis.on('data', (answer) => {
      const isKept = toPass === 0 && (mode === 'lose' || mode === 'hold');
      if (isKept) withheld += 1;
      else toPass = Math.max(0, toPass - 1);
      if (!isKept) client.write(answer);
      else if (mode === 'lose') client.destroy();
      else held.push(answer);
    });
    twin.resume();
    client.on('close', () => {
      letGo.delete(release);
      redis.end();
      twin.end();
    });
    redis.on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));

  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `unix://${path}`,
    setMode(wanted, passFirst = 0) {
      mode = wanted;
      toPass = passFirst;
      for (const release of letGo) release();
    },
    cut,
    withheld: () => withheld,
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
