import { readFileSync } from 'node:fs';
import test from 'ava';
import { changePlan } from '../../../../scripts/cli/try/plan-changes.ts';
import { readPlanFile, readRun, readRunFiles } from '../../../../scripts/cli/try/run-file.ts';
import { compileTools } from '../../../../workers/plan-text/tools/compile-tools.ts';

test('every run of the example is read, and its changes fit the plan', (t) => {
  const runs = [...readRunFiles()];
  t.true(runs.length > 0);
  for (const [name, text] of runs) {
    const { plan = {} } = readRun(text, 'play');
    t.notThrows(() => changePlan(readPlanFile(), plan), name);
  }
});

test('a run file that lacks a field is refused', (t) => {
  t.throws(() => readRun('{"title":"No actions","expect":{"at":"proof"},"evidence":[]}', 'play'), {
    message: /run file/,
  });
});

test('a changed plan is a copy with new values', (t) => {
  const plan = { steps: [{ tool: 'order.get' }] };
  t.deepEqual(changePlan(plan, { '/steps/0/tool': 'mail.send', '/title': 'New' }), {
    steps: [{ tool: 'mail.send' }],
    title: 'New',
  });
  t.deepEqual(plan, { steps: [{ tool: 'order.get' }] });
  t.throws(() => changePlan(plan, { '/missing/tool': 'x' }), { message: /no object or array at missing/ });
});

test('the limits of a sandbox count arguments that the tools of the example have', (t) => {
  const url = new URL('../../../../docs/verified-execution/examples/tools.yaml', import.meta.url);
  const { tools = [] } = compileTools(readFileSync(url, 'utf8'));
  const { tools: own } = readPlanFile() as {
    readonly tools: readonly { readonly name: string; readonly args: object }[];
  };
  const limits = tools.flatMap(({ name, limits = [] }) => limits.map((limit) => ({ name, limit })));
  t.true(limits.length > 0);
  for (const { name, limit } of limits) {
    const known = own.find((tool) => tool.name === name);
    const counted = [limit.of, limit.per].filter((argument) => argument !== null);
    for (const argument of counted) t.true(known === undefined || argument in known.args, `${name}: ${argument}`);
  }
});
