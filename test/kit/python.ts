import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { type Binary, unpackDebian } from '../../scripts/launch/servers/debian-packages.ts';

const run = promisify(execFile);
const CHECK = ['-c', 'import ecdsa, Cryptodome.Hash.keccak'];

/** The packages that the quickstarts in Python name. */
const PACKAGES = ['python3-ecdsa', 'python3-pycryptodome'];

/** Python with the packages of the quickstarts: the machine's, or Debian's packages unpacked into `.cache`. */
export async function findPython(): Promise<Binary> {
  const installed: Binary = { command: '/usr/bin/python3', env: process.env };
  try {
    await check(installed);
    return installed;
  } catch {
    return withHome(
      await unpackDebian({ packages: PACKAGES, path: 'usr/bin/python3', check: (it) => check(withHome(it)) }),
    );
  }
}

async function check({ command, env }: Binary): Promise<void> {
  await run(command, CHECK, { env });
}

/** Where an unpacked Python finds its modules. */
const withHome = ({ command, env }: Binary): Binary => ({
  command,
  env: { ...env, PYTHONHOME: dirname(dirname(command)) },
});
