import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { wrapFetchWithSIWx } from '@x402/extensions/sign-in-with-x';
import test from 'ava';
import { createCertificates } from '../../../../scripts/cli/tollhouse/keys/certificates.ts';
import { freePort } from '../../../../scripts/launch/servers/free-port.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { createWallet } from '../../../kit/chain.ts';
import { CONVERT, codeOf, headerOf, readAnswer, requirementsOf, signIn, toBase64 } from '../../../kit/client.ts';
import { startExtraGateway } from '../../../kit/extra-gateway.ts';
import { readMetrics } from '../../../kit/metrics.ts';
import { startStack } from '../../../kit/stack.ts';
import { createTestFolder } from '../../../kit/test-folder.ts';
import { connectTools } from '../../../kit/tool-client.ts';
import { until } from '../../../kit/until.ts';
import { documentedSettings, documentedText } from '../documented.ts';
import { connectH2 } from '../h2-client.ts';
import { countOutcomes, type Load, type Sent, startLoad } from '../load.ts';
import { findProxy, PROXY_NAMES, type ProxyName } from '../programs.ts';
import { type RunningProxy, startProxy } from '../proxies.ts';

const MIB = 1024 * 1024;
const CLIENTS = 3;
const MAX_FAILED = 10;

const folder = createTestFolder();
const { tlsFolder } = await createCertificates(folder.path, Date.now(), ['localhost']);
const files = {
  cert: join(tlsFolder, 'localhost/tls.crt'),
  key: join(tlsFolder, 'localhost/tls.key'),
  both: join(folder.path, 'both.pem'),
};
const read = (path: string) => readFileSync(path, 'utf8');
const ca = read(join(tlsFolder, 'localhost/ca.crt'));
writeFileSync(files.both, read(files.cert) + read(files.key));
// `fetch` has no option for it.
setDefaultCACertificates([...getCACertificates('default'), ca]);

const running: RunningProxy[] = [];
const origins = new Map<ProxyName, string>();
const originOf = (name: ProxyName) => defined(origins.get(name));
const limitedOrigins = new Map<ProxyName, string>();

/** Starts every proxy as the page says, before two gateways. */
async function startProxies(of: ReadonlyMap<ProxyName, string>, gateways: readonly [string, string]) {
  for (const [name, origin] of of) {
    const port = Number(new URL(origin).port);
    const text = documentedText(name, { port, gateways, ...files });
    running.push(await startProxy(folder, { name, program: await findProxy(name), text, port }));
  }
}

for (const name of PROXY_NAMES) {
  origins.set(name, `https://localhost:${await freePort()}`);
  limitedOrigins.set(name, `https://localhost:${await freePort()}`);
}
// The load tries more calls than a day's usual budget pays for.
const budget = { TRIAL_DAILY_BUDGET_MICRO_USD: '1000000000' };
const gateway = { ...documentedSettings([...origins.values()]), ...budget };
const stack = await startStack({ gateways: 2, maps: true, verified: true, env: { gateway, backoffice: budget } });
const [first, second] = stack.urls.map((url) => new URL(url).host);
await startProxies(origins, [defined(first), defined(second)]);
const limited = await startExtraGateway(stack, {
  ...documentedSettings([...limitedOrigins.values()]),
  RATE_LIMIT_PER_MINUTE: String(MAX_FAILED),
});
const { host } = new URL(limited.url);
await startProxies(limitedOrigins, [host, host]);
test.after.always(async () => {
  for (const proxy of running) await proxy.stop();
  await limited.stop();
  await stack.stop();
  folder.remove();
});

for (const [index, name] of PROXY_NAMES.entries()) {
  test.serial(
    `behind ${name} as documented, HTTP/2 carries a trial of 8 MiB, and larger bodies get the gateway's error`,
    async (t) => {
      const origin = originOf(name);
      const client = await connectH2(origin, ca);
      t.teardown(() => client.close());
      const html = (bytes: number) => JSON.stringify({ html: '<h1>Large</h1>'.padEnd(bytes - '{"html":""}'.length) });
      const unpaid = await client.post(CONVERT, html(8 * MIB));
      t.is(unpaid.status, 402, unpaid.text);
      t.is(requirementsOf(unpaid).resource.url, origin + CONVERT);
      t.truthy(headerOf(unpaid, 'strict-transport-security'));
      const proof = { 'sign-in-with-x': toBase64(await signIn(unpaid, createWallet())) };
      const large = await client.post(CONVERT, html(8 * MIB), proof);
      t.is(large.status, 200, large.text.slice(0, 500));
      t.is(large.json?.['markdown'], '# Large\n');
      const larger = await client.post(CONVERT, html(8 * MIB + 1));
      t.deepEqual([larger.status, codeOf(larger)], [413, 'BODY_TOO_LARGE']);
    },
  );

  test.serial(`behind ${name} as documented, official clients try calls and tools`, async (t) => {
    const request = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"html":"<h1>TLS</h1>"}',
    };
    const answer = await readAnswer(await wrapFetchWithSIWx(fetch, createWallet())(originOf(name) + CONVERT, request));
    t.is(answer.status, 200, answer.text);
    t.is(answer.headers.get('x-trial-status'), 'charged');
    t.is((await fetch(`${originOf(name)}/metrics`)).status, 404, 'the figures of the operator are not public');
    const tools = await connectTools({ origin: originOf(name) });
    t.truthy(await tools.call('svc_status'));
    await tools.client.close();
  });

  test.serial(
    `behind ${name} as documented, clients are told apart by their addresses, whatever they claim`,
    async (t) => {
      const origin = defined(limitedOrigins.get(name));
      // Other addresses than the proxy's, which is trusted.
      const [busy, quiet] = await Promise.all([2, 3].map((last) => connectH2(origin, ca, `127.0.${index}.${last}`)));
      for (const client of [busy, quiet]) t.teardown(() => client?.close());
      for (let sent = 0; sent <= MAX_FAILED; sent += 1) {
        const claimed = { 'x-forwarded-for': `203.0.113.${sent}`, forwarded: `for=203.0.113.${sent}` };
        const { status } = await defined(busy).post(CONVERT, {}, claimed);
        t.is(status, sent < MAX_FAILED ? 402 : 429);
      }
      t.is((await defined(quiet).post(CONVERT, {}, { 'x-forwarded-for': `127.0.${index}.2` })).status, 402);
    },
  );
}

/** A path for each proxy, so that the gateway's metrics tell whose requests arrive. */
const PROBES: Readonly<Record<ProxyName, string>> = {
  nginx: '/openapi.json',
  haproxy: '/agent.json',
  caddy: '/robots.txt',
};

/** Waits until every proxy sends requests to a gateway that has just started. */
const eventuallyUsed = (gateway: string) =>
  Promise.all(
    PROXY_NAMES.map((name) =>
      until(async () => {
        await (await fetch(originOf(name) + PROBES[name])).text();
        const metrics = await readMetrics(stack, gateway);
        return (
          metrics.includes(`tollhouse_http_request_seconds_count{route="${PROBES[name]}",status="200"}`) || undefined
        );
      }),
    ),
  );

/** Has clients of every proxy send requests before, during and after some work. @returns what each proxy's clients sent */
async function underLoad(work: (loads: readonly Load[]) => Promise<void>): Promise<readonly (readonly Sent[])[]> {
  const loads = PROXY_NAMES.map((name) => startLoad({ origin: originOf(name), ca, clients: CLIENTS }));
  const someMore = async () => {
    const before = loads.map(({ sent }) => sent.length);
    const sentMore = until(() => loads.every(({ sent }, index) => sent.length >= defined(before[index]) + 50));
    await Promise.race([sentMore, ...loads.map(({ ended }) => ended)]);
  };
  try {
    await someMore();
    await work(loads);
    await someMore();
  } finally {
    for (const load of loads) await load.stop();
  }
  return loads.map(({ sent }) => sent);
}

/**
 * The requests that no gateway answered. On a busy machine, a gateway may execute fewer calls, and its health checks may fail:
 * then HAProxy and Caddy answer 503 themselves.
 */
function findLost(name: ProxyName, sent: readonly Sent[]): readonly Sent[] {
  const answers = new Set(['200', '402', 'OVERLOADED', ...(name === 'nginx' ? [] : ['503'])]);
  return sent.filter(({ outcome }) => outcome === undefined || !answers.has(outcome));
}

test.serial('a gateway that is told to stop under load loses no request', async (t) => {
  const results = await underLoad(async () => {
    stack.signal('gateway0', 'SIGTERM');
    t.is(await stack.exited('gateway0'), 'exit code 0', stack.log('gateway0').join('\n'));
  });
  for (const [index, name] of PROXY_NAMES.entries()) {
    const sent = defined(results[index]);
    const counted = `SIGTERM, ${name}: ${countOutcomes(sent)}`;
    t.log(counted);
    t.deepEqual(findLost(name, sent), [], counted);
  }
  await stack.start('gateway0');
  await eventuallyUsed(stack.urls[0]);
});

test.serial('a gateway that is killed under load takes only its own requests with it', async (t) => {
  const results = await underLoad(async (loads) => {
    await stack.kill('gateway1');
    for (const load of loads) load.mark();
  });
  for (const [index, name] of PROXY_NAMES.entries()) {
    const sent = defined(results[index]);
    const counted = `SIGKILL, ${name}: ${countOutcomes(sent)}`;
    t.log(counted);
    const lost = findLost(name, sent);
    // Caddy may notice it only by the first requests that find nobody there, which it cannot repeat (its issue 7546): those
    // that were under way, and once more as many.
    const isCaddy = name === 'caddy';
    t.true(lost.length <= (isCaddy ? 4 : 2) * CLIENTS, counted);
    t.true(
      lost.every(({ outcome }) => outcome === '502' || outcome === 'broken'),
      counted,
    );
    t.true(isCaddy || lost.every(({ isBeforeMark }) => isBeforeMark), counted);
  }
});
