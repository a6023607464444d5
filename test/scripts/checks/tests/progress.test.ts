import test from 'ava';
import { createTestProgress, durationOf, type KnownFile } from '../../../../scripts/checks/tests/progress.ts';

const PATHS = ['test/a.test.ts', 'test/b.test.ts', 'test/c.test.ts', 'test/d.test.ts'] as const;
const [A, B, C, D] = PATHS;

function begin(known: Readonly<Record<string, KnownFile>> = {}) {
  let nowMs = 5000;
  const progress = createTestProgress({ paths: PATHS, known: new Map(Object.entries(known)), now: () => nowMs });
  return {
    progress,
    wait: (ms: number) => {
      nowMs += ms;
    },
    run(path: string, tests: number) {
      progress.started(path);
      for (let n = 0; n < tests; n += 1) progress.happened(path, { type: 'declared' });
      for (let n = 0; n < tests; n += 1) progress.happened(path, { type: 'passed' });
    },
  };
}

test('the line says what is done, what runs, since when, and what is left', (t) => {
  const { progress, run, wait } = begin({
    [A]: { tests: 2, seconds: 10, cpuSeconds: 1 },
    [B]: { tests: 3, seconds: 10, cpuSeconds: 1 },
    [C]: { tests: 4, seconds: 10, cpuSeconds: 1 },
    [D]: { tests: 5, seconds: 30, cpuSeconds: 1 },
  });
  run(A, 2);
  wait(10_000);
  progress.happened(A, { type: 'ended', cpuSeconds: 1 });
  progress.started(B);
  progress.happened(B, { type: 'declared' });
  progress.happened(B, { type: 'failed', title: 'it works', text: 'no' });
  wait(5000);
  // A sixth of the known time took 15 s.
  t.is(progress.line(), '3 of about 12 tests, 1 of 4 files; 1 failed; 15 s, about 1:15 min left; b.test.ts 5 s');
});

test('without earlier times, the number of tests is not known', (t) => {
  const { progress, run } = begin();
  run(A, 2);
  t.is(progress.line(), '2 tests, 0 of 4 files; 0 s; a.test.ts 0 s');
});

test('three running files are named, and each that runs for more than a minute', (t) => {
  const { progress, run, wait } = begin();
  for (const path of PATHS) run(path, 1);
  wait(59_000);
  t.regex(progress.line(), /; 59 s; a\.test\.ts 59 s; b\.test\.ts 59 s; c\.test\.ts 59 s$/);
  wait(2000);
  t.regex(progress.line(), /c\.test\.ts 1:01 min; d\.test\.ts 1:01 min$/);
});

test('passed, failed and skipped tests are counted, and the times of ended files are kept', (t) => {
  const { progress, run, wait } = begin();
  run(A, 3);
  progress.happened(A, { type: 'skipped' });
  progress.happened(A, { type: 'failed', title: 'a hook', text: '' });
  wait(1500);
  progress.happened(A, { type: 'ended', cpuSeconds: 0.5 });
  progress.started(B);
  t.deepEqual(progress.count(), { passed: 3, failed: 1, skipped: 1 });
  t.deepEqual([...progress.known()], [[A, { tests: 3, seconds: 1.5, cpuSeconds: 0.5 }]]);
});

test('the slowest files come first, with their processor time', (t) => {
  const paths = Array.from({ length: 12 }, (_, index) => `test/${index}.test.ts`);
  let nowMs = 0;
  const progress = createTestProgress({ paths, known: new Map(), now: () => nowMs });
  for (const [index, path] of paths.entries()) {
    progress.started(path);
    nowMs += 1000 * index;
    progress.happened(path, { type: 'ended', cpuSeconds: index / 2 });
  }
  const [title, ...lines] = progress.slowest(10);
  t.is(title, '12 files in 1:06 min, 33 s of processor time. The slowest:');
  t.is(lines.length, 10);
  t.is(lines[0], '   11.0 s    5.5 s of processor  test/11.test.ts');
  t.is(lines.at(-1), '    2.0 s    1.0 s of processor  test/2.test.ts');
});

test('durations of a minute or more are minutes and seconds', (t) => {
  t.deepEqual([400, 59_400, 59_600, 185_000].map(durationOf), ['0 s', '59 s', '1:00 min', '3:05 min']);
});
