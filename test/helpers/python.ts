import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { librariesIn, unpackDebian } from '../../scripts/launch/servers/debian-packages.ts';

const run = promisify(execFile);
const CACHE = fileURLToPath(new URL('../../.cache', import.meta.url));
const CHECK = ['-c', 'import ecdsa, Cryptodome.Hash.keccak'];

/** The packages that the quickstarts in Python name. */
const PACKAGES = ['python3-ecdsa', 'python3-pycryptodome'];

export interface Python {
  readonly command: string;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Python with the packages of the quickstarts. If the machine lacks one of them, Debian's packages are unpacked into
 * `.cache`, which needs no root and installs nothing.
 */
export async function findPython(): Promise<Python> {
  const installed: Python = { command: '/usr/bin/python3', env: process.env };
  if (await works(installed)) return installed;
  const folder = join(CACHE, `python-${process.arch}`);
  const check = async (tree: string) => {
    const { command, env } = pythonIn(tree);
    await run(command, CHECK, { env });
  };
  await unpackDebian({ names: PACKAGES, withDependencies: true, folder, check }, CACHE);
  return pythonIn(folder);
}

const works = ({ command, env }: Python): Promise<boolean> =>
  run(command, CHECK, { env }).then(
    () => true,
    () => false,
  );

function pythonIn(folder: string): Python {
  return {
    command: join(folder, 'usr/bin/python3'),
    env: { PYTHONHOME: join(folder, 'usr'), LD_LIBRARY_PATH: librariesIn(folder).join(':') },
  };
}
