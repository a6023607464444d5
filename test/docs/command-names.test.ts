import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import test from 'ava';
import { withoutOptions } from '../../scripts/cli/terminal/program.ts';
import { COMMANDS } from '../../scripts/cli/tollhouse/commands.ts';

const ROOT = resolve(import.meta.dirname, '../..');

test('every command of two words that a document names in a sentence exists', (t) => {
  const commands = new Set(
    Object.values(COMMANDS).flatMap((rows) =>
      Object.keys(rows).map((usage) => withoutOptions(usage).replace(/ [<[].*/, '')),
    ),
  );
  const names = new Set(Array.from(commands, (command) => command.split(' ')[0]));
  t.true(commands.has('calls unfreeze') && commands.has('payments show'));
  const found = globSync('{*.md,docs/**/*.md}', { cwd: ROOT }).flatMap((page) =>
    [...readFileSync(resolve(ROOT, page), 'utf8').matchAll(/`(?:tollhouse )?([a-z]+) ([a-z]+)(?=[ `])/g)].map(
      ([, name = '', act]) => ({ page, name, command: `${name} ${act}` }),
    ),
  );
  const wrong = found.filter(({ name, command }) => names.has(name) && !commands.has(command));
  t.deepEqual(
    wrong.map(({ page, command }) => `${page}: ${command}`),
    [],
  );
  t.true(found.length > 50);
});
