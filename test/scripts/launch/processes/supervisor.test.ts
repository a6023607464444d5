import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import {
  createSupervisor,
  doubling,
  type Running,
  type SupervisorOptions,
  type Unit,
} from '../../../../scripts/launch/processes/supervisor.ts';
import { failedStart, startTied } from '../../../../scripts/launch/processes/tied-process.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { createTestFolder, type TestFolder } from '../../../kit/test-folder.ts';
import { until } from '../../../kit/until.ts';

/** A unit that ends by itself while its folder has a file named `broken`. */
function unitIn(folder: TestFolder, name: string): { unit: Unit; pids: number[] } {
  const { log } = folder.place(name);
  const pids: number[] = [];
  const start = async (): Promise<Running> => {
    const script = 'echo starting; test ! -e broken || exit 3; exec sleep 600';
    const child = startTied({
      command: 'sh',
      args: ['-c', script],
      env: process.env,
      cwd: folder.path,
      output: log.output,
    });
    pids.push(child.pid);
    return { pid: child.pid, exited: child.exited, stop: () => child.stop('SIGKILL', 1_000) };
  };
  return { unit: { name, start, tail: () => log.tail(3) }, pids };
}

function supervise(options: Partial<SupervisorOptions> = {}) {
  const lines: string[] = [];
  const report = (line: string): void => void lines.push(line);
  const onUnusable = ({ message }: Error) => report(message);
  return { supervisor: createSupervisor({ report, onUnusable, ...options }), lines };
}

/** The reported waits before restarts, in seconds. */
const waitsIn = (lines: readonly string[]) => lines.flatMap((line) => /restarting in ([\d.]+) s/.exec(line)?.[1] ?? []);

test('a killed unit is restarted', async (t) => {
  const folder = createTestFolder();
  const { unit, pids } = unitIn(folder, 'content');
  const { supervisor, lines } = supervise();
  await supervisor.keep(unit);
  await until(() => folder.place('content').log.tail(1).includes('starting'));
  process.kill(defined(pids[0]), 'SIGKILL');
  await until(() => pids.length === 2 && supervisor.pidOf('content') === pids[1]);
  await until(() => lines.includes('content runs again'));
  t.deepEqual(lines, [
    'content ended (SIGKILL); restarting in 0.1 s. Its last log lines:',
    'starting',
    'content runs again',
  ]);
  await supervisor.stop(['content']);
  folder.remove();
});

test('a unit whose settings cannot be used is not restarted, and its cause is said once', async (t) => {
  const folder = createTestFolder();
  const { log } = folder.place('content');
  const { unit, pids } = unitIn(folder, 'content');
  const { supervisor, lines } = supervise({ backoffMs: () => 1 });
  const unusable = async (): Promise<Running> => {
    const script = 'echo "PORT: found 0"; exit 78';
    const child = startTied({ command: 'sh', args: ['-c', script], env: process.env, cwd: '/', output: log.output });
    pids.push(child.pid);
    await child.exited;
    throw await failedStart('content', child, log);
  };
  await t.throwsAsync(supervisor.keep({ ...unit, start: unusable }), {
    message: /^content did not start \(log: .*\): exit code 78\n {2}PORT: found 0$/,
  });
  await supervisor.keep({ ...unit, start: () => (pids.length === 1 ? unit.start() : unusable()) });
  process.kill(defined(pids[1]), 'SIGKILL');
  await until(() => lines.length >= 3 && lines.at(-1)?.includes('not restarted'));
  t.regex(lines.at(-1) ?? '', /^content ended and is not restarted: exit code 78\n[\s\S]*PORT: found 0$/);
  await supervisor.stop(['content']);
  t.is(pids.length, 3);
  folder.remove();
});

test('a stopped unit is not restarted', async (t) => {
  const folder = createTestFolder();
  const { unit, pids } = unitIn(folder, 'content');
  const { supervisor, lines } = supervise();
  await supervisor.keep(unit);
  await supervisor.stop(['content', 'unknown']);
  t.is(pids.length, 1);
  t.deepEqual(lines, []);
  folder.remove();
});

test('a unit that keeps crashing is always restarted, with longer waits', async (t) => {
  const folder = createTestFolder();
  const { unit, pids } = unitIn(folder, 'maps');
  const { supervisor, lines } = supervise({ backoffMs: doubling(1, 16) });
  writeFileSync(join(folder.path, 'broken'), '');
  await supervisor.keep(unit);
  await until(() => pids.length >= 10);
  rmSync(join(folder.path, 'broken'));
  await until(() => existsSync(`/proc/${supervisor.pidOf('maps')}`));
  const expected = ['0.001', '0.002', '0.004', '0.008', '0.016', '0.016', '0.016'];
  t.deepEqual(waitsIn(lines).slice(0, expected.length), expected);
  await supervisor.stop(['maps']);
  folder.remove();
});

test('a failed restart is tried again', async (t) => {
  const folder = createTestFolder();
  const { unit } = unitIn(folder, 'maps');
  let starts = 0;
  const start = () => {
    starts += 1;
    return starts === 2 || starts === 3 ? Promise.reject(new Error('no port')) : unit.start();
  };
  const { supervisor, lines } = supervise({ backoffMs: doubling(1, 1000) });
  await supervisor.keep({ ...unit, start });
  process.kill(defined(supervisor.pidOf('maps')), 'SIGKILL');
  await until(() => lines.includes('maps runs again'));
  t.is(lines.filter((line) => line.startsWith('maps ended (no port)')).length, 2);
  await supervisor.stop(['maps']);
  folder.remove();
});

test('waits are short again after a unit has served for a while', async (t) => {
  const folder = createTestFolder();
  const { unit } = unitIn(folder, 'maps');
  let nowMs = 0;
  const { supervisor, lines } = supervise({ backoffMs: doubling(1, 1000), now: () => nowMs });
  await supervisor.keep(unit);
  const crash = async (times: number) => {
    process.kill(defined(supervisor.pidOf('maps')), 'SIGKILL');
    await until(() => lines.filter((line) => line === 'maps runs again').length === times);
  };
  await crash(1);
  await crash(2);
  nowMs = 60_000;
  await crash(3);
  t.deepEqual(waitsIn(lines), ['0.001', '0.002', '0.001']);
  await supervisor.stop(['maps']);
  folder.remove();
});

test('a waiting unit is restarted with the unit that it depends on, and can be stopped at once', async (t) => {
  const folder = createTestFolder();
  const anvil = unitIn(folder, 'anvil');
  const payments = unitIn(folder, 'payments');
  let waitMs = 3_600_000;
  const { supervisor, lines } = supervise({ backoffMs: () => waitMs });
  await supervisor.keep({ ...anvil.unit, dependants: ['payments'] });
  await supervisor.keep(payments.unit);
  const kill = async (name: string) => {
    const waits = waitsIn(lines).length;
    process.kill(defined(supervisor.pidOf(name)), 'SIGKILL');
    await until(() => waitsIn(lines).length > waits);
  };
  await kill('payments');
  waitMs = 1;
  await kill('anvil');
  await until(() => lines.includes('payments runs again'));
  waitMs = 3_600_000;
  await kill('payments');
  await supervisor.stop(['anvil', 'payments']);
  t.is(payments.pids.length, 2);
  folder.remove();
});

test('units that depend on a restarted unit are restarted, which does not count as a crash', async (t) => {
  const folder = createTestFolder();
  const anvil = unitIn(folder, 'anvil');
  const payments = unitIn(folder, 'payments');
  const { supervisor, lines } = supervise();
  await supervisor.keep({ ...anvil.unit, dependants: ['payments'] });
  await supervisor.keep(payments.unit);
  process.kill(defined(anvil.pids[0]), 'SIGKILL');
  await until(() => lines.includes('payments runs again'));
  t.is(payments.pids.length, 2);
  t.false(lines.some((line) => line.startsWith('payments ended')));
  await supervisor.stop(['anvil', 'payments']);
  folder.remove();
});

test('a failed first start is thrown to the caller and not tried again', async (t) => {
  const { supervisor, lines } = supervise();
  const start = () => Promise.reject(new Error('no such program'));
  await t.throwsAsync(supervisor.keep({ name: 'content', start, tail: () => [] }), { message: 'no such program' });
  t.deepEqual(lines, []);
});
