import { mkdirSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { claim } from '../processes/claim.ts';
import { failedStart, startTied } from '../processes/tied-process.ts';
import { isListening, START_TIMEOUT_MS, waitFor } from '../processes/wait-for.ts';
import { redisBinary } from './redis-binary.ts';
import type { RunningServer, ServerPlace } from './server.ts';

const LEFTOVER_TIMEOUT_MS = 5_000;
const STOP_GRACE_MS = 10_000;

/** Redis keeps locks only, which may be lost at any moment. So it writes no file. */
const SETTINGS: Readonly<Record<string, string>> = {
  port: '0',
  unixsocketperm: '700',
  appendonly: 'no',
  save: '',
  daemonize: 'no',
};

function settingsOf(paths: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries({ ...SETTINGS, ...paths }).flatMap(([name, value]) => [`--${name}`, value]);
}

/** Whether Redis serves. */
function answersPing(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ path: socketPath });
    socket.once('error', () => resolve(false)).once('close', () => resolve(false));
    socket.once('data', (reply) => {
      resolve(reply.toString('latin1').startsWith('+PONG'));
      socket.destroy();
    });
    socket.write('PING\r\n');
  });
}

async function assertFree(socketPath: string): Promise<void> {
  // A Redis that lost its supervisor needs a moment to end.
  const free = await waitFor(async () => !(await isListening(socketPath)), { timeoutMs: LEFTOVER_TIMEOUT_MS });
  if (!free) throw new Error(`another Redis serves ${socketPath}: stop it first`);
}

/**
 * Starts Redis on a Unix socket in `runDir`, with `dataDir` as its folder.
 *
 * It claims the run folder, because a second redis-server would silently take over the socket.
 *
 * @returns a server whose `url` has the form `unix:///path/redis.sock`
 * @throws {ClaimedError} if another process holds the folder
 * @throws {Error} if there is no Redis, or it does not start
 */
export async function startRedis({ dataDir, runDir, log }: ServerPlace): Promise<RunningServer> {
  const binary = await redisBinary();
  const release = await claim(runDir, 'redis');
  try {
    const socketPath = join(runDir, 'redis.sock');
    await assertFree(socketPath);
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const redis = startTied({
      command: binary.command,
      args: settingsOf({ dir: dataDir, unixsocket: socketPath }),
      env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC', ...binary.env },
      output: log.output,
    });
    const hopeless = () => !redis.running();
    const ready = await waitFor(() => answersPing(socketPath), { timeoutMs: START_TIMEOUT_MS, hopeless });
    if (!ready) throw await failedStart('Redis', redis, log);
    void redis.exited.then(release);
    return {
      url: `unix://${socketPath}`,
      pid: redis.pid,
      exited: redis.exited,
      stop: () => redis.stop('SIGTERM', STOP_GRACE_MS),
    };
  } catch (error) {
    release();
    throw error;
  }
}
