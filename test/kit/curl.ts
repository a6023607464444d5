import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { type Binary, unpackDebian } from '../../scripts/launch/servers/debian-packages.ts';
import { defined } from '../../workers/exact/defined.ts';

const run = promisify(execFile);

/** An environment in which a shell finds curl: the machine's, or Debian's package unpacked into `.cache`. */
export async function environmentWithCurl(): Promise<NodeJS.ProcessEnv> {
  try {
    await check({ command: 'curl', env: process.env });
    return process.env;
  } catch {
    const { command, env } = await unpackDebian({ packages: ['curl'], path: 'usr/bin/curl', check });
    return { ...process.env, ...env, PATH: `${defined(process.env['PATH'])}:${dirname(command)}` };
  }
}

async function check({ command, env }: Binary): Promise<void> {
  await run(command, ['--version'], { env });
}
