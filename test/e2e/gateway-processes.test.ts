import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { errorCodeOf } from '../../scripts/launch/parse/error-code.ts';
import { entryPoint } from '../helpers/entry-point.ts';
import { gatewayEnvironment } from '../helpers/gateway-environment.ts';
import { INHERITED } from '../helpers/inherited.ts';
import { type Stack, startStack } from '../helpers/stack.ts';
import { eventually } from './faults/faulty-stack.ts';
import { eventuallyConfirmed } from './faults/trial-client.ts';

const BODY = { html: '<h1>Processes</h1>' };
const PROCESSES = 3;

let stack: Stack;
test.before(async () => {
  stack = await startStack({ env: { gateway: { GATEWAY_PROCESSES: String(PROCESSES) } } });
});
test.after.always(() => stack?.stop());

/** The gateway processes that a process has started, by the kernel's list. It also has a shell, which watches the tests. */
function childrenOf(pid: number): readonly number[] {
  const children = globSync(`/proc/${pid}/task/*/children`).flatMap((file) =>
    readFileSync(file, 'utf8').trim().split(' ').filter(Boolean).map(Number),
  );
  return children.filter((child) => {
    const [program] = readFileSync(`/proc/${child}/cmdline`, 'utf8').split('\0');
    return program !== undefined && /node$/.test(program);
  });
}

async function readMetric(name: string): Promise<number> {
  const text = await (await fetch(`${stack.urls[0]}/metrics`)).text();
  const [, value] = new RegExp(`^${name} (\\S+)$`, 'm').exec(text) ?? [];
  if (value === undefined) throw new Error(`no ${name} in ${text}`);
  return Number(value);
}

const answered = () => readMetric('tollhouse_http_request_seconds_count\\{route="/health/live",status="200"\\}');

test.serial('processes share the port, and any of them reports the metrics of all', async (t) => {
  t.is(childrenOf(stack.pid('gateway0')).length, PROCESSES);
  const asked = 60;
  const before = await answered().catch(() => 0);
  // A new connection for each request, so that all processes get some.
  const headers = { connection: 'close' };
  for (let count = 0; count < asked; count += 1)
    await (await fetch(`${stack.urls[0]}/health/live`, { headers })).text();
  await eventually('all requests', async () => (await answered()) === before + asked || undefined);
  t.is((await readMetric('tollhouse_admission_calls\\{state="limit"\\}')) % PROCESSES, 0);
});

test.serial('a process that dies is replaced, and the others go on', async (t) => {
  const primary = stack.pid('gateway0');
  const [victim = 0, ...others] = childrenOf(primary);
  process.kill(victim, 'SIGKILL');
  await eventually('another process', async () => {
    const children = childrenOf(primary);
    return (children.length === PROCESSES && !children.includes(victim)) || undefined;
  });
  t.true(others.every((pid) => childrenOf(primary).includes(pid)));
  t.true(await eventuallyConfirmed(stack.urls[0], BODY, [], 'the death of a process'));
});

test.serial('processes do not share the port of another gateway', async (t) => {
  const { port } = new URL(stack.urls[0]);
  const own = gatewayEnvironment(stack.runDir, Number(port));
  const env = { ...INHERITED, ...own, REDIS_URL: stack.redisUrl, GATEWAY_PROCESSES: '2' };
  const child = spawn(process.execPath, [entryPoint('gateway/main.ts')], { env });
  const ended = once(child, 'close');
  t.regex(await text(child.stdout), /EADDRINUSE/);
  t.deepEqual(await ended, [1, null]);
});

/** The primary ends the others too, so a process may be gone before its signal. */
function interrupt(pid: number): void {
  try {
    process.kill(pid, 'SIGINT');
  } catch (error) {
    if (errorCodeOf(error) !== 'ESRCH') throw error;
  }
}

test.serial('the signals of a terminal end all processes, once, without an error', async (t) => {
  const primary = stack.pid('gateway0');
  const pids = [primary, ...childrenOf(primary)];
  for (const pid of pids) interrupt(pid);
  await stack.exited('gateway0');
  for (const pid of pids) t.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
  t.notRegex(stack.log('gateway0').join('\n'), /without closing|without a known cause/);
});
