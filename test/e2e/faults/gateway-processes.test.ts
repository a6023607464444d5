import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { entryPoint } from '../../helpers/entry-point.ts';
import { gatewayEnvironment } from '../../helpers/gateway-environment.ts';
import { INHERITED } from '../../helpers/inherited.ts';
import { startStack } from '../../helpers/stack.ts';
import { until } from '../../helpers/until.ts';
import { gatewayChildren } from '../gateway-children.ts';
import { eventuallyConfirmed } from './faulty-stack.ts';

const PROCESSES = 3;

const stack = await startStack({ env: { gateway: { GATEWAY_PROCESSES: String(PROCESSES) } } });
test.after.always(() => stack.stop());

test.serial('a process that dies is replaced, and the others go on', async (t) => {
  const primary = stack.pid('gateway0');
  const [victim = 0, ...others] = gatewayChildren(primary);
  process.kill(victim, 'SIGKILL');
  await until(async () => {
    const children = gatewayChildren(primary);
    return children.length === PROCESSES && !children.includes(victim);
  });
  t.true(others.every((pid) => gatewayChildren(primary).includes(pid)));
  t.true(await eventuallyConfirmed(stack.urls[0]));
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
