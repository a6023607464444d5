import { execFile } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { type Binary, unpackDebian } from '../../../scripts/launch/servers/debian-packages.ts';
import { createTestFolder } from '../../kit/test-folder.ts';
import { DEPLOY } from '../check-program.ts';

const run = promisify(execFile);
const { path: folder, remove } = createTestFolder();
test.after.always(remove);

test("Debian's docker-compose takes the file of one host", async (t) => {
  const start = async ({ command, env }: Binary, args: readonly string[]) => {
    const python = { ...env, PYTHONHOME: dirname(dirname(command)), TOLLHOUSE_HOST: 'api.example.com', HOME: folder };
    return run(join(dirname(command), 'python3'), [command, ...args], { env: python, cwd: folder });
  };
  const path = 'usr/bin/docker-compose';
  const check = async (binary: Binary) => void (await start(binary, ['--version']));
  const compose = await unpackDebian({ packages: ['docker-compose'], path, check });
  copyFileSync(join(DEPLOY, 'compose.yaml'), join(folder, 'compose.yaml'));
  writeFileSync(join(folder, 'production.env'), 'X402_NETWORK=eip155:84532\n');
  t.regex((await start(compose, ['-f', 'compose.yaml', 'config'])).stdout, /X402_NETWORK: eip155:84532/);
});

test("Debian's kubectl takes the base of Kustomize", async (t) => {
  const check = async ({ command, env }: Binary) => void (await run(command, ['version', '--client'], { env }));
  const kubectl = await unpackDebian({ packages: ['kubernetes-client'], path: 'usr/bin/kubectl', check });
  const { stdout } = await run(kubectl.command, ['kustomize', join(DEPLOY, 'kubernetes')], { env: kubectl.env });
  t.is(stdout.match(/^kind: Deployment$/gm)?.length, 6);
});
