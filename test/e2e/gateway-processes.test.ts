import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { errorCodeOf } from '../../scripts/launch/parse/error-code.ts';
import { isConfirmed, openBuyers } from '../kit/buyers.ts';
import { childrenOf } from '../kit/children-of.ts';
import { CONVERT } from '../kit/client.ts';
import { entryPoint } from '../kit/entry-point.ts';
import { startExtraGateway } from '../kit/extra-gateway.ts';
import { gatewayEnvironment } from '../kit/gateway-environment.ts';
import { INHERITED } from '../kit/inherited.ts';
import { readMetrics } from '../kit/metrics.ts';
import { useSharedStack } from '../kit/shared-stack.ts';
import { until } from '../kit/until.ts';

const PROCESSES = 2;

const stack = await useSharedStack();
const gateway = await startExtraGateway(stack, { GATEWAY_PROCESSES: String(PROCESSES) });
test.after.always(async () => {
  await gateway.stop();
  await stack.stop();
});

/** The processes that take requests. The gateway also has a shell, which watches the tests. */
const children = (): readonly number[] =>
  childrenOf(gateway.pid).filter((child) => {
    const [program] = readFileSync(`/proc/${child}/cmdline`, 'utf8').split('\0');
    return program !== undefined && /node$/.test(program);
  });

async function readMetric(name: string): Promise<number> {
  const text = await readMetrics(stack, gateway.url);
  const [, value] = new RegExp(`^${name} (\\S+)$`, 'm').exec(text) ?? [];
  if (value === undefined) throw new Error(`no ${name} in ${text}`);
  return Number(value);
}

/** A process that has not answered any such request has no such metric. */
const answered = () =>
  readMetric('tollhouse_http_request_seconds_count\\{route="/health/live",status="200"\\}').catch(() => 0);

test.serial('processes share the port, and any of them reports the metrics of all', async (t) => {
  t.is(children().length, PROCESSES);
  const asked = 60;
  const before = await answered();
  // A new connection for each request, so that all processes get some.
  const headers = { connection: 'close' };
  for (let count = 0; count < asked; count += 1) await (await fetch(`${gateway.url}/health/live`, { headers })).text();
  await until(async () => (await answered()) === before + asked);
  t.is((await readMetric('tollhouse_admission_calls\\{state="limit"\\}')) % PROCESSES, 0);
});

test.serial('a process that dies is replaced, and the others go on', async (t) => {
  const [victim = 0, ...others] = children();
  process.kill(victim, 'SIGKILL');
  await until(() => children().length === PROCESSES && !children().includes(victim));
  t.true(others.every((pid) => children().includes(pid)));
  const answer = await until(() => openBuyers(gateway.url).trial().call(CONVERT, { html: '<h1>Processes</h1>' }));
  t.true(isConfirmed(answer), answer.text);
});

test.serial('processes do not share the port of another gateway', async (t) => {
  const { port } = new URL(gateway.url);
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
  const pids = [gateway.pid, ...children()];
  for (const pid of pids) interrupt(pid);
  await gateway.exited;
  for (const pid of pids) t.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
  t.notRegex(gateway.log().join('\n'), /without closing|without a known cause/);
});
