import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { reportOf, runTollhouse } from '../../../../scripts/cli/tollhouse/tollhouse.ts';
import { openSolver } from '../../../../services/verification/offline/solver.ts';
import { hashPlan } from '../../../../services/verification/records/record-hashes.ts';
import { EXAMPLE_NAMES, examplePath, readExample } from '../../../models/plan-texts.ts';

const TOOLS = ['--tools', examplePath('tools.yaml')];
const folder = mkdtempSync(join(tmpdir(), 'plans-'));
// While it is open, all commands of this process use it.
const solver = await openSolver();
test.after.always(async () => {
  await solver.close();
  rmSync(folder, { recursive: true });
});

/** Runs a command. Its output, and what it would print and exit with if it fails. */
async function run(...args: readonly string[]) {
  const lines: string[] = [];
  try {
    await runTollhouse(args, { environment: {}, say: (line) => lines.push(line) });
    return { lines, exitCode: 0, message: '' };
  } catch (error) {
    const { message, exitCode } = reportOf(error);
    return { lines, exitCode, message: String(message) };
  }
}

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

for (const name of EXAMPLE_NAMES) {
  test.serial(`the example ${name} passes and fails as documented`, async (t) => {
    const file = examplePath(`${name}.yaml`);
    t.true(readExample(`${name}.yaml`).trimEnd().split('\n').length <= 40);
    const tested = await run('plan', 'test', file, ...TOOLS);
    t.is(tested.message, '');
    const verdicts = tested.lines.map((line) => /^ok .*: (satisfied|violated)$/.exec(line)?.[1]);
    t.true(verdicts.filter((verdict) => verdict === 'satisfied').length >= 2);
    t.true(verdicts.filter((verdict) => verdict === 'violated').length >= 4);
  });
}

test.serial('plan table makes JSON lines of a CSV file, or says in which line it cannot', async (t) => {
  const columns = ['--columns', '{ invoice: string(64), amount: decimal(2), payee: string(64) }'];
  const { lines } = await run('plan', 'table', examplePath('approved.csv'), ...columns);
  t.is(`${lines.join('\n')}\n`, readExample('approved.jsonl'));
  const file = write('wrong.csv', 'invoice,amount,payee\nN-1,"1.200,00",Acme\n');
  const wrong = await run('plan', 'table', file, ...columns);
  t.is(wrong.exitCode, 1);
  t.regex(wrong.message, /wrong\.csv:2: amount: "1\.200,00" is not a number/);
  t.regex((await run('plan', 'table', file, '--columns', '{ amount: money }')).message, /^--columns: .*money/);
  t.is((await run('plan', 'table', file)).exitCode, 2);
});

test.serial('plan lint has nothing to say about an example', async (t) => {
  const { lines } = await run('plan', 'lint', examplePath('purchase.yaml'), ...TOOLS);
  t.regex(lines.join('\n'), /^plan_hash [0-9a-f]{64}\nsome run obeys it$/);
});

test.serial('plan compile prints the canonical form, which lint, explain and test read like the text', async (t) => {
  const { lines } = await run('plan', 'compile', examplePath('payment-run.yaml'), ...TOOLS);
  const file = write('payment-run.json', lines.join('\n'));
  copyFileSync(examplePath('approved.jsonl'), join(folder, 'approved.jsonl'));
  const hash = hashPlan(JSON.parse(lines.join('')));
  t.true((await run('plan', 'lint', file, ...TOOLS)).lines.includes(`plan_hash ${hash}`));
  const { lines: view } = await run('plan', 'explain', file, ...TOOLS);
  t.true(view.join('\n').includes(`Hash to approve: \`${hash}\``));
  t.regex(view.join('\n'), /In all: at most \*\*50,000\.00 EUR\*\* in one run/);
  const { exitCode } = await run('plan', 'test', file, '--runs', examplePath('payment-run.runs.yaml'), ...TOOLS);
  t.is(exitCode, 0);
});

test.serial('plan tools prints a catalogue in canonical form, which --tools reads', async (t) => {
  const { lines } = await run('plan', 'tools', examplePath('tools.yaml'));
  const tools = write('tools.json', lines.join(''));
  const file = examplePath('refund.yaml');
  const [one, other] = await Promise.all([
    run('plan', 'compile', file, '--tools', tools),
    run('plan', 'compile', file, ...TOOLS),
  ]);
  t.deepEqual(one, other);
});

test.serial('faults are printed like those of a compiler, and the exit code is 1', async (t) => {
  const file = write(
    'wrong.yaml',
    readExample('refund.yaml').replace('<= cap', '<= capp').replace('times: 1..2', 'times: often'),
  );
  const { message, exitCode, lines } = await run('plan', 'compile', file, ...TOOLS);
  t.is(exitCode, 1);
  t.deepEqual(lines, []);
  t.regex(
    message,
    /^\S+wrong\.yaml:13:12: "often" is not a number of times.*\(MALFORMED_VALUE\)\n\S+wrong\.yaml:29:\d+: capp is not known\. Did you mean cap\? \(UNKNOWN_NAME\)$/,
  );
});

test.serial('a run with another verdict, or for another reason, fails the test', async (t) => {
  const runs = readExample('refund.runs.yaml');
  const verdict = write('verdict.runs.yaml', runs.replace('must: satisfied', 'must: violated'));
  const refund = examplePath('refund.yaml');
  const first = await run('plan', 'test', refund, '--runs', verdict, ...TOOLS);
  t.is(first.exitCode, 1);
  t.regex(first.lines[0] ?? '', /^FAILED +in one payment: it is satisfied, and must be violated/);
  const reason = write('reason.runs.yaml', runs.replace('because: within_cap', 'because: order'));
  const second = await run('plan', 'test', refund, '--runs', reason, ...TOOLS);
  t.regex(second.lines.join('\n'), /FAILED +over the cap: it is violated, but not because of order/);
});

test.serial('plan diff names the differences, and none between equal plans', async (t) => {
  copyFileSync(examplePath('approved.jsonl'), join(folder, 'approved.jsonl'));
  const other = write('other.yaml', readExample('payment-run.yaml').replace('cap: 50000.00', 'cap: 60000.00'));
  const { lines } = await run('plan', 'diff', examplePath('payment-run.yaml'), other, ...TOOLS);
  t.deepEqual(lines, ['- the given value `cap` changed, from: `decimal(2)` `50000.00` — to: `decimal(2)` `60000.00`']);
  t.deepEqual((await run('plan', 'diff', other, other, ...TOOLS)).lines, ['The plans are the same.']);
});

test.serial('plan new drafts a plan for every tool of the catalogue, and each compiles', async (t) => {
  const answers = [
    '--title',
    'A "new" plan: #1',
    '--expires',
    '2026-12-05T00:00:00Z',
    '--times',
    '3',
    '--limit',
    '100.00',
  ];
  const { lines: catalogue } = await run('plan', 'tools', examplePath('tools.yaml'));
  const names: readonly string[] = JSON.parse(catalogue.join('')).map(({ name }: { readonly name: string }) => name);
  const wanted = names.flatMap((name) => ['--tool', name]);
  const { lines } = await run('plan', 'new', ...TOOLS, ...answers, ...wanted);
  const linted = await run('plan', 'lint', write('new.yaml', lines.join('\n')), ...TOOLS);
  t.is(linted.message, '');
  t.regex(linted.lines.join('\n'), /ARGUMENT_FREE/);
});

test.serial('wrong arguments give the usage and exit code 2', async (t) => {
  for (const args of [
    ['plan'],
    ['plan', 'lint'],
    ['plan', 'bake', 'x'],
    ['plan', 'diff', 'a'],
    ['plan', 'lint', 'a', '--wrong'],
    ['plan', 'new'],
  ]) {
    t.is((await run(...args)).exitCode, 2, args.join(' '));
  }
  t.is((await run('plan', 'lint', join(folder, 'missing.yaml'))).exitCode, 2);
});

test.serial('a plan of format 1 is still checked', async (t) => {
  const file = fileURLToPath(new URL('../../../../docs/verified-execution/refund-agent/plan.json', import.meta.url));
  const { lines } = await run('plan', 'lint', file);
  t.true(lines.includes(`plan_hash ${hashPlan(JSON.parse(readFileSync(file, 'utf8')))}`));
});
