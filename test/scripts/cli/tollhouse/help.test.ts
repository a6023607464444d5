import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import test from 'ava';
import { COMMANDS } from '../../../../scripts/cli/tollhouse/commands.ts';
import { commandIn } from './run-command.ts';

const ROOT = new URL('../../../../', import.meta.url);
const { version }: { readonly version: string } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'));
const run = commandIn({});

const USAGES = Object.entries(COMMANDS).flatMap(([heading, rows]) =>
  Object.entries(rows).map(([usage, row]) => ({
    heading,
    usage,
    row,
    names: usage.replace(/ \[?(?:<|--|[A-Z]).*/, ''),
  })),
);

test('--help prints all commands that are not old spellings, under headings', async (t) => {
  const { exitCode, output, errors } = await run('--help');
  t.deepEqual({ exitCode, errors }, { exitCode: 0, errors: '' });
  for (const { heading, names } of USAGES) {
    if (names.includes(' ')) continue;
    t.is(new RegExp(`^  ${names}\\b.* {2}`, 'm').test(output), heading !== '', names);
    t.true(output.includes(`\n${heading}`));
  }
});

test('each command has a module, and a help with its options, their meanings and an example', async (t) => {
  for (const { usage, names, row } of USAGES) {
    const [what, load] = row;
    const { exitCode, output, errors } = await run(...names.split(' '), '--help');
    t.deepEqual({ exitCode, errors }, { exitCode: 0, errors: '' }, names);
    t.true(output.replaceAll(/\s+/g, ' ').toLowerCase().includes(what.toLowerCase()), names);
    if (load === undefined) continue;
    t.is(typeof (await load()), 'function', names);
    t.true(output.includes(`Example:\n  npm run tollhouse -- ${names}`), names);
    for (const [flag] of usage.matchAll(/--[a-z-]+/g)) t.regex(output, new RegExp(`^  ${flag}.* {2}\\S`, 'm'), names);
  }
});

test('--version prints the version', async (t) => {
  t.deepEqual(await run('--version'), { exitCode: 0, output: version, errors: '' });
});

for (const [args, message] of [
  [['doctr'], /unknown command 'doctr'\n\(Did you mean doctor\?\)\n.*--help/],
  [['payments', 'lst'], /unknown command 'lst'\n\(Did you mean list\?\)/],
  [
    ['jobs', 'list', '--jsn'],
    /unknown option '--jsn'\n\(Did you mean --json\?\)\nUsage: npm run tollhouse -- jobs list /,
  ],
  [['jobs', 'list', 'x'], /too many arguments/],
  [['jobs', 'retry'], /missing required argument 'JOB_ID'/],
  [
    ['calls', 'freeze'],
    /'--reason <TEXT>' not.*\nUsage: .*\nExample: npm run tollhouse -- calls freeze --reason "a leak"$/,
  ],
  [['calls', 'freeze', '--reason', ' '], /give a reason/],
  [['reservations', 'list', '--limit', '0'], /--limit is a number/],
  [['earnings', '--csv', '--json'], /cannot be used with/],
  [['proofs', 'accept', '--reason', 'x', '--force', '--complete'], /cannot be used with/],
  [['completion', 'fish'], /bash or zsh/],
  [[], /^Usage: /],
] as const) {
  test(`tollhouse ${args.join(' ')} says what to type, and ends with 2`, async (t) => {
    const { exitCode, output, errors } = await run(...args);
    t.deepEqual({ exitCode, output }, { exitCode: 2, output: '' });
    t.regex(errors, message);
  });
}

/** Prints the address of every module before it is loaded. */
const LOADED = `data:text/javascript,import { registerHooks } from 'node:module';
registerHooks({ load(url, context, next) { console.log('loads ' + url); return next(url, context); } });`;

for (const [program, flag] of [
  ['tollhouse', '--help'],
  ['tollhouse', '--version'],
  ['try', '--help'],
] as const) {
  test(`${program} ${flag} loads no module of a service or of a command`, (t) => {
    const args = ['--import', LOADED, `scripts/cli/${program}/main.ts`, flag];
    const output = execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
    const loaded = [...output.matchAll(/^loads file:(.*)$/gm)].map(([, path]) => `file:${path}`.replace(ROOT.href, ''));
    const table = program === 'try' ? 'try/try.ts' : 'tollhouse/commands.ts';
    t.true(loaded.includes(`scripts/cli/${table}`));
    const allowed =
      /^(?:node_modules\/commander\/|scripts\/cli\/(?:terminal|[a-z]+\/(?:main|tollhouse|commands|try)\.ts)|scripts\/launch\/parse\/error-code|services\/platform\/process\/installation)/;
    t.deepEqual(
      loaded.filter((path) => !allowed.test(path)),
      [],
    );
  });
}

test('bash completes commands, their commands, and options', async (t) => {
  const { output } = await run('completion', 'bash');
  const completed = (...words: readonly string[]) =>
    execFileSync(
      'bash',
      [
        '-c',
        `${output}\nCOMP_WORDS=(tollhouse "$@"); COMP_CWORD=$#; _tollhouse; echo "\${COMPREPLY[*]}"`,
        'bash',
        ...words,
      ],
      { encoding: 'utf8' },
    ).trim();
  t.is(completed('pay'), 'payments');
  t.is(completed('payments', 're'), 'refund release reconcile');
  t.is(completed('payments', 'refund', 'x', '--re'), '--reason');
  t.is(completed('verify-proof', 'proof.json', '--k'), '--keys');
  t.is(completed('frz'), '');
  t.regex((await run('completion', 'zsh')).output, /bashcompinit/);
});
