import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Binary, debianRedis } from './debian-redis.ts';

/** The ledger is a library of Redis functions, which came with 7. */
const OLDEST_MAJOR = 7;
const CACHE_DIR = fileURLToPath(new URL('../../../.cache', import.meta.url));

function majorOf(command: string): number {
  try {
    const text = execFileSync(command, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return Number(/v=(\d+)/.exec(text)?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/**
 * A Redis that is installed here, else one from Debian packages kept under `.cache`.
 *
 * @throws Error that says what to install or set, when there is none
 */
export async function redisBinary(): Promise<Binary> {
  for (const command of ['redis-server', 'valkey-server']) {
    if (majorOf(command) >= OLDEST_MAJOR) return { command, env: {} };
  }
  try {
    return await debianRedis(CACHE_DIR);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.trim() : String(cause);
    throw new Error(
      `No Redis ${OLDEST_MAJOR} or later: install redis-server (or valkey-server), or name one in REDIS_URL. ` +
        `Debian's package could not be fetched either: ${reason}`,
      { cause },
    );
  }
}
