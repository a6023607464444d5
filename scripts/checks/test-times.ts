import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SHOWN = 20;

/** Collects the times of test files, which `test/helpers/time-file.ts` writes. */
export function createTestTimes() {
  const folder = mkdtempSync(join(tmpdir(), 'tollhouse-test-times-'));
  const file = join(folder, 'times');
  return {
    environment: { TEST_TIMES: file },
    /** Prints the files that took the most CPU time, and removes the collected times. */
    print(): void {
      const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
      const files = lines.map((line) => {
        const [wallSeconds, cpuSeconds, path] = line.split('\t');
        return { wallSeconds: Number(wallSeconds), cpuSeconds: Number(cpuSeconds), path };
      });
      const total = files.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
      console.log(`\n${files.length} test files took ${total.toFixed(0)} s of CPU time. CPU seconds, seconds, file:`);
      for (const { wallSeconds, cpuSeconds, path } of files
        .toSorted((a, b) => b.cpuSeconds - a.cpuSeconds)
        .slice(0, SHOWN)) {
        console.log(`${cpuSeconds.toFixed(1).padStart(6)} ${wallSeconds.toFixed(1).padStart(6)}  ${path}`);
      }
      rmSync(folder, { recursive: true });
    },
  };
}
