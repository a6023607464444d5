import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { toolEnvironment } from './run-checks.ts';

export interface TestCount {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Counts the tests of a TAP 13 stream, and shows every line that is not a passed test. */
export async function countTap(lines: AsyncIterable<string>, show: (line: string) => void): Promise<TestCount> {
  let passed = 0;
  let failed = 0;
  let skipped = 0;
  for await (const line of lines) {
    const test = /^(not )?ok \d+/.exec(line);
    if (test === null) {
      if (!/^(TAP version|1\.\.\d|# |\s*$)/.test(line)) show(line);
    } else if (/ # (SKIP|TODO)\b/i.test(line)) skipped += 1;
    else if (test[1] === undefined) passed += 1;
    else {
      failed += 1;
      show(line);
    }
  }
  return { passed, failed, skipped };
}

/**
 * Runs ava. A crash, a time-out, a file that cannot be loaded, and a run without a passed test count as a failure.
 *
 * @param args arguments of ava, such as paths of test files
 * @param environment additional variables for the tests
 */
export async function runTests(
  root: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<TestCount> {
  const ava = spawn('ava', ['--tap', ...args], {
    cwd: root,
    env: { ...toolEnvironment(root), ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = new Promise<number | null>((resolve, reject) => ava.once('error', reject).once('close', resolve));
  const count = await countTap(createInterface({ input: ava.stdout }), (line) => console.log(line));
  const exitCode = await closed;
  const isRed = exitCode !== 0 || count.passed === 0;
  return isRed && count.failed === 0 ? { ...count, failed: 1 } : count;
}
