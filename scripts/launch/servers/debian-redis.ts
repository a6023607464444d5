import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { librariesIn, unpackDebian } from './debian-packages.ts';

const runFile = promisify(execFile);
const PACKAGES = ['redis-server', 'redis-tools', 'liblzf1', 'libjemalloc2'];

export interface Binary {
  readonly command: string;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Returns Redis from the packages of this Debian. The first call downloads and unpacks them under `cacheDir`, which takes
 * about 4 s and needs no root.
 *
 * @throws {Error} if there is no apt, no network, or no such package
 */
export async function debianRedis(cacheDir: string): Promise<Binary> {
  const folder = join(cacheDir, `redis-${process.arch}`);
  await unpackDebian({ names: PACKAGES, withDependencies: false, folder, check: assertLinked }, cacheDir);
  return binaryIn(folder);
}

function binaryIn(folder: string): Binary {
  return {
    command: join(folder, 'usr/bin/redis-server'),
    env: { LD_LIBRARY_PATH: librariesIn(folder).join(':') },
  };
}

async function assertLinked(folder: string): Promise<void> {
  const { command, env } = binaryIn(folder);
  if (!existsSync(command)) throw new Error('the downloaded packages have no redis-server');
  const { stdout } = await runFile('ldd', [command], { env: { ...process.env, ...env } });
  const missing = stdout.split('\n').filter((line) => line.includes('not found'));
  if (missing.length > 0) throw new Error(`the downloaded redis-server lacks libraries: ${missing.join(' ').trim()}`);
}
