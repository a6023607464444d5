import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import {
  type ServiceHealth,
  type ServiceName,
  takesPayments,
  watchServices,
} from '../../../gateway/clients/service-health.ts';
import { ContentServiceService } from '../../../proto/gen/tollhouse/content/v1/content.ts';
import { type GrpcServer, startGrpcServer } from '../../../services/platform/grpc/grpc-server.ts';
import { createLogger } from '../../../services/platform/process/logger.ts';
import { portOf } from '../../kit/port-of.ts';
import { createTestFolder } from '../../kit/test-folder.ts';
import { until } from '../../kit/until.ts';

const NAMES: readonly ServiceName[] = ['content', 'maps', 'payments', 'backoffice', 'verification'];
const logger = createLogger({ name: 'test', level: 'silent' });

/** Servers in place of the services. They only answer health checks. */
function createServices(t: ExecutionContext) {
  const folder = createTestFolder();
  const socket = (name: ServiceName) => `unix:${join(folder.runDir, `${name}.sock`)}`;
  const servers = new Map<ServiceName, GrpcServer>();
  t.teardown(async () => {
    await Promise.all(Array.from(servers.values(), (server) => server.close()));
    folder.remove();
  });
  return {
    targets: {
      content: socket('content'),
      maps: socket('maps'),
      payments: socket('payments'),
      backoffice: socket('backoffice'),
      verification: socket('verification'),
    },
    servers,
    async start(name: ServiceName) {
      const server = await startGrpcServer({
        listen: socket(name),
        service: ContentServiceService,
        implementation: { convertHtml: () => {} },
        logger,
      });
      server.setReady(true);
      servers.set(name, server);
    },
    async stop(name: ServiceName) {
      await servers.get(name)?.close();
    },
  };
}

const becomes = (health: ServiceHealth, status: string, isReady: boolean) =>
  until(async () => {
    const found = await health.read();
    return found.status === status && found.isReady === isReady;
  });

test('the start ends when every service has served once; later, a service that is down is reported', async (t) => {
  const services = createServices(t);
  const health = watchServices({
    targets: services.targets,
    startGraceMs: 3_600_000,
    monotonicMs: () => performance.now(),
  });
  t.teardown(() => health.close());
  t.like(await health.read(), { status: 'starting', isReady: false });
  for (const name of NAMES.slice(1)) await services.start(name);
  await until(async () => (await health.read()).services.verification === 'ok');
  t.like(await health.read(), {
    status: 'starting',
    isReady: false,
    services: { content: 'unavailable', payments: 'ok' },
  });
  await services.start('content');
  t.true(await becomes(health, 'ok', true));
  const faulty = async () =>
    Object.entries(await health.inspect()).flatMap(([name, { lastFault }]) => (lastFault ? name : []));
  t.deepEqual(await faulty(), []);
  await services.stop('maps');
  t.true(await becomes(health, 'degraded', true));
  t.deepEqual(await faulty(), ['maps']);
  t.like(await health.read(), { services: { maps: 'unavailable', content: 'ok' } });
  // The service answers that it is not ready.
  services.servers.get('payments')?.setReady(false);
  await until(async () => (await health.read()).services.payments === 'unavailable');
  t.like(await health.read(), { status: 'degraded', isReady: true });
  t.false(takesPayments(await health.read()));
  await services.stop('payments');
  t.true(await becomes(health, 'unavailable', false));
});

test('a payment is taken only while its answer can be kept, too', (t) => {
  const services = { content: 'ok', maps: 'ok', payments: 'ok', backoffice: 'ok', verification: 'ok' } as const;
  t.true(takesPayments({ services: { ...services, content: 'unavailable', verification: 'unavailable' } }));
  for (const name of ['payments', 'backoffice']) {
    t.false(takesPayments({ services: { ...services, [name]: 'unavailable' } }));
  }
});

test('after the grace period, the start ends without the services that never served', async (t) => {
  const services = createServices(t);
  let nowMs = 0;
  const health = watchServices({ targets: services.targets, startGraceMs: 30_000, monotonicMs: () => nowMs });
  t.teardown(() => health.close());
  await services.start('payments');
  t.like(await health.read(), { status: 'starting', isReady: false });
  nowMs = 29_000;
  t.like(await health.read(), { status: 'starting', isReady: false });
  nowMs = 30_000;
  const isStarted = async () => {
    nowMs += 1000;
    const { status, isReady } = await health.read();
    return status === 'degraded' && isReady;
  };
  t.true(await until(isStarted));
});

test('checks all services together, at most once a second', async (t) => {
  const services = createServices(t);
  let nowMs = 0;
  const health = watchServices({ targets: services.targets, startGraceMs: 0, monotonicMs: () => nowMs });
  t.teardown(() => health.close());
  const first = health.read();
  t.is(health.read(), first);
  await first;
  nowMs = 999;
  t.is(health.read(), first);
  nowMs = 1000;
  t.not(health.read(), first);
});

test('one late answer of payments is forgiven, and a second one in a row is not', async (t) => {
  const services = createServices(t);
  await Promise.all(NAMES.map((name) => services.start(name)));
  let isHeld = false;
  const proxy = createServer((client) => {
    const upstream = connect(services.targets.payments.slice('unix:'.length));
    client.on('data', (data) => isHeld || upstream.write(data));
    upstream.on('data', (data) => client.write(data));
    client.on('error', () => upstream.destroy()).on('close', () => upstream.destroy());
    upstream.on('error', () => client.destroy());
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  t.teardown(() => proxy.close());
  let nowMs = 0;
  const targets = { ...services.targets, payments: `127.0.0.1:${portOf(proxy)}` };
  const health = watchServices({ targets, startGraceMs: 3_600_000, monotonicMs: () => nowMs });
  t.teardown(() => health.close());
  const readNext = async () => {
    nowMs += 2000;
    return (await health.read()).isReady;
  };
  await until(readNext);
  isHeld = true;
  t.deepEqual([await readNext(), await readNext(), await readNext()], [true, false, false]);
  isHeld = false;
});
