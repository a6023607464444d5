import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { startTied } from '../../scripts/processes/tied-process.ts';
import { waitFor } from '../../scripts/processes/wait-for.ts';
import { createSupervisor, type Running, type Unit } from '../../scripts/supervisor.ts';
import { createTestFolder, type TestFolder } from '../helpers/test-folder.ts';

const TIMEOUT = { timeoutMs: 10_000 };

/** A unit that ends by itself while a file named `broken` lies in its folder. */
function unitIn(folder: TestFolder, name: string): { unit: Unit; pids: number[] } {
  const { log } = folder.place(name);
  const pids: number[] = [];
  const start = async (): Promise<Running> => {
    const script = 'echo starting; test ! -e broken || exit 3; exec sleep 600';
    const child = startTied({ command: 'sh', args: ['-c', script], env: process.env, cwd: folder.path, logFd: log.fd });
    pids.push(child.pid);
    return { pid: child.pid, exited: child.exited, stop: () => child.stop('SIGKILL', 1_000) };
  };
  return { unit: { name, start, tail: () => log.tail(3) }, pids };
}

function supervise() {
  const lines: string[] = [];
  const reasons: string[] = [];
  const report = (line: string): void => void lines.push(line);
  return { supervisor: createSupervisor({ report, giveUp: (reason) => reasons.push(reason) }), lines, reasons };
}

test('a child that is killed is started again', async (t) => {
  const folder = createTestFolder();
  const { unit, pids } = unitIn(folder, 'content');
  const { supervisor, lines } = supervise();
  await supervisor.keep(unit);
  process.kill(pids[0] ?? 0, 'SIGKILL');
  t.true(await waitFor(() => pids.length === 2 && supervisor.pidOf('content') === pids[1], TIMEOUT));
  t.true(await waitFor(() => lines.includes('content runs again'), TIMEOUT));
  t.deepEqual(lines, ['content ended (SIGKILL); its log says last:', 'starting', 'content runs again']);
  await supervisor.stop(['content']);
  folder.remove();
});

test('a child that is stopped stays so', async (t) => {
  const folder = createTestFolder();
  const { unit, pids } = unitIn(folder, 'content');
  const { supervisor, lines } = supervise();
  await supervisor.keep(unit);
  await supervisor.stop(['content', 'unknown']);
  t.is(pids.length, 1);
  t.deepEqual(lines, []);
  folder.remove();
});

test('after five quick crashes it gives up, once', async (t) => {
  const folder = createTestFolder();
  const { unit, pids } = unitIn(folder, 'content');
  const { supervisor, reasons } = supervise();
  writeFileSync(join(folder.path, 'broken'), '');
  await supervisor.keep(unit);
  t.true(await waitFor(() => reasons.length > 0, TIMEOUT));
  t.deepEqual(reasons, ['content crashed 5 times in a row']);
  t.is(pids.length, 5);
  folder.remove();
});

test('a child that mends itself between two crashes goes on', async (t) => {
  const folder = createTestFolder();
  const { unit, pids } = unitIn(folder, 'content');
  const { supervisor, reasons } = supervise();
  writeFileSync(join(folder.path, 'broken'), '');
  await supervisor.keep(unit);
  await waitFor(() => pids.length === 3, TIMEOUT);
  rmSync(join(folder.path, 'broken'));
  t.true(await waitFor(() => existsSync(`/proc/${supervisor.pidOf('content')}`), TIMEOUT));
  t.deepEqual(reasons, []);
  await supervisor.stop(['content']);
  folder.remove();
});

test('what depends on a child starts anew after it, and that is no crash', async (t) => {
  const folder = createTestFolder();
  const anvil = unitIn(folder, 'anvil');
  const payments = unitIn(folder, 'payments');
  const { supervisor, lines } = supervise();
  await supervisor.keep({ ...anvil.unit, dependants: ['payments'] });
  await supervisor.keep(payments.unit);
  process.kill(anvil.pids[0] ?? 0, 'SIGKILL');
  t.true(await waitFor(() => lines.includes('payments runs again'), TIMEOUT));
  t.is(payments.pids.length, 2);
  t.false(lines.some((line) => line.startsWith('payments ended')));
  await supervisor.stop(['anvil', 'payments']);
  folder.remove();
});

test('a first start that fails is told to the caller, and not tried again', async (t) => {
  const { supervisor, reasons } = supervise();
  const start = () => Promise.reject(new Error('no such program'));
  await t.throwsAsync(supervisor.keep({ name: 'content', start, tail: () => [] }), { message: 'no such program' });
  t.deepEqual(reasons, []);
});
