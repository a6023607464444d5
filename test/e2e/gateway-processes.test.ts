import test from 'ava';
import { errorCodeOf } from '../../scripts/launch/parse/error-code.ts';
import { startExtraGateway } from '../helpers/extra-gateway.ts';
import { useSharedStack } from '../helpers/shared-stack.ts';
import { until } from '../helpers/until.ts';
import { gatewayChildren } from './gateway-children.ts';

const PROCESSES = 2;

const stack = await useSharedStack();
const gateway = await startExtraGateway(stack, { GATEWAY_PROCESSES: String(PROCESSES) });
test.after.always(async () => {
  await gateway.stop();
  await stack.stop();
});

async function readMetric(name: string): Promise<number> {
  const text = await (await fetch(`${gateway.url}/metrics`)).text();
  const [, value] = new RegExp(`^${name} (\\S+)$`, 'm').exec(text) ?? [];
  if (value === undefined) throw new Error(`no ${name} in ${text}`);
  return Number(value);
}

/** A process that has not answered any such request has no such metric. */
const answered = () =>
  readMetric('tollhouse_http_request_seconds_count\\{route="/health/live",status="200"\\}').catch(() => 0);

test.serial('processes share the port, and any of them reports the metrics of all', async (t) => {
  t.is(gatewayChildren(gateway.pid).length, PROCESSES);
  const asked = 60;
  const before = await answered();
  // A new connection for each request, so that all processes get some.
  const headers = { connection: 'close' };
  for (let count = 0; count < asked; count += 1) await (await fetch(`${gateway.url}/health/live`, { headers })).text();
  await until(async () => (await answered()) === before + asked);
  t.is((await readMetric('tollhouse_admission_calls\\{state="limit"\\}')) % PROCESSES, 0);
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
  const pids = [gateway.pid, ...gatewayChildren(gateway.pid)];
  for (const pid of pids) interrupt(pid);
  await gateway.exited;
  for (const pid of pids) t.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
  t.notRegex(gateway.log().join('\n'), /without closing|without a known cause/);
});
