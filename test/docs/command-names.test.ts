import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import test from 'ava';
import { reportOf, runTollhouse } from '../../scripts/cli/tollhouse/tollhouse.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const TERMINAL = { environment: {}, say: () => {} };

/** The commands of the usage, with each of their alternatives: `calls freeze` and `calls unfreeze`. */
async function readCommands(): Promise<ReadonlySet<string>> {
  const usage = await runTollhouse([], TERMINAL).catch((error: unknown) => String(reportOf(error).message));
  const lines = [...String(usage).matchAll(/^ {2}([a-z]+) ([a-z|]+)/gm)];
  return new Set(lines.flatMap(([, name, acts = '']) => acts.split('|').map((act) => `${name} ${act}`)));
}

test('every command of two words that a document names in a sentence exists', async (t) => {
  const commands = await readCommands();
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
