import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { defined } from '../../workers/exact/defined.ts';
import type { Check } from './check-list.ts';
import type { TestCount } from './tests/progress.ts';

/** How many checks run at the same time. Most checks use one core for seconds. */
const CONCURRENCY = 2;

interface Outcome {
  readonly ok: boolean;
  readonly output: string;
}

/** An environment whose PATH starts with node_modules/.bin, which has Node 24. */
export function toolEnvironment(root: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    PATH: `${join(root, 'node_modules/.bin')}:${defined(process.env['PATH'])}`,
    NO_COLOR: '1',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    REDOCLY_TELEMETRY: 'off',
  };
}

function runCheck(root: string, { command: [program, ...args] }: Check): Promise<Outcome> {
  return new Promise((resolve) => {
    const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
    const child = spawn(program, args, { cwd: root, env: toolEnvironment(root), stdio });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.once('error', (error) => resolve({ ok: false, output: error.message }));
    child.once('close', (code) => resolve({ ok: code === 0, output }));
  });
}

/** Runs all checks and prints the result of each. @returns how many passed and failed */
export async function runChecks(root: string, checks: readonly Check[]): Promise<TestCount> {
  const waiting = [...checks];
  let passed = 0;
  const lane = async (): Promise<void> => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const startedAtMs = performance.now();
      const { ok, output } = await runCheck(root, check);
      const seconds = ((performance.now() - startedAtMs) / 1000).toFixed(1);
      if (ok) passed += 1;
      else console.log(output.trimEnd());
      console.log(ok ? `ok      ${check.name} (${seconds} s)` : `FAILED  ${check.name}: ${check.remedy}`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, lane));
  return { passed, failed: checks.length - passed, skipped: 0 };
}
