import { randomBytes, randomUUID } from 'node:crypto';
import test from 'ava';
import { Type } from 'typebox';
import { concat, decodeFunctionData, type Hex, parseAbi, toFunctionSelector, toHex } from 'viem';
import { runTollhouse } from '../../scripts/cli/tollhouse/tollhouse.ts';
import { createJsonReader } from '../../scripts/launch/parse/json-reader.ts';
import { isRecord } from '../../services/platform/is-record.ts';
import { defined } from '../../workers/exact/defined.ts';
import { nameCall, openBuyers, PRICE, responseOf, type SignedCall } from '../kit/buyers.ts';
import { connectChain, decodePayment, type PaymentPayload } from '../kit/chain.ts';
import { type Answer, CONVERT, codeOf, fromBase64, headerOf, post, settlementOf, toBase64 } from '../kit/client.ts';
import { useSharedStack } from '../kit/shared-stack.ts';
import { query } from './faults/quiet.ts';

const TRANSFER =
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce';
const ABI = parseAbi([`${TRANSFER}, uint8 v, bytes32 r, bytes32 s)`, `${TRANSFER}, bytes signature)`]);
const BATCH = parseAbi(['function aggregate3((address target, bool allowFailure, bytes callData)[] calls)']);

const stack = await useSharedStack();
const [origin] = stack.urls;
const buyers = openBuyers(origin);
test.after.always(() => stack.stop());

/** Random text that cannot be compressed or occur elsewhere. */
const newBody = () => ({ html: `<p>${randomBytes(300).toString('base64url')}` });
const paymentOf = ({ headers }: SignedCall) => decodePayment(defined(headers['payment-signature']));

test('one payment-identifier is charged once, by single payments and by a channel of the same wallet', async (t) => {
  let identifier = randomUUID();
  const channel = await buyers.channel({
    async fetch(input, init) {
      const request = new Request(input, init);
      const header = request.headers.get('payment-signature');
      const payment = header === null ? undefined : fromBase64(header);
      if (isRecord(payment)) request.headers.set('payment-signature', nameCall(payment, identifier));
      return fetch(request);
    },
  });
  const body = newBody();
  const bySingle = async (sent: object = body) =>
    (await buyers.exact({ wallet: channel.wallet, identifier })).sign(CONVERT, sent);
  const first = await channel.call(CONVERT, body);
  t.is(first.status, 200, first.text);
  t.is((await channel.forget().call(CONVERT, body)).text, first.text, 'without memory of the charge');
  const single = await bySingle();
  const chain = connectChain(stack.chainUrl, paymentOf(single).accepted.asset);
  const left = () => chain.balanceOf(channel.wallet.address);
  const before = await left();
  t.is((await single.send()).json?.['markdown'], first.json?.['markdown']);
  const other = await (await bySingle(newBody())).send();
  t.deepEqual([other.status, codeOf(other)], [409, 'PAYMENT_REUSED']);
  t.is(await left(), before);

  identifier = randomUUID();
  const together = await Promise.all(Array.from({ length: 5 }, async () => (await bySingle()).send()));
  for (const answer of together) {
    t.is(answer.text, defined(together[0]).text);
    t.deepEqual(settlementOf(answer), settlementOf(defined(together[0])));
  }
  t.is(await left(), before - PRICE);
  const again = await channel.call(CONVERT, body);
  t.is(again.json?.['markdown'], first.json?.['markdown']);
  t.like(responseOf(again).extra?.['channelState'], { chargedCumulativeAmount: `${PRICE}` });
  const refused = await channel.call(CONVERT, newBody());
  t.deepEqual([codeOf(refused), refused.headers.get('payment-response')], ['PAYMENT_REUSED', null], refused.text);
  identifier = randomUUID();
  const next = responseOf(await channel.call(CONVERT, body)).extra?.['channelState'];
  t.like(next, { chargedCumulativeAmount: `${2n * PRICE}` });
});

/** The calls of the token that a transaction makes: one, or those of a batch. */
function transfersOf(input: Hex) {
  const isBatch = input.startsWith(toFunctionSelector(defined(BATCH[0])));
  const calls = isBatch
    ? decodeFunctionData({ abi: BATCH, data: input }).args[0].map(({ callData }) => callData)
    : [input];
  return calls.map((data) => decodeFunctionData({ abi: ABI, data }).args);
}

/** Combines what anyone can read on the chain with a new offer. */
async function rebuild(payer: Hex, input: Hex): Promise<PaymentPayload> {
  const { accepted } = paymentOf(await (await buyers.exact()).sign(CONVERT, {}));
  const found = defined(transfersOf(input).find(([owner]) => owner === payer));
  const [from, to, value, validAfter, validBefore, nonce, v, r, s] = found;
  const signature = typeof v === 'number' ? concat([defined(r), defined(s), toHex(v)]) : v;
  const numbers = { value: `${value}`, validAfter: `${validAfter}`, validBefore: `${validBefore}` };
  return { x402Version: 2, accepted, payload: { signature, authorization: { from, to, nonce, ...numbers } } };
}

test('a payment rebuilt from the chain gets one refusal, whatever the body, over HTTP and as a tool', async (t) => {
  const body = newBody();
  const call = await (await buyers.exact()).sign(CONVERT, body);
  const answer = await call.send();
  const { payload, accepted } = paymentOf(call);
  const { transaction } = settlementOf(answer);
  const { input } = await connectChain(stack.chainUrl, accepted.asset).node.getTransaction({ hash: transaction });
  t.false(input.includes(Buffer.from(defined(accepted.extra.offerSecret)).toString('hex')));
  const rebuilt = await rebuild(call.payer, input);
  t.is(rebuilt.payload.signature.toLowerCase(), payload.signature.toLowerCase(), 'the whole payment is public');
  const refusals = [];
  for (const asked of [body, { html: '<p>Another' }, { ...body, sourceUrl: 'https://example.com/' }]) {
    const refused = await post(origin + CONVERT, asked, { 'payment-signature': toBase64(rebuilt) });
    t.deepEqual([refused.status, codeOf(refused)], [409, 'PAYMENT_REUSED']);
    refusals.push(refused.text.replace(/"requestId":"[^"]+"/, ''));
    const params = { name: 'html_to_markdown', arguments: asked, _meta: { 'x402/payment': rebuilt } };
    const tool = await post(`${origin}/mcp`, { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    t.true(tool.text.includes('PAYMENT_REUSED'), tool.text);
    t.false(tool.text.includes(body.html.slice(3)));
  }
  t.is(new Set(refusals).size, 1);
  t.is((await call.send()).text, answer.text, 'the payer still gets the result');
});

const readShown = createJsonReader(
  Type.Object({ requestId: Type.String(), request: Type.String(), response: Type.String() }),
  'the call',
);

/** What an operator is shown of a call. */
async function show(answer: Answer) {
  const environment = { DATABASE_URL: stack.databaseUrl, TOLLHOUSE_DATA: stack.dataDir };
  const lines: string[] = [];
  const args = ['retention', 'show', headerOf(answer, 'x-request-id'), '--reason', 'a test', '--json'];
  await runTollhouse(args, { environment, say: (line) => void lines.push(line) });
  return readShown(lines.join(''));
}

test('operators find the bodies of calls by the request id, without any header', async (t) => {
  for (const buyer of [buyers.trial(), await buyers.exact()]) {
    const body = newBody();
    const call = await buyer.sign(CONVERT, body);
    const answer = await call.send();
    t.is(answer.status, 200, answer.text);
    const shown = await show(answer);
    const requestId = headerOf(answer, 'x-request-id');
    t.deepEqual(shown, { ...shown, requestId, request: JSON.stringify(body), response: answer.text });
    const secrets = Object.values(call.headers).flatMap((header) => [header, ...signaturesIn(fromBase64(header))]);
    t.true(secrets.length > 1);
    for (const secret of secrets) t.false(JSON.stringify(shown).includes(secret));
  }
});

/** The parts of a header that nothing may keep. The nonce is no secret: it is used up, and the ledger has it. */
function signaturesIn(value: unknown): readonly string[] {
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, part]) =>
    name === 'signature' || name === 'offerSecret' ? [String(part)] : signaturesIn(part),
  );
}

test('a payment whose result was deleted is refused, and not answered as a passing fault', async (t) => {
  const call = await (await buyers.exact()).sign(CONVERT, newBody());
  const requestId = headerOf(await call.send(), 'x-request-id');
  const deleted = await query(
    stack,
    `DELETE FROM retained_body WHERE request_id = '${requestId}' RETURNING request_id`,
  );
  t.is(deleted.length, 1);
  const again = await call.send();
  t.deepEqual([again.status, codeOf(again)], [409, 'PAYMENT_REUSED'], again.text);
});
