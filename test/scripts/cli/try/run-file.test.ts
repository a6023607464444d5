import test from 'ava';
import { readPlanFile, readRun, readRunFiles, readToolFile } from '../../../../scripts/cli/try/run-file.ts';

test('every run of the example is read, and its changes fit the plan', (t) => {
  const runs = [...readRunFiles()];
  t.true(runs.length > 0);
  t.is(readToolFile().length, 3);
  for (const [name, text] of runs) {
    const { plan = {} } = readRun(text, 'play');
    for (const part of Object.keys(plan)) t.true(readPlanFile().includes(part), name);
  }
});

test('a run file that lacks a field is refused', (t) => {
  t.throws(() => readRun('{"title":"No actions","expect":{"at":"proof"},"evidence":[]}', 'play'), {
    message: /run file/,
  });
});
