import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Binary, debianRedis } from './debian-redis.ts';

/** The ledger needs Redis functions, which are new in version 7. */
const OLDEST_MAJOR = 7;
const CACHE_DIR = fileURLToPath(new URL('../../../.cache', import.meta.url));

/** 0 if the command is missing, or prints no version. */
function majorOf(command: string): number {
  try {
    const text = execFileSync(command, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    const version = /v=(\d+)/.exec(text)?.[1];
    return version === undefined ? 0 : Number(version);
  } catch {
    return 0;
  }
}

/**
 * Finds an installed Redis or Valkey. If there is none, downloads Debian's package to `.cache`.
 *
 * @throws {Error} that says what to install or to set
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
        `Debian's package could not be downloaded either: ${reason}`,
      { cause },
    );
  }
}
