import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { reportOf, runTollhouse } from '../../../../../scripts/cli/tollhouse/tollhouse.ts';
import { CSV } from './addresses.ts';

const root = mkdtempSync(join(tmpdir(), 'tollhouse places-'));
test.after.always(() => rmSync(root, { recursive: true, force: true }));
const file = join(root, 'Côte d’Or.csv');
writeFileSync(file, CSV);

async function run(args: readonly string[], environment: NodeJS.ProcessEnv = { MAPS_PLACES: join(root, 'sets') }) {
  const lines: string[] = [];
  try {
    await runTollhouse(['places', ...args], { environment, say: (line) => lines.push(line) });
    return { exitCode: 0, output: lines.join('\n') };
  } catch (error) {
    const { message, exitCode } = reportOf(error);
    return { exitCode, output: String(message) };
  }
}

test.serial('a set is imported under the name of its file, listed and removed', async (t) => {
  const imported = await run(['import', file]);
  t.like(imported, { exitCode: 0 });
  t.regex(imported.output, /c-te-d-or: 8 addresses of 5 streets$/);
  t.regex((await run(['list'])).output, /^c-te-d-or +8 addresses +5 streets 1 MB/);
  t.like(JSON.parse((await run(['list', '--json'])).output), [{ name: 'c-te-d-or', addresses: '8', streets: '5' }]);
  t.like(await run(['remove', 'c-te-d-or']), { exitCode: 0, output: 'removed c-te-d-or' });
  t.like(await run(['remove', 'c-te-d-or']), { exitCode: 1, output: 'there is no set c-te-d-or' });
  t.deepEqual(await run(['list']), { exitCode: 0, output: '' });
});

test.serial('wrong arguments and a missing folder are named, with exit code 2', async (t) => {
  for (const args of [[], ['move'], ['import'], ['list', 'x'], ['import', file, '--name', '../up']]) {
    t.is((await run(args)).exitCode, 2, args.join(' '));
  }
  const { exitCode, output } = await run(['list'], {});
  t.is(exitCode, 2);
  t.regex(output, /^MAPS_PLACES: found nothing/);
});

test.serial('a name that leads out of the folder removes nothing, and a missing file is named', async (t) => {
  t.like(await run(['remove', '../Côte d’Or.csv']), { exitCode: 1 });
  const { exitCode, output } = await run(['import', join(root, 'missing.csv')]);
  t.is(exitCode, 2);
  t.regex(output, /ENOENT.*missing\.csv/);
});

test.serial('a file that is not a set is listed as one that cannot be read, and can be removed', async (t) => {
  const folder = join(root, 'others');
  const environment = { MAPS_PLACES: folder };
  t.like(await run(['import', file, '--name', 'good'], environment), { exitCode: 0 });
  writeFileSync(join(folder, 'empty.places'), '');
  writeFileSync(join(folder, 'text.places'), 'not a database, but longer than a header of one\n'.repeat(10));
  const { exitCode, output } = await run(['list'], environment);
  t.is(exitCode, 0);
  t.regex(output, /^empty +cannot be read: .*version 0 of the address format, not 3; import it again$/m);
  t.regex(output, /^text +cannot be read: file is not a database$/m);
  t.regex(output, /^good +8 addresses/m);
  t.like(JSON.parse((await run(['list', '--json'], environment)).output), [
    { name: 'empty' },
    { name: 'good', addresses: '8' },
    { name: 'text', unreadable: 'file is not a database' },
  ]);
  t.like(await run(['remove', 'text'], environment), { exitCode: 0 });
});
