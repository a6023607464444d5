import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { type Binary, unpackDebian } from '../../../scripts/launch/servers/debian-packages.ts';

const run = promisify(execFile);

/** The proxies' programs: where Debian's package of the same name has them, and how they print their version. */
const PROGRAMS = {
  nginx: { path: 'usr/sbin/nginx', version: '-v' },
  haproxy: { path: 'usr/sbin/haproxy', version: '-v' },
  caddy: { path: 'usr/bin/caddy', version: 'version' },
} as const;

export type ProxyName = keyof typeof PROGRAMS;
export const PROXY_NAMES = ['nginx', 'haproxy', 'caddy'] as const satisfies readonly ProxyName[];

/**
 * A proxy's program: the installed one, or else the one of Debian's package, which is unpacked into `.cache` without root.
 * @throws {Error} if the package cannot be downloaded
 */
export async function findProxy(name: ProxyName): Promise<Binary> {
  const { path, version } = PROGRAMS[name];
  const folders = [...String(process.env['PATH']).split(delimiter), '/usr/sbin', '/usr/bin'];
  const installed = folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
  if (installed !== undefined) return { command: installed, env: {} };
  const check = async ({ command, env }: Binary) => {
    await run(command, [version], { env });
  };
  return unpackDebian({ packages: [name], path, check });
}
