import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithSIWx } from '@x402/extensions/sign-in-with-x';
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch';
import test from 'ava';
import { freePort } from '../../../scripts/launch/servers/free-port.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { openBuyers, responseOf } from '../../kit/buyers.ts';
import { createWallet } from '../../kit/chain.ts';
import {
  CONVERT,
  codeOf,
  errorOf,
  fromBase64,
  fundedWallet,
  headerOf,
  post,
  rawRequest,
  readAnswer,
  readRequirements,
  requirementsOf,
} from '../../kit/client.ts';
import { startExtraGateway } from '../../kit/extra-gateway.ts';
import { useSharedStack } from '../../kit/shared-stack.ts';
import { createTestFolder } from '../../kit/test-folder.ts';
import { connectTools } from '../../kit/tool-client.ts';
import { DEFAULTS } from './defaults.ts';
import { findProxy, PROXY_NAMES, type ProxyName } from './programs.ts';
import { type RunningProxy, startProxy } from './proxies.ts';

const MIB = 1024 * 1024;
const BODY = { html: '<h1>Tolls</h1>' };
const MARKDOWN = '# Tolls\n';
const REQUEST = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(BODY),
} as const;

const folder = createTestFolder();
const origins = new Map<ProxyName, string>();
const running: RunningProxy[] = [];

const stack = await useSharedStack();
const ports = new Map<ProxyName, number>();
for (const name of PROXY_NAMES) ports.set(name, await freePort());
for (const [name, port] of ports) origins.set(name, `http://127.0.0.1:${port}`);
// nginx names the gateway itself as Host, which selects the first of them.
const gateway = await startExtraGateway(stack, {
  PUBLIC_URLS: [...origins.values()].join(','),
  TRIAL_DAILY_BUDGET_MICRO_USD: '1000000000',
});
for (const [name, port] of ports) {
  const text = DEFAULTS[name](port, new URL(gateway.url).host);
  running.push(await startProxy(folder, { name, program: await findProxy(name), text, port }));
}
test.after.always(async () => {
  for (const proxy of running) await proxy.stop();
  await gateway.stop();
  await stack.stop();
  folder.remove();
});

for (const name of PROXY_NAMES) {
  const origin = () => defined(origins.get(name));
  const url = () => origin() + CONVERT;

  test(`behind ${name} with defaults, a 402 names the public origin, and a trial is charged`, async (t) => {
    const refused = await post(url(), BODY);
    t.is(refused.status, 402, refused.text);
    const { resource, extensions } = requirementsOf(refused);
    t.is(resource.url, url());
    t.is(defined(extensions['sign-in-with-x']).info.domain, new URL(origin()).host);
    const answer = await readAnswer(await wrapFetchWithSIWx(fetch, createWallet())(url(), REQUEST));
    t.is(answer.status, 200, answer.text);
    t.is(answer.json?.['markdown'], MARKDOWN);
    t.is(answer.headers.get('x-trial-status'), 'charged');
    t.is(answer.headers.get('x-trial-accounting-status'), 'confirmed');
  });

  test(`behind ${name} with defaults, the official client pays`, async (t) => {
    const wallet = await fundedWallet(origin());
    const client = new x402Client().register('eip155:31337', new ExactEvmScheme(wallet));
    client.setSpendControls({ allowedAssets: true });
    const answer = await readAnswer(await wrapFetchWithPayment(fetch, client)(url(), REQUEST));
    t.is(answer.status, 200, answer.text);
    t.is(answer.json?.['markdown'], MARKDOWN);
    t.true(decodePaymentResponseHeader(headerOf(answer, 'payment-response')).success);
  });

  test(`behind ${name} with defaults, the official client pays by vouchers of a channel`, async (t) => {
    const buyer = await openBuyers(origin()).channel();
    for (const isDeposit of [true, false]) {
      const answer = await buyer.call(CONVERT, BODY);
      t.is(answer.status, 200, answer.text);
      t.is(answer.json?.['markdown'], MARKDOWN);
      t.is(responseOf(answer).transaction !== '', isDeposit);
    }
    t.true((await buyer.refund()).success);
  });

  test(`behind ${name} with defaults, tools are listed, free and paid`, async (t) => {
    const free = await connectTools({ origin: origin() });
    t.truthy(await free.call('svc_status'));
    const paid = new Client({ name: 'test', version: '1.0.0' });
    await paid.connect(new StreamableHTTPClientTransport(new URL('/mcp', origin())));
    t.true((await paid.listTools()).tools.some((tool) => tool.name === 'html_to_markdown'));
    const call = { name: 'html_to_markdown', arguments: BODY };
    t.like(readRequirements((await paid.callTool(call)).structuredContent), { error: 'payment required' });
    const { headers } = await (await openBuyers(origin()).exact()).sign(CONVERT, BODY);
    const payment = fromBase64(String(headers['payment-signature']));
    const answer = await paid.callTool({ ...call, _meta: { 'x402/payment': payment } });
    t.like(answer.structuredContent, { markdown: MARKDOWN });
    await Promise.all([free.client.close(), paid.close()]);
  });

  test(`behind ${name} with defaults, pages and errors are the gateway's`, async (t) => {
    const page = await readAnswer(
      await fetch(`${origin()}/apis/html-to-markdown`, { headers: { accept: 'text/html' } }),
    );
    t.is(page.status, 200);
    t.regex(headerOf(page, 'content-type'), /^text\/html/);
    const [, script] = /<script[^>]* src="([^"]+)"/.exec(page.text) ?? [];
    const scripts = await fetch(new URL(defined(script), origin()));
    t.is(scripts.headers.get('content-encoding'), 'gzip');
    t.true((await scripts.text()).length > 0);
    const head = await fetch(`${origin()}/`, { method: 'HEAD' });
    t.deepEqual([head.status, await head.text()], [200, '']);
    for (const [method, path, body, status, code] of [
      ['GET', '/nothing', undefined, 404, 'NOT_FOUND'],
      ['DELETE', CONVERT, undefined, 405, 'METHOD_NOT_ALLOWED'],
      ['POST', CONVERT, '{', 400, 'INVALID_JSON'],
    ] as const) {
      const headers = { 'content-type': 'application/json' };
      const answer = await rawRequest(origin() + path, { method, headers, ...(body && { body }) });
      t.is(answer.status, status, answer.text);
      t.is(codeOf(answer), code);
      t.is(errorOf(answer).requestId, headerOf(answer, 'x-request-id'));
    }
  });

  test(`behind ${name} with defaults, unusual requests are answered like plain ones`, async (t) => {
    const type = { 'content-type': 'application/json' };
    const body = JSON.stringify(BODY);
    for (const headers of [
      { ...type, 'transfer-encoding': 'chunked' },
      { ...type, expect: '100-continue' },
      { ...type, 'x-custom': 'a'.repeat(6000) },
    ]) {
      const answer = await rawRequest(url(), { headers, body });
      t.is(answer.status, 402, JSON.stringify(headers));
    }
    const large = { html: `<h1>Tolls</h1>${' '.repeat(2 * MIB)}` };
    // nginx itself refuses bodies over 1 MiB.
    if (name === 'nginx') t.is((await post(url(), large)).status, 413);
    else t.is((await openBuyers(origin()).trial().call(CONVERT, large)).status, 200);
  });
}
