import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { type Binary, type DebianProgram, unpackDebian } from '../../scripts/launch/servers/debian-packages.ts';

const run = promisify(execFile);

/** Python with the packages that the quickstarts name. */
export const findQuickstartPython = (): Promise<Binary> =>
  findPython('ecdsa, Cryptodome.Hash.keccak', { packages: ['python3-ecdsa', 'python3-pycryptodome'] });

/** Python with modules: the machine's, or that of Debian's packages, unpacked into `.cache`. */
export async function findPython(modules: string, program: Pick<DebianProgram, 'packages' | 'name'>): Promise<Binary> {
  const check = async ({ command, env }: Binary) => void (await run(command, ['-c', `import ${modules}`], { env }));
  const installed: Binary = { command: '/usr/bin/python3', env: process.env };
  try {
    await check(installed);
    return installed;
  } catch {
    const path = 'usr/bin/python3';
    return withHome(await unpackDebian({ ...program, path, check: (it) => check(withHome(it)) }));
  }
}

/** Where an unpacked Python finds its modules. */
const withHome = ({ command, env }: Binary): Binary => ({
  command,
  env: { ...env, PYTHONHOME: dirname(dirname(command)) },
});
