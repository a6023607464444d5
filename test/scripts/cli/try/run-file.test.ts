import test from 'ava';
import { changePlan } from '../../../../scripts/cli/try/plan-changes.ts';
import { readPlanFile, readRun, readRunFiles } from '../../../../scripts/cli/try/run-file.ts';

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
