import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface RedisProxy {
  readonly url: string;
  /** `pass`: everything passes unchanged. `hold`: requests arrive, and answers wait until the mode changes. */
  setMode(mode: 'pass' | 'hold'): void;
  /** Breaks all connections. */
  cut(): void;
  close(): Promise<void>;
}

/** Starts a proxy before the Unix socket of a server, on a separate one, which can delay answers and break connections. */
export async function startRedisProxy(upstreamPath: string): Promise<RedisProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'tollhouse-proxy-'));
  const path = join(folder, 's');
  const sockets = new Set<Socket>();
  const letGo = new Set<() => void>();
  let isHeld = false;

  const track = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
    return socket;
  };

  const server = createServer((given) => {
    const client = track(given);
    const upstream = track(createConnection(upstreamPath));
    const held: Buffer[] = [];
    const release = () => {
      for (const chunk of held.splice(0)) client.write(chunk);
    };
    letGo.add(release);
    client.on('data', (request) => upstream.write(request));
    upstream.on('data', (answer) => {
      if (isHeld) held.push(answer);
      else client.write(answer);
    });
    client.on('close', () => {
      letGo.delete(release);
      upstream.end();
    });
    upstream.on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));

  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `unix://${path}`,
    setMode(mode) {
      isHeld = mode === 'hold';
      for (const release of letGo) release();
    },
    cut,
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
