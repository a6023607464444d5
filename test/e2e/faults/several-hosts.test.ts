import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import test from 'ava';
import { createCertificates } from '../../../scripts/cli/tollhouse/keys/certificates.ts';
import { freePort } from '../../../scripts/launch/servers/free-port.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { createWallet } from '../../kit/chain.ts';
import { GEOCODE, tryOnce } from '../../kit/client.ts';
import { createTestFolder } from '../../kit/test-folder.ts';
import { until } from '../../kit/until.ts';
import { commandIn } from '../../scripts/cli/tollhouse/run-command.ts';
import { createJobSteps } from '../verified/job-steps.ts';
import { startVerifiedStack } from '../verified/verified-stack.ts';

/** Stand for hosts: the second one has a further copy of some services. */
const HOSTS = ['127.0.0.2', '127.0.0.3'] as const;
const SERVICES = ['content', 'maps', 'payments', 'backoffice', 'verification'] as const;
const COPIED = ['content', 'backoffice', 'payments'] as const;
const CLIENTS = 4;
/** Calls in a row without a failure, after which no copy fails any more: half of them would go to the stopped one. */
const GOOD = 200;

const folder = createTestFolder();
const { tlsFolder: TLS_FOLDER } = await createCertificates(folder.path);
const ports = new Map(await Promise.all(SERVICES.map(async (name) => [name, await freePort()] as const)));
const addressOf = (host: string, name: (typeof SERVICES)[number]) => `${host}:${ports.get(name)}`;
const targetOf = (name: (typeof SERVICES)[number]) =>
  `ipv4:${(COPIED.some((copied) => copied === name) ? HOSTS : [HOSTS[0]]).map((host) => addressOf(host, name)).join()}`;
const targets = Object.fromEntries(SERVICES.map((name) => [`${name.toUpperCase()}_URL`, targetOf(name)]));
const onHost = (host: string, name: (typeof SERVICES)[number]) => ({ TLS_FOLDER, LISTEN: addressOf(host, name) });

const stack = await startVerifiedStack({
  maps: true,
  env: {
    content: onHost(HOSTS[0], 'content'),
    maps: onHost(HOSTS[0], 'maps'),
    payments: onHost(HOSTS[0], 'payments'),
    backoffice: { ...onHost(HOSTS[0], 'backoffice'), ...targets, TRIAL_DAILY_BUDGET_MICRO_USD: '1000000000' },
    verification: onHost(HOSTS[0], 'verification'),
    gateway: { TLS_FOLDER, ...targets },
  },
});
const [origin] = stack.urls;
test.after.always(async () => {
  await stack.stop();
  folder.remove();
});

/** Whether a client has a connection to a port. Linux only (proc(5), net/tcp): addresses are hexadecimal, in the order of the machine. */
function isConnectedTo(host: string, port: number): boolean {
  const address = Buffer.from(host.split('.').map(Number)).readUInt32LE().toString(16).padStart(8, '0');
  const remote = `${address}:${port.toString(16).padStart(4, '0')}`.toUpperCase();
  const ESTABLISHED = '01';
  return readFileSync('/proc/net/tcp', 'utf8').includes(` ${remote} ${ESTABLISHED} `);
}

test.serial('the whole product works over TLS, and so does the command line', async (t) => {
  t.is((await tryOnce(origin, { html: '<p>a</p>' }, await createWallet())).status, 200);
  t.is((await tryOnce(origin, { query: 'Paris' }, await createWallet(), GEOCODE)).status, 200);
  const steps = createJobSteps(stack, await stack.addTenant('hosts'));
  const refund = await steps.refundWithEvidence('hosts');
  await steps.isProven(t, refund, await steps.endOf(await steps.verify(refund.executionId, 'hosts')));

  const target = `ipv4:${addressOf(HOSTS[0], 'payments')}`;
  const run = commandIn({ DATABASE_URL: stack.databaseUrl, TLS_FOLDER, PAYMENTS_URL: target }, 'payments', 'reconcile');
  t.like(await run(), { exitCode: 0, errors: '' });
  const without = commandIn(
    { DATABASE_URL: stack.databaseUrl, PAYMENTS_URL: '10.0.0.1:8412' },
    'payments',
    'reconcile',
  );
  t.regex((await without()).errors, /^PAYMENTS_URL: found "10.0.0.1:8412", which is beyond this machine/);
});

test.serial('a host that falls silent costs errors for at most a quarter of a minute', async (t) => {
  const copies = COPIED.map((name) => `${name}1`);
  for (const name of COPIED) await stack.start(`${name}1`, onHost(HOSTS[1], name));
  let stoppedMs = Infinity;
  let lastFailureMs = 0;
  let failures = 0;
  let good = 0;
  let isOver = false;
  const load = Array.from({ length: CLIENTS }, async () => {
    while (!isOver) {
      const { status } = await tryOnce(origin, { html: '<p>a</p>' }, await createWallet()).catch(() => ({ status: 0 }));
      if (status === 200) good += 1;
      else {
        good = 0;
        if (performance.now() > stoppedMs) failures += 1;
        lastFailureMs = performance.now();
      }
      await delay(10);
    }
  });
  await until(() => COPIED.every((name) => isConnectedTo(HOSTS[1], defined(ports.get(name)))));
  good = 0;
  await until(() => good >= GOOD);
  stoppedMs = performance.now();
  for (const name of copies) stack.signal(name, 'SIGSTOP');
  t.teardown(() => {
    for (const name of copies) stack.signal(name, 'SIGCONT');
  });
  good = 0;
  await until(() => good >= GOOD);
  isOver = true;
  await Promise.all(load);
  const seconds = Math.max(0, lastFailureMs - stoppedMs) / 1000;
  t.log(`${failures} failures in ${seconds.toFixed(1)} s, then ${good} calls without one`);
  t.true(failures > 0);
});
