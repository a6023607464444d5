import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { Type } from 'typebox';
import { createJsonReader } from '../../../../../scripts/launch/parse/json-reader.ts';
import { defined } from '../../../../../workers/exact/defined.ts';
import { isAlive } from '../../../../kit/alive.ts';
import { childrenOf } from '../../../../kit/children-of.ts';
import { INHERITED } from '../../../../kit/inherited.ts';
import { createTestFolder } from '../../../../kit/test-folder.ts';
import { until } from '../../../../kit/until.ts';

const ROOT = resolve(import.meta.dirname, '../../../../..');
const MAIN = join(ROOT, 'scripts/lab/load/main.ts');

const Spread = Type.Object({ median: Type.Number(), min: Type.Number(), max: Type.Number() });
const Figure = Type.Object({ baseline: Spread, present: Spread, ratio: Spread });
const parseResult = createJsonReader(
  Type.Object({
    kind: Type.Literal('beside'),
    cells: Type.Array(
      Type.Object({
        scenario: Type.String(),
        inFlight: Type.Number(),
        figures: Type.Object({
          perSecond: Figure,
          p50Ms: Figure,
          p99Ms: Figure,
          cpuMs: Figure,
          cpuMsByProcess: Type.Object({ gateway: Figure }),
        }),
      }),
    ),
  }),
  'the result',
);

/** Starts a comparison. All its temporary folders are within one that the test can look into. */
function startBeside(t: ExecutionContext, argsFor: (folder: string) => readonly string[]) {
  const folder = createTestFolder();
  const child = spawn(process.execPath, [MAIN, ...argsFor(folder.path), '--beside', 'HEAD~0'], {
    cwd: ROOT,
    env: { ...INHERITED, HOME: process.env['HOME'], TMPDIR: folder.path },
    // In a group of its own, as in a terminal.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += String(chunk)));
  const exited = once(child, 'close');
  t.teardown(async () => {
    child.kill('SIGKILL');
    await exited;
    folder.remove();
  });
  return { folder: folder.path, child, output: () => output, exited };
}

const descendantsOf = (pid: number): readonly number[] =>
  childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);

const worktreesIn = (folder: string): readonly string[] =>
  execFileSync('git', ['-C', ROOT, 'worktree', 'list', '--porcelain'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.startsWith(`worktree ${folder}`));

test.serial('a commit is measured beside itself, and nothing is left', async (t) => {
  const { folder, output, exited } = startBeside(t, (folder) => [
    ...['probe,trial', '--in-flight', '2', '--seconds', '1', '--warm-up', '1', '--rounds', '2'],
    ...['--json', join(folder, 'beside.json')],
  ]);
  t.deepEqual(await exited, [0, null], output());
  const { cells } = parseResult(readFileSync(join(folder, 'beside.json'), 'utf8'));
  t.deepEqual(
    cells.map(({ scenario, inFlight }) => [scenario, inFlight]),
    [
      ['probe', 2],
      ['trial', 2],
    ],
  );
  t.deepEqual(readdirSync(folder), ['beside.json']);
  t.deepEqual(worktreesIn(folder), []);
});

test.serial('Ctrl-C ends the comparison, and nothing is left', async (t) => {
  const { folder, child, output, exited } = startBeside(t, () => ['trial', '--in-flight', '2', '--seconds', '60']);
  await until(() => output().includes('measuring trial'));
  const started = descendantsOf(defined(child.pid));
  t.true(started.length > 10, 'the processes of two products');
  // The terminal signals the group, and npm the process again.
  process.kill(-defined(child.pid), 'SIGINT');
  child.kill('SIGINT');
  t.deepEqual(await exited, [130, null], output());
  await until(() => !started.some(isAlive));
  t.deepEqual(readdirSync(folder), []);
  t.deepEqual(worktreesIn(folder), []);
});
