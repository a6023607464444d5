import test from 'ava';
import { createProgress } from '../../../scripts/lab/progress.ts';

test('a long run reports its progress and its remaining time at most every five seconds', (t) => {
  let nowMs = 1000;
  const lines: string[] = [];
  const progress = createProgress({
    title: 'fuzz',
    total: 400,
    now: () => nowMs,
    report: (line) => lines.push(line),
  });
  nowMs += 4000;
  progress.add(50);
  nowMs += 1000;
  progress.add(50, '2 faults');
  progress.add(100);
  nowMs += 5000;
  progress.add(0);
  t.deepEqual(lines, [
    'fuzz: 100 of 400 (25 %), about 15 s left, 2 faults',
    'fuzz: 200 of 400 (50 %), about 10 s left',
  ]);
});

test('long remaining times are reported in minutes', (t) => {
  let nowMs = 0;
  const lines: string[] = [];
  const progress = createProgress({ title: 'soak', total: 10, now: () => nowMs, report: (line) => lines.push(line) });
  nowMs += 60_000;
  progress.add(1);
  t.deepEqual(lines, ['soak: 1 of 10 (10 %), about 9 min left']);
});
