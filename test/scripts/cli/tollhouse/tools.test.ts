import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { reportOf, runTollhouse } from '../../../../scripts/cli/tollhouse/tollhouse.ts';
import { startTestPostgres } from '../../../kit/servers.ts';
import { daily, transfer } from '../../../services/verification/catalogue/tools.ts';

const postgres = await startTestPostgres();
const folder = mkdtempSync(join(tmpdir(), 'tollhouse-tools-'));
test.after.always(async () => {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function run(...args: readonly string[]) {
  const lines: string[] = [];
  const environment = { DATABASE_URL: postgres.url, TOLLHOUSE_OPERATOR: 'tester' };
  try {
    await runTollhouse(args, { environment, say: (line) => lines.push(line) });
    return { exitCode: 0, output: lines.join('\n') };
  } catch (error) {
    const { message, exitCode } = reportOf(error);
    return { exitCode, output: String(message) };
  }
}

const file = (name: string, content: string | object): string => {
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  return join(folder, name);
};

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
  t.regex((await run('tools', 'list')).output, /^mail\.send@1\.0\.0 +write +operator +[0-9a-f]{64}$/);
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
  t.deepEqual([nobody.exitCode, /there is no tenant/.test(nobody.output)], [1, true]);
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
    const { exitCode, output } = await run('tools', 'import', file(name, content));
    t.is(exitCode, 1);
    t.regex(output, fault);
    t.is((await run('tools', 'list')).output, before);
  });
}

test.serial('wrong arguments exit with 2', async (t) => {
  for (const args of [[], ['import'], ['list', 'x'], ['import', 'x', '--tenant', 'y'], ['drop']]) {
    t.is((await run('tools', ...args)).exitCode, 2, args.join(' '));
  }
});
