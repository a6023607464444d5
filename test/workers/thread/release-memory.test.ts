import test from 'ava';
import { releaseMemory } from '../../../workers/thread/release-memory.ts';
import { ownProcess } from '../../kit/own-process.ts';

ownProcess('it measures the memory of its process');

const MEGABYTE = 1024 * 1024;

test('garbage is collected, and the heap shrinks', (t) => {
  let rows = Array.from({ length: 500_000 }, (_, row) => ({ row }));
  const { heapTotal } = process.memoryUsage();
  t.is(rows.length, 500_000);
  rows = [];
  releaseMemory();
  t.true(process.memoryUsage().heapTotal < heapTotal - 10 * MEGABYTE);
});
