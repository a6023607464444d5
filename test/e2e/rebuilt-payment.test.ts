import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { concat, decodeFunctionData, type Hex, parseAbi, toFunctionSelector, toHex } from 'viem';
import { errorCodeOf } from '../../scripts/launch/parse/error-code.ts';
import { defined } from '../../workers/exact/defined.ts';
import { connectChain, decodePayment, type PaymentPayload } from '../helpers/chain.ts';
import {
  type Answer,
  CONVERT,
  codeOf,
  fundedWallet,
  pay,
  post,
  requirementsOf,
  settlementOf,
  toBase64,
} from '../helpers/client.ts';
import { useSharedStack } from '../helpers/shared-stack.ts';

const BODY = { html: '<h1>Paid for by somebody else</h1>' };
const ABI = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
]);

const BATCH = parseAbi(['function aggregate3((address target, bool allowFailure, bytes callData)[] calls)']);

const stack = await useSharedStack();
const url = stack.urls[0] + CONVERT;
test.after.always(() => stack.stop());

async function settledPayment(): Promise<{
  readonly header: string;
  readonly transaction: Hex;
  readonly payer: Hex;
  readonly answer: Answer;
}> {
  const wallet = await fundedWallet(stack.urls[0]);
  // An empty request gets an offer without a challenge.
  const header = await pay(requirementsOf(await post(url, {})), wallet);
  const answer = await post(url, BODY, { 'payment-signature': header });
  if (answer.status !== 200) throw new Error(answer.text);
  return { header, transaction: settlementOf(answer).transaction, payer: wallet.address, answer };
}

/** The calls of the token that a transaction makes: one, or those of a batch. */
function transfersOf(input: Hex) {
  const isBatch = input.startsWith(toFunctionSelector(defined(BATCH[0])));
  const calls = isBatch
    ? decodeFunctionData({ abi: BATCH, data: input }).args[0].map(({ callData }) => callData)
    : [input];
  return calls.map((data) => decodeFunctionData({ abi: ABI, data }).args);
}

/** Combines what anyone can read on the chain with a new offer. */
async function rebuild(transaction: Hex, payer: Hex): Promise<PaymentPayload> {
  const { accepts } = requirementsOf(await post(url, {}));
  const chain = connectChain(stack.chainUrl, accepts[0].asset);
  const { input } = await chain.node.getTransaction({ hash: transaction });
  const [from, to, value, validAfter, validBefore, nonce, v, r, s] = defined(
    transfersOf(input).find(([owner]) => owner === payer),
  );
  const signature = typeof v === 'number' ? concat([defined(r), defined(s), toHex(v)]) : v;
  return {
    x402Version: 2,
    accepted: accepts[0],
    payload: {
      signature,
      authorization: { from, to, value: `${value}`, validAfter: `${validAfter}`, validBefore: `${validBefore}`, nonce },
    },
  };
}

const withSecret = (payment: PaymentPayload, offerSecret: string | undefined) => {
  const { offerSecret: _, ...extra } = payment.accepted.extra;
  return {
    ...payment,
    accepted: { ...payment.accepted, extra: offerSecret === undefined ? extra : { ...extra, offerSecret } },
  };
};

test('a payment rebuilt from the chain gets one refusal, whatever the body, over HTTP and as a tool', async (t) => {
  const { header, transaction, payer, answer } = await settledPayment();
  const rebuilt = await rebuild(transaction, payer);
  const original = decodePayment(header);
  t.is(
    rebuilt.payload.signature.toLowerCase(),
    original.payload.signature.toLowerCase(),
    'the whole payment is public',
  );
  const refusals = [];
  for (const body of [BODY, { html: '<p>Another' }, { ...BODY, sourceUrl: 'https://example.com/' }]) {
    const refused = await post(url, body, { 'payment-signature': toBase64(rebuilt) });
    t.deepEqual([refused.status, codeOf(refused)], [409, 'PAYMENT_REUSED']);
    refusals.push(refused.text.replace(/"requestId":"[^"]+"/, ''));
    const call = { name: 'html_to_markdown', arguments: body, _meta: { 'x402/payment': rebuilt } };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call };
    const tool = await post(`${stack.urls[0]}/mcp`, message);
    t.true(tool.text.includes('PAYMENT_REUSED'), tool.text);
    t.false(tool.text.includes('Paid for by somebody else'));
  }
  t.is(new Set(refusals).size, 1);
  const again = await post(url, BODY, { 'payment-signature': header });
  t.is(again.text, answer.text, 'the payer still gets the result');
});

for (const [title, offerSecret] of [
  ['without a secret', undefined],
  ['with an empty secret', ''],
  ['with a secret of its own making', 'A'.repeat(48)],
] as const) {
  test(`a payment ${title} is refused with the offer, and moves no money`, async (t) => {
    const wallet = await fundedWallet(stack.urls[0]);
    const payment = decodePayment(await pay(requirementsOf(await post(url, {})), wallet));
    const forged = { 'payment-signature': toBase64(withSecret(payment, offerSecret)) };
    const answer = await post(url, BODY, forged);
    t.is(answer.status, 402);
    t.regex(requirementsOf(answer).error, /^invalid_payment_requirements: accepted\.extra\.offerSecret must be /);
    t.is(
      (await post(url, BODY, { 'payment-signature': toBase64(payment) })).status,
      200,
      'the unchanged payment is valid',
    );
  });
}

test('the secret of an offer is neither on the chain nor in any file of the product', async (t) => {
  const { header, transaction } = await settledPayment();
  const secret = decodePayment(header).accepted.extra.offerSecret;
  if (secret === undefined) throw new Error('the offer has no secret');
  const chain = connectChain(stack.chainUrl, decodePayment(header).accepted.asset);
  const { input } = await chain.node.getTransaction({ hash: transaction });
  t.false(input.includes(Buffer.from(secret).toString('hex')));
  t.false(filesUnder(stack.dataDir).some((file) => contentOf(file).includes(secret)));
});

/** PostgreSQL may have removed a file since it was listed. */
function contentOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}

function filesUnder(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}
