import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { openFiles } from '../files.ts';
import { commandIn } from '../run-command.ts';
import { CSV } from './addresses.ts';

const { folder: root, keep, remove } = openFiles();
test.after.always(remove);
const file = keep('Côte d’Or.csv', CSV);

const runIn = (folder: string) => commandIn({ MAPS_PLACES: folder }, 'places');
const run = runIn(join(root, 'sets'));

test.serial('a set is imported under the name of its file, listed and removed', async (t) => {
  const imported = await run('import', file);
  t.like(imported, { exitCode: 0 });
  t.regex(imported.output, /c-te-d-or: 8 addresses of 5 streets$/);
  t.regex((await run('list')).output, /^c-te-d-or +8 +5 +1 /m);
  t.like(JSON.parse((await run('list', '--json')).output), [{ name: 'c-te-d-or', addresses: '8', streets: '5' }]);
  t.like(await run('remove', 'c-te-d-or'), { exitCode: 0, output: 'removed c-te-d-or' });
  t.like(await run('remove', 'c-te-d-or'), { exitCode: 1, errors: 'there is no set c-te-d-or' });
  t.like(await run('list'), { exitCode: 0, output: 'none' });
});

test.serial('wrong arguments and a missing folder are named, with exit code 2', async (t) => {
  for (const args of [[], ['move'], ['import'], ['list', 'x'], ['import', file, '--name', '../up']]) {
    t.is((await run(...args)).exitCode, 2, args.join(' '));
  }
  const { exitCode, errors } = await commandIn({}, 'places')('list');
  t.is(exitCode, 2);
  t.regex(errors, /^MAPS_PLACES: found nothing/);
});

test.serial('a name that leads out of the folder removes nothing, and a missing file is named', async (t) => {
  t.like(await run('remove', '../Côte d’Or.csv'), { exitCode: 1 });
  const { exitCode, errors } = await run('import', join(root, 'missing.csv'));
  t.is(exitCode, 2);
  t.regex(errors, /missing\.csv: there is no such file/);
});

test.serial('a file that is not a set is listed as one that cannot be read, and can be removed', async (t) => {
  const folder = join(root, 'others');
  const runOthers = runIn(folder);
  t.like(await runOthers('import', file, '--name', 'good'), { exitCode: 0 });
  writeFileSync(join(folder, 'empty.places'), '');
  writeFileSync(join(folder, 'text.places'), 'not a database, but longer than a header of one\n'.repeat(10));
  const { exitCode, output } = await runOthers('list');
  t.is(exitCode, 0);
  t.regex(output, /^empty .* cannot be read: .*version 0 of the address format, not 3; import it again$/m);
  t.regex(output, /^text .* cannot be read: file is not a database$/m);
  t.regex(output, /^good +8 /m);
  t.like(JSON.parse((await runOthers('list', '--json')).output), [
    { name: 'empty' },
    { name: 'good', addresses: '8' },
    { name: 'text', unreadable: 'file is not a database' },
  ]);
  t.like(await runOthers('remove', 'text'), { exitCode: 0 });
});
