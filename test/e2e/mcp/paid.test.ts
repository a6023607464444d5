import { connect } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { x402Client } from '@x402/fetch';
import test from 'ava';
import { htmlToMarkdown } from '../../../gateway/operations/html-to-markdown/operation.ts';
import { operations } from '../../../gateway/operations/index.ts';
import { connectChain, type Wallet } from '../../kit/chain.ts';
import {
  CONVERT,
  codeOf,
  fundedWallet,
  post,
  type Requirements,
  readRequirements,
  requirementsOf,
  toBase64,
} from '../../kit/client.ts';
import { useSharedStack } from '../../kit/shared-stack.ts';
import { until } from '../../kit/until.ts';

const stack = await useSharedStack();
const origin = stack.urls[0];
const client = new Client({ name: 'test', version: '1.0.0' });
await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', origin)));
// The client only checks answers of tools that it has listed.
await client.listTools();
const { asset } = (await required('html_to_markdown', {})).accepts[0];
const chain = connectChain(stack.chainUrl, asset);
test.after.always(async () => {
  await client.close();
  await stack.stop();
});

const NETWORK = 'eip155:31337';
const FUNDS = 10_000_000n;
const PRICE = htmlToMarkdown.priceMicroUsd;
const PAGE = { html: '<h1>Roads</h1><p>See <a href="/toll">tolls</a>.</p>', sourceUrl: 'https://example.com/a' };
const MARKDOWN = '# Roads\n\nSee [tolls](https://example.com/toll).\n';

type Args = Readonly<Record<string, unknown>>;
type Payment = object;

async function call(name: string, args: Args, payment?: unknown) {
  const paid = payment === undefined ? {} : { _meta: { 'x402/payment': payment } };
  const result = await client.callTool({ name, arguments: { ...args }, ...paid });
  const [content] = result.content;
  const text = content !== undefined && 'text' in content ? content.text : '';
  const { isError = false, structuredContent, _meta } = result;
  return { isError, text, structuredContent, settlement: _meta?.['x402/payment-response'] };
}

async function required(name: string, args: Args, payment?: unknown): Promise<Requirements> {
  const { isError, structuredContent } = await call(name, args, payment);
  if (!isError) throw new Error(`${name} did not ask for a payment`);
  return readRequirements(structuredContent);
}

/** A payment of the official client, which repeats the requirements. */
async function sign(wallet: Wallet, asked: Requirements): Promise<Payment> {
  const [{ asset }] = asked.accepts;
  const payer = new x402Client().register(NETWORK, new ExactEvmScheme(wallet));
  payer.setSpendControls({
    allowedAssets: [{ network: NETWORK, asset, maxAmountPerPayment: '14000' }],
  });
  return payer.createPaymentPayload({ ...asked, accepts: [{ ...asked.accepts[0], network: NETWORK }] });
}

/** Adds a payment identifier, by which the service recognizes the payment in any encoding. */
const named = (payment: Payment, id: string) => ({
  ...payment,
  extensions: { 'payment-identifier': { info: { required: false, id } } },
});

async function payer(name = 'html_to_markdown') {
  const [wallet, asked] = await Promise.all([fundedWallet(origin), required(name, {})]);
  return { wallet, asked, payment: await sign(wallet, asked) };
}

/** Micro-USD that the wallet has paid. */
const paidBy = async (wallet: Wallet) => FUNDS - (await chain.balanceOf(wallet.address));

const withoutSecret = (accepts: Requirements['accepts']) =>
  accepts.map((offer) => ({ ...offer, extra: { ...offer.extra, offerSecret: '' } }));

test('an unpaid tool call returns the same price as HTTP', async (t) => {
  t.true((await (await fetch(`${origin}/llms.txt`)).text()).includes(`POST ${origin}/mcp: `));
  for (const { name, path, requestExample } of operations) {
    const tool = name.replaceAll('-', '_');
    const answer = await call(tool, requestExample);
    t.true(answer.isError);
    t.deepEqual(JSON.parse(answer.text), answer.structuredContent);
    t.is(answer.settlement, undefined);
    const asked = readRequirements(answer.structuredContent);
    const overHttp = requirementsOf(await post(origin + path, requestExample));
    t.deepEqual(withoutSecret(asked.accepts), withoutSecret(overHttp.accepts));
    t.deepEqual(asked.resource, overHttp.resource);
    t.like(asked, { x402Version: 2, error: 'payment required' });
    const { accepts } = await required(tool, {});
    t.deepEqual(
      withoutSecret(accepts),
      withoutSecret(asked.accepts),
      'a client that asks for the price sends no arguments',
    );
    const secrets = [accepts, asked.accepts, overHttp.accepts].map(([{ extra }]) => extra.offerSecret);
    t.is(new Set(secrets).size, 3, 'every offer has its own secret');
  }
});

test('sells a reverse geocoding in the newest revision, with fractions in the arguments', async (t) => {
  const { wallet, payment } = await payer('reverse_geocode');
  const modern = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  await modern.connect(new StreamableHTTPClientTransport(new URL('/mcp', origin)));
  t.is(modern.getNegotiatedProtocolVersion(), '2026-07-28');
  const bought = { name: 'reverse_geocode', arguments: { latitude: 51.76, longitude: 19.46 } };
  t.like((await modern.callTool(bought)).structuredContent, { accepts: [{ amount: '14000' }] });
  const answer = await modern.callTool({ ...bought, _meta: { 'x402/payment': payment } });
  t.like(answer.structuredContent, { coordinates: bought.arguments });
  t.like(answer._meta?.['x402/payment-response'], { success: true, payer: wallet.address });
  t.is(await paidBy(wallet), 14_000n);
  await modern.close();
});

test('tools and HTTP recognize the same payment again, with or without a payment identifier', async (t) => {
  const payers = await Promise.all([payer(), payer()]);
  const payments = payers.map(({ payment }, index) => (index === 0 ? payment : named(payment, 'ticket_0123456789')));
  for (const [index, payment] of payments.entries()) {
    const headers = { 'payment-signature': toBase64(payment) };
    const asTool = await call('html_to_markdown', PAGE, payment);
    t.deepEqual(await call('html_to_markdown', PAGE, payment), asTool);
    const overHttp = await post(origin + CONVERT, PAGE, headers);
    t.is(overHttp.status, 200, overHttp.text);
    t.deepEqual(overHttp.json, asTool.structuredContent);
    t.is(overHttp.headers.get('payment-response'), toBase64(asTool.settlement));
    t.is(codeOf(await post(origin + CONVERT, { html: '<p>Other' }, headers)), 'PAYMENT_REUSED');
    const wallet = payers[index]?.wallet;
    t.is(wallet && (await paidBy(wallet)), PRICE);
  }
});

test('a client that disconnects after sending a payment has paid, and can fetch its result', async (t) => {
  const { wallet, payment } = await payer();
  const params = { name: 'html_to_markdown', arguments: PAGE, _meta: { 'x402/payment': payment } };
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const body = JSON.stringify(message);
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  const head = `POST /mcp HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: application/json`;
  await new Promise((sent) =>
    socket.write(`${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`, sent),
  );
  socket.destroy();
  await until(async () => (await paidBy(wallet)) === PRICE);
  t.like((await call('html_to_markdown', PAGE, payment)).structuredContent, { markdown: MARKDOWN });
  t.is(await paidBy(wallet), PRICE);
});
