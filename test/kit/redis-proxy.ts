import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * - `pass`: requests and answers pass unchanged.
 * - `lose`: requests arrive, answers do not, and the connection breaks with the first answer.
 * - `hold`: requests arrive, answers wait until the mode changes.
 * - `trickle`: as `hold`, but every answer lets the one before it pass.
 * - `double`: every request arrives twice; one answer is passed.
 */
export type ProxyMode = 'pass' | 'lose' | 'hold' | 'trickle' | 'double';

export interface RedisProxy {
  readonly url: string;
  /** Sets the mode of all connections, after `passFirst` more answers. Releases held answers. */
  setMode(mode: ProxyMode, passFirst?: number): void;
  /** Sets the mode of the connections on which a request with that text is sent from now on. */
  setModeOf(request: string, mode: ProxyMode): void;
  /** Breaks all connections. */
  cut(): void;
  /** The number of answers that did not reach the client so far. */
  withheld(): number;
  close(): Promise<void>;
}

/**
 * Starts a proxy before a Redis, on a separate Unix socket, which can delay, lose or double messages.
 * @param upstreamPath the socket of Redis, or a function that returns it once it is known
 */
export async function startRedisProxy(upstreamPath: string | (() => string)): Promise<RedisProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'tollhouse-proxy-'));
  const path = join(folder, 's');
  const sockets = new Set<Socket>();
  const letGo = new Set<() => void>();
  let mode: ProxyMode = 'pass';
  let withheld = 0;
  let toPass = 0;
  let wanted = '';
  /** The number of mode changes. A mode applies only to requests that were sent after its change. */
  let setting = 0;
  const upstream = () => (typeof upstreamPath === 'string' ? upstreamPath : upstreamPath());

  const track = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
    return socket;
  };

  const server = createServer((given) => {
    const client = track(given);
    const redis = track(createConnection(upstream()));
    const twin = track(createConnection(upstream()));
    const held: Buffer[] = [];
    const release = () => {
      for (const chunk of held.splice(0)) client.write(chunk);
    };
    letGo.add(release);
    let meantIn = 0;
    client.on('data', (request) => {
      if (request.includes(wanted)) meantIn = setting;
      redis.write(request);
      if (mode === 'double' && meantIn === setting) twin.write(request);
    });
    redis.on('data', (answer) => {
      const isMeant = wanted === '' || meantIn === setting;
      const isKept = isMeant && toPass === 0 && (mode === 'lose' || mode === 'hold' || mode === 'trickle');
      if (isKept) withheld += 1;
      else toPass = Math.max(0, toPass - 1);
      if (!isKept) client.write(answer);
      else if (mode === 'lose') client.destroy();
      else {
        if (mode === 'trickle') release();
        held.push(answer);
      }
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
  const setMode = (request: string, next: ProxyMode, passFirst = 0) => {
    setting += 1;
    wanted = request;
    mode = next;
    toPass = passFirst;
    for (const release of letGo) release();
  };
  return {
    url: `unix://${path}`,
    setMode: (next, passFirst) => setMode('', next, passFirst),
    setModeOf: setMode,
    cut,
    withheld: () => withheld,
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
