import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { openSolver } from '../../../../services/verification/offline/solver.ts';
import { hashPlan } from '../../../../services/verification/records/record-hashes.ts';
import { EXAMPLE_NAMES, examplePath, readExample } from '../../../models/plan-texts.ts';
import { openFiles } from './files.ts';
import { commandIn } from './run-command.ts';

const TOOLS = ['--tools', examplePath('tools.yaml')];
const { folder, keep, remove } = openFiles();
// While it is open, all commands of this process use it.
const solver = await openSolver();
test.after.always(async () => {
  await solver.close();
  remove();
});
const run = commandIn({}, 'plan');

for (const name of EXAMPLE_NAMES) {
  test.serial(`the example ${name} passes and fails as documented`, async (t) => {
    const file = examplePath(`${name}.yaml`);
    t.true(readExample(`${name}.yaml`).trimEnd().split('\n').length <= 40);
    const tested = await run('test', file, ...TOOLS);
    t.is(tested.errors, '');
    const verdicts = tested.output.split('\n').map((line) => /^ok .*: (satisfied|violated)$/.exec(line)?.[1]);
    t.true(verdicts.filter((verdict) => verdict === 'satisfied').length >= 2);
    t.true(verdicts.filter((verdict) => verdict === 'violated').length >= 4);
  });
}

test.serial('plan table makes JSON lines of a CSV file, or says in which line it cannot', async (t) => {
  const columns = ['--columns', '{ invoice: string(64), amount: decimal(2), payee: string(64) }'];
  const { output } = await run('table', examplePath('approved.csv'), ...columns);
  t.is(`${output}\n`, readExample('approved.jsonl'));
  const file = keep('wrong.csv', 'invoice,amount,payee\nN-1,"1.200,00",Acme\n');
  const wrong = await run('table', file, ...columns);
  t.is(wrong.exitCode, 1);
  t.regex(wrong.errors, /wrong\.csv:2: amount: "1\.200,00" is not a number/);
  for (const [name, bytes] of [
    ['latin1.csv', Buffer.from('invoice,amount,payee\nN-1,1,Café\n', 'latin1')],
    ['utf16.csv', Buffer.from('\ufeffinvoice,amount,payee\nN-1,1,Acme\n', 'utf16le')],
  ] as const) {
    const { errors } = await run('table', keep(name, bytes), ...columns);
    t.is(/byte order mark of UTF-16/.test(errors), name === 'utf16.csv');
    t.regex(errors, /csv is not in UTF-8.*Save it in UTF-8$/);
  }
  t.regex((await run('table', file, '--columns', '{ amount: money }')).errors, /^--columns: .*money/);
  t.is((await run('table', file)).exitCode, 2);
});

test.serial('plan lint has nothing to say about an example', async (t) => {
  const { output } = await run('lint', examplePath('purchase.yaml'), ...TOOLS);
  t.regex(output, /^plan_hash [0-9a-f]{64}\nsome run obeys it$/);
});

test.serial('plan compile prints the canonical form, which lint, explain and test read like the text', async (t) => {
  const { output } = await run('compile', examplePath('payment-run.yaml'), ...TOOLS);
  const file = keep('payment-run.json', output);
  copyFileSync(examplePath('approved.jsonl'), join(folder, 'approved.jsonl'));
  const hash = hashPlan(JSON.parse(output));
  t.regex((await run('lint', file, ...TOOLS)).output, new RegExp(`^plan_hash ${hash}$`, 'm'));
  const { output: view } = await run('explain', file, ...TOOLS);
  t.true(view.includes(`Hash to approve: \`${hash}\``));
  t.regex(view, /In all: at most \*\*50,000\.00 EUR\*\* in one run/);
  const { output: compared } = await run('explain', file, '--before', file, ...TOOLS);
  for (const [text, words] of [
    [view, 'There is no earlier plan'],
    [compared, 'Compared with the plan before'],
  ] as const)
    t.true(text.includes(`## Payees\n\n${words}`), text);
  const { exitCode } = await run('test', file, '--runs', examplePath('payment-run.runs.yaml'), ...TOOLS);
  t.is(exitCode, 0);
});

test.serial('plan tools prints a catalogue in canonical form, which --tools reads', async (t) => {
  const { output } = await run('tools', examplePath('tools.yaml'));
  const tools = keep('tools.json', output);
  const file = examplePath('refund.yaml');
  const [one, other] = await Promise.all([run('compile', file, '--tools', tools), run('compile', file, ...TOOLS)]);
  t.deepEqual(one, other);
});

test.serial('a byte order mark is named in YAML and in JSON, and a CSV file may have one', async (t) => {
  const yaml = keep('marked.yaml', `\ufeff${readExample('refund.yaml')}`);
  t.regex((await run('lint', yaml, ...TOOLS)).errors, /marked\.yaml:1:1: this is a byte order mark \(U\+FEFF\)/);
  t.regex((await run('lint', keep('marked.json', '\ufeff{}'))).errors, /leave out the byte order mark/);
  const { output } = await run('table', keep('marked.csv', '\ufeffid\nA\n'), '--columns', '{ id: string }');
  t.is(output, '{"id":"A"}');
});

test.serial('faults are printed like those of a compiler, and the exit code is 1', async (t) => {
  const file = keep(
    'wrong.yaml',
    readExample('refund.yaml').replace('<= cap', '<= capp').replace('times: 1..2', 'times: often'),
  );
  const { errors, exitCode, output } = await run('compile', file, ...TOOLS);
  t.deepEqual([exitCode, output], [1, '']);
  t.regex(
    errors,
    /^\S+wrong\.yaml:13:12: "often" is not a number of times.*\(MALFORMED_VALUE\)\n\S+wrong\.yaml:29:\d+: capp is not known\. Did you mean cap\? \(UNKNOWN_NAME\)$/,
  );
});

test.serial('a run with another verdict, or for another reason, fails the test', async (t) => {
  const runs = readExample('refund.runs.yaml');
  const verdict = keep('verdict.runs.yaml', runs.replace('must: satisfied', 'must: violated'));
  const refund = examplePath('refund.yaml');
  const first = await run('test', refund, '--runs', verdict, ...TOOLS);
  t.is(first.exitCode, 1);
  t.regex(first.output, /^FAILED +in one payment: it is satisfied, and must be violated/);
  const reason = keep('reason.runs.yaml', runs.replace('because: within_cap', 'because: order'));
  const second = await run('test', refund, '--runs', reason, ...TOOLS);
  t.regex(second.output, /FAILED +over the cap: it is violated, but not because of order/);
  const twice = await run('test', refund, '--runs', keep('id.runs.yaml', runs.replaceAll('r2', 'r1')), ...TOOLS);
  t.regex(
    twice.output,
    /FAILED +in two payments: it is violated, .*: \/actions\/2\/response\/id is the identity of action 2/,
  );
});

test.serial('plan diff names the differences, and none between equal plans', async (t) => {
  copyFileSync(examplePath('approved.jsonl'), join(folder, 'approved.jsonl'));
  const other = keep('other.yaml', readExample('payment-run.yaml').replace('cap: 50000.00', 'cap: 60000.00'));
  const { output } = await run('diff', examplePath('payment-run.yaml'), other, ...TOOLS);
  t.is(output, '- the given value `cap` changed, from: `decimal(2)` `50000.00` — to: `decimal(2)` `60000.00`');
  t.is((await run('diff', other, other, ...TOOLS)).output, 'The plans are the same.');
});

test.serial('wrong arguments give the usage and exit code 2', async (t) => {
  for (const args of [[], ['lint'], ['bake', 'x'], ['diff', 'a'], ['lint', 'a', '--wrong']]) {
    t.is((await run(...args)).exitCode, 2, args.join(' '));
  }
});

for (const [what, args, exitCode, message] of [
  ['a missing plan', ['lint', 'missing.yaml'], 2, /^\S+missing\.yaml: there is no such file$/],
  [
    'a plan without runs',
    ['test', 'alone.yaml', ...TOOLS],
    2,
    /alone\.runs\.yaml: there is no such file.*#runs.*--runs/,
  ],
  [
    'a plan without its catalogue',
    ['lint', 'alone.yaml'],
    1,
    /\(UNKNOWN_TOOL\)\n(?:.*\n)*no catalogue was given: add --tools/,
  ],
] as const) {
  test.serial(`${what} is refused with what to do`, async (t) => {
    keep('alone.yaml', readExample('refund.yaml'));
    const [command, file, ...more] = args;
    const found = await run(command, join(folder, file), ...more);
    t.is(found.exitCode, exitCode);
    t.regex(found.errors, message);
  });
}
