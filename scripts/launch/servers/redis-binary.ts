import { execFileSync } from 'node:child_process';
import { type Binary, unpackDebian } from './debian-packages.ts';

/** Earlier versions are not tested. */
const OLDEST_MAJOR = 7;

/** @throws {Error} if the program is missing, cannot run, or is too old */
function assertRecent({ command, env }: Binary): void {
  const text = execFileSync(command, ['--version'], { encoding: 'utf8', env: { ...process.env, ...env } });
  const version = /v=(\d+)/.exec(text)?.[1];
  if (version === undefined || Number(version) < OLDEST_MAJOR) throw new Error(`it is too old: ${text.trim()}`);
}

function isRecent(binary: Binary): boolean {
  try {
    assertRecent(binary);
    return true;
  } catch {
    return false;
  }
}

/**
 * Finds an installed Redis or Valkey, or unpacks Debian's package into the cache.
 *
 * @throws {Error} that says what to install or to set
 */
export async function redisBinary(): Promise<Binary> {
  for (const command of ['redis-server', 'valkey-server']) {
    const installed = { command, env: {} };
    if (isRecent(installed)) return installed;
  }
  try {
    const path = 'usr/bin/redis-server';
    return await unpackDebian({ packages: ['redis-server'], path, check: async (redis) => assertRecent(redis) });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.trim() : String(cause);
    throw new Error(
      `No Redis ${OLDEST_MAJOR} or later: install redis-server (or valkey-server), or name one in REDIS_URL. ` +
        `Debian's package cannot be used either: ${reason}`,
      { cause },
    );
  }
}
