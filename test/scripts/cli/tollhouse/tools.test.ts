import { randomUUID } from 'node:crypto';
import test from 'ava';
import { openSolver } from '../../../../services/verification/offline/solver.ts';
import { createTestDatabase } from '../../../kit/test-database.ts';
import { daily, transfer } from '../../../services/verification/catalogue/tools.ts';
import { openFiles } from './files.ts';
import { commandIn } from './run-command.ts';

const { url, stop } = await createTestDatabase();
const { keep, remove } = openFiles();
// While it is open, all commands of this process use it.
const solver = await openSolver();
test.after.always(async () => {
  await solver.close();
  await stop();
  remove();
});

const run = commandIn({ DATABASE_URL: url, TOLLHOUSE_OPERATOR: 'tester' });
const file = (name: string, content: string | object): string =>
  keep(name, typeof content === 'string' ? content : JSON.stringify(content));

const YAML = `tools:
  mail.send@1.0.0:
    effect: write
    args: { to: string(254) }
    responds: { id: string(64) }
    limits: { recipient: 3 acts for each to per day }
`;

test.serial('imports a catalogue in YAML for all tenants, once', async (t) => {
  const path = file('tools.yaml', YAML);
  t.regex(
    (await run('tools', 'import', path)).output,
    /^mail\.send@1\.0\.0 {2}[0-9a-f]{64}\n1 of 1 descriptions are new$/,
  );
  t.regex((await run('tools', 'import', path)).output, /0 of 1 descriptions are new$/);
  t.regex((await run('tools', 'list')).output, /^mail\.send@1\.0\.0 +write +operator +[0-9a-f]{64}$/m);
  t.regex((await run('acts')).output, /tester +verification\.tools\.import|verification\.tools\.import/);
});

test.serial('imports descriptions in JSON for one tenant, which lists the operator’s too', async (t) => {
  const created = await run('tenant', 'create', `tools-${randomUUID()}`);
  const tenantId = /tenant +([0-9a-f-]{36})/.exec(created.output)?.[1] ?? '';
  const path = file('tools.json', [transfer({ limits: [daily()] })]);
  t.is((await run('tools', 'import', path, '--tenant', tenantId)).exitCode, 0);
  const { output } = await run('tools', 'list', '--tenant', tenantId, '--json');
  t.like(JSON.parse(output), [
    { name: 'bank.transfer', origin: 'tenant' },
    { name: 'mail.send', origin: 'operator' },
  ]);
  t.notRegex((await run('tools', 'list')).output, /bank\.transfer/);
  const nobody = await run('tools', 'import', path, '--tenant', randomUUID());
  t.deepEqual([nobody.exitCode, /there is no tenant/.test(nobody.errors)], [1, true]);
});

for (const [what, name, content, fault] of [
  ['YAML with a fault', 'a.yaml', YAML.replace('string(254)', 'strang'), /a\.yaml:4:/],
  [
    'an expression that cannot be read',
    'b.json',
    [transfer({ post: [{ id: 'a', expr: ['arg', 'x'] }] })],
    /bank\.transfer@1\.0\.0\/post\/0/,
  ],
  ['a wrong limit', 'c.json', [transfer({ limits: [daily({ of: 'payee' })] })], /\/limits\/0\/of/],
  ['a confusable name', 'd.json', [transfer({ name: 'Mail-Send', version: '2.0.0' })], /TOOL_NAME_CONFUSABLE/],
  ['no description', 'e.json', { tool_format: 1 }, /not the description of a tool/],
] as const) {
  test.serial(`refuses a file with ${what}, and stores nothing of it`, async (t) => {
    const before = (await run('tools', 'list')).output;
    const { exitCode, errors } = await run('tools', 'import', file(name, content));
    t.is(exitCode, 1);
    t.regex(errors, fault);
    t.is((await run('tools', 'list')).output, before);
  });
}

test.serial('wrong arguments exit with 2', async (t) => {
  for (const args of [[], ['import'], ['list', 'x'], ['import', 'x', '--tenant', 'y'], ['drop']]) {
    t.is((await run('tools', ...args)).exitCode, 2, args.join(' '));
  }
});
