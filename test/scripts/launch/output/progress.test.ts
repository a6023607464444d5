import test from 'ava';
import { createProgress } from '../../../../scripts/launch/output/progress.ts';

const streamOf = (lines: string[], isTTY = false) => ({
  isTTY,
  columns: 20,
  write: (text: string) => lines.push(text) > 0,
});

test('a long run reports its progress and its remaining time at most every five seconds', (t) => {
  let nowMs = 1000;
  const lines: string[] = [];
  const progress = createProgress({
    title: 'fuzz',
    total: 400,
    now: () => nowMs,
    stream: streamOf(lines),
  });
  nowMs += 4000;
  progress.add(50);
  nowMs += 1000;
  progress.add(50, '2 faults');
  progress.add(100);
  nowMs += 5000;
  progress.add(0);
  t.deepEqual(lines, [
    'fuzz: 100 of 400 (25 %), about 15 s left, 2 faults\n',
    'fuzz: 200 of 400 (50 %), about 10 s left\n',
  ]);
});

test('long remaining times are reported in minutes', (t) => {
  let nowMs = 0;
  const lines: string[] = [];
  const progress = createProgress({ title: 'soak', total: 10, now: () => nowMs, stream: streamOf(lines) });
  nowMs += 60_000;
  progress.add(1);
  t.deepEqual(lines, ['soak: 1 of 10 (10 %), about 9 min left\n']);
});

test('on a terminal, the line is rewritten, and removed at the end', (t) => {
  let nowMs = 0;
  const written: string[] = [];
  {
    using progress = createProgress({ title: 'addresses.csv', now: () => nowMs, stream: streamOf(written, true) });
    nowMs += 5000;
    progress.add(1_000_000);
  }
  t.deepEqual(written, ['\r\u001b[2Kaddresses.csv: 1000', '\r\u001b[2K']);
});
