import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { Type } from 'typebox';
import { Parse } from 'typebox/value';
import { parse } from 'yaml';
import type { ProgramName } from '../../scripts/launch/processes/programs.ts';
import { preparationFor } from '../../services/store/preparation-sql.ts';
import { createTestFolder } from '../kit/test-folder.ts';
import { DEPLOY, faultsOf, NAMES, PAY_TO, ROOT, type Settings } from './check-program.ts';

const run = promisify(execFile);
const { path: folder, remove } = createTestFolder();
test.after.always(remove);

const Texts = Type.Array(Type.String());
const Compose = Type.Object({
  services: Type.Record(
    Type.String(),
    Type.Object({
      command: Type.Optional(Texts),
      environment: Type.Optional(Type.Record(Type.String(), Type.String())),
      env_file: Type.Optional(Type.String()),
      volumes: Type.Optional(Texts),
      network_mode: Type.Optional(Type.String()),
      read_only: Type.Optional(Type.Boolean()),
      stop_grace_period: Type.Optional(Type.String()),
    }),
  ),
});

const EXAMPLE = readFileSync(join(DEPLOY, 'production.env.example'), 'utf8');

const { services } = Parse(Compose, parse(readFileSync(join(DEPLOY, 'compose.yaml'), 'utf8'), { merge: true }));

/** The variables of a service. */
function settingsOf(name: ProgramName): Settings {
  const lines = services[name]?.env_file === undefined ? [] : EXAMPLE.matchAll(/^([A-Z0-9_]+)=(.*)$/gm);
  const given = Object.fromEntries([...lines].map(([, key = '', value = '']) => [key, value]));
  const own = Object.entries(services[name]?.environment ?? {});
  const set = own.map(([key, value]) => [key, value.replace(/\$\{TOLLHOUSE_HOST.*?\}/, 'api.example.com')]);
  return { ...given, ...(given['X402_PAY_TO'] === '' && { X402_PAY_TO: PAY_TO }), ...Object.fromEntries(set) };
}

/** Every file of a folder with its text. */
const filesIn = (path: string) =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), 'utf8')]);

test('the first step makes keys and a database once, with which each program takes its settings', async (t) => {
  const [settings, database] = [join(folder, 'settings'), join(folder, 'database')];
  for (const path of [settings, database, join(folder, 'bin')]) mkdirSync(path);
  const command = `exec '${process.execPath}' '${join(ROOT, 'scripts/cli/tollhouse/main.ts')}' "$@"`;
  writeFileSync(join(folder, 'bin/tollhouse'), `#!/bin/sh\n${command}\n`, { mode: 0o755 });
  const script = String(services['setup']?.command?.[0]).replaceAll('$$', '$');
  const here = script.replaceAll('/etc/tollhouse', settings).replaceAll('/var/lib/tollhouse', database);
  const setUp = async () => {
    await run('sh', ['-euc', here], { env: { PATH: `${join(folder, 'bin')}:${process.env['PATH']}` } });
    return [...filesIn(settings), ...filesIn(database)];
  };
  const made = await setUp();
  t.deepEqual(await setUp(), made);
  const url = readFileSync(join(settings, 'database-url'), 'utf8');
  const [, password = ''] = /^postgresql:\/\/tollhouse:([0-9a-f]{64})@postgres\/tollhouse$/.exec(url) ?? [];
  const sql = `${preparationFor(url)}\nALTER ROLE tollhouse PASSWORD '${password}';\n`;
  t.is(readFileSync(join(database, 'prepare.sql'), 'utf8'), sql);

  writeFileSync(join(settings, 'signer'), `0x${'4'.repeat(64)}`);
  writeFileSync(join(settings, 'rpc-url'), 'https://rpc.example');
  for (const name of NAMES) {
    t.is(await faultsOf(name, settingsOf(name), settings), '[]', name);
  }
});

test('only the gateway and the back office reach payments, and programs are stopped with time', (t) => {
  const reach = (volume: string) =>
    Object.keys(services).filter((name) => services[name]?.volumes?.some((each) => each.startsWith(`${volume}:`)));
  t.deepEqual(reach('payments').toSorted(), ['backoffice', 'gateway', 'payments']);
  t.deepEqual(reach('database').toSorted(), ['postgres', 'setup']);
  for (const name of NAMES) {
    const service = services[name];
    t.deepEqual(service?.command, ['serve', name]);
    t.like(service, { read_only: true, stop_grace_period: '75s' });
  }
  for (const name of ['content', 'maps']) t.is(services[name]?.network_mode, 'none');
});
