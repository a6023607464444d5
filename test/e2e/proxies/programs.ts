import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { librariesIn, unpackDebian } from '../../../scripts/launch/servers/debian-packages.ts';

const run = promisify(execFile);
const CACHE = fileURLToPath(new URL('../../../.cache', import.meta.url));

/** The proxies' programs: where Debian's package of the same name has them, and how they print their version. */
const PROGRAMS = {
  nginx: { path: 'usr/sbin/nginx', version: '-v' },
  haproxy: { path: 'usr/sbin/haproxy', version: '-v' },
  caddy: { path: 'usr/bin/caddy', version: 'version' },
} as const;

export type ProxyName = keyof typeof PROGRAMS;
export const PROXY_NAMES = ['nginx', 'haproxy', 'caddy'] as const satisfies readonly ProxyName[];

export interface ProxyProgram {
  readonly command: string;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * A proxy's program: the installed one, or else the one of Debian's package, which is unpacked into `.cache` without root.
 * @throws {Error} if the package cannot be downloaded
 */
export async function findProxy(name: ProxyName): Promise<ProxyProgram> {
  const { path, version } = PROGRAMS[name];
  const folders = [...String(process.env['PATH']).split(delimiter), '/usr/sbin', '/usr/bin'];
  const installed = folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
  if (installed !== undefined) return { command: installed, env: {} };
  const folder = join(CACHE, `${name}-${process.arch}`);
  const programIn = (tree: string) => ({
    command: join(tree, path),
    env: { LD_LIBRARY_PATH: librariesIn(tree).join(':') },
  });
  const check = async (tree: string) => {
    const { command, env } = programIn(tree);
    await run(command, [version], { env });
  };
  await unpackDebian({ names: [name], withDependencies: true, folder, check }, CACHE);
  return programIn(folder);
}
