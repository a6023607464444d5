import { execFile } from 'node:child_process';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { PROGRAMS } from '../../scripts/launch/processes/programs.ts';
import { type Binary, unpackDebian } from '../../scripts/launch/servers/debian-packages.ts';
import { createTestFolder } from '../kit/test-folder.ts';

const run = promisify(execFile);
const UNITS = resolve(import.meta.dirname, '../../deploy/systemd');
const SERVICES = Object.keys(PROGRAMS).map((name) => `tollhouse@${name}.service`);
/** What every unit needs of systemd. */
const TARGETS = ['sysinit', 'basic', 'shutdown', 'network-online', 'multi-user'];
/** Tenths of systemd's exposure, which is from 0.0 to 10.0. */
const MAX_EXPOSURE = '30';

const folder = createTestFolder();
test.after.always(() => folder.remove());

/** The installed systemd-analyze, or that of Debian's package. It asks no running systemd. */
async function findAnalyze(): Promise<Binary> {
  const command = '/usr/bin/systemd-analyze';
  if (existsSync(command)) return { command, env: {} };
  const check = async (program: Binary) => {
    await run(program.command, ['--version'], { env: withPrivate(program).env });
  };
  return withPrivate(await unpackDebian({ packages: ['systemd'], path: 'usr/bin/systemd-analyze', check }));
}

/** systemd has its own libraries in a folder below those of all. */
function withPrivate({ command, env }: Binary): Binary {
  const folders = String(env['LD_LIBRARY_PATH']).split(':');
  const all = [...folders, ...folders.map((path) => join(path, 'systemd'))];
  return { command, env: { LD_LIBRARY_PATH: all.join(':') } };
}

/** Installs the units as a user's, which needs no right of root. @returns a run of systemd-analyze on them */
async function install() {
  const { path, runDir } = folder;
  cpSync(UNITS, path, { recursive: true });
  for (const name of TARGETS) writeFileSync(join(path, `${name}.target`), '[Unit]\n');
  const template = join(path, 'tollhouse@.service');
  writeFileSync(template, readFileSync(template, 'utf8').replaceAll('/usr/local/bin/tollhouse', '/usr/bin/true'));
  const { command, env } = await findAnalyze();
  const own = { ...env, HOME: path, XDG_RUNTIME_DIR: runDir, SYSTEMD_UNIT_PATH: path };
  return (verb: string, ...args: readonly string[]) => run(command, [verb, '--user', ...args], { env: own });
}

test('systemd takes the units of all programs without a warning, and finds them hardened', async (t) => {
  const analyze = await install();
  const { stdout, stderr } = await analyze('verify', '--man=no', 'tollhouse.target', ...SERVICES);
  t.is(`${stdout}${stderr}`, '');
  for (const unit of SERVICES) {
    await t.notThrowsAsync(analyze('security', '--offline=true', `--threshold=${MAX_EXPOSURE}`, unit));
  }
});

const read = (file: string) => readFileSync(join(UNITS, file), 'utf8');

test('only programs with keys reach payments, and those that read what strangers send have neither', (t) => {
  const lines = read('tollhouse@.service').matchAll(/^(?:Environment=)?(\w+)=(.*)$/gm);
  const unit = Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, value]));
  t.like(unit, {
    User: 'tollhouse',
    Group: 'tollhouse',
    RuntimeDirectory: 'tollhouse/%i',
    RuntimeDirectoryMode: '0700',
  });
  for (const name of Object.keys(PROGRAMS).filter((each) => each !== 'gateway')) {
    t.is(unit['LISTEN']?.replace('%i', name), unit[`${name.toUpperCase()}_URL`]);
  }
  for (const name of ['content', 'maps']) {
    const own = read(`tollhouse@${name}.service.d/reader.conf`);
    const lines = ['User=tollhouse-reader', 'RuntimeDirectoryMode=0750', 'UMask=0007', 'PrivateNetwork=yes'];
    const without = ['StateDirectory=', 'CacheDirectory=', 'EnvironmentFile='];
    const settings = 'EnvironmentFile=-/etc/tollhouse/%i.env';
    t.true(own.endsWith(`[Service]\n${[...lines, ...without, settings].join('\n')}\n`));
  }
});
