import test from 'ava';
import { getAddress, type Hex, hashTypedData, hexToBytes, recoverAddress } from 'viem';
import { TRANSFER_TYPES as types } from '../../../../services/payments/contract/transfer-types.ts';
import { createAuthorizationHasher } from '../../../../services/payments/payment/authorization.ts';
import { createPaymentReader, toPayload } from '../../../../services/payments/payment/payment.ts';
import { createTerms, offerOf } from '../../../../services/payments/payment/terms.ts';
import { recoverSigner } from '../../../../services/platform/ethereum/recover-address.ts';
import { createWallet, signPayment } from '../../../kit/chain.ts';
import { fc } from '../../../kit/fast-check.ts';
import { wrap } from '../wallet-accounts.ts';

const PAY_TO = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const terms = createTerms({ network: 'eip155:31337', payTo: PAY_TO, sandbox: true });
const read = createPaymentReader(terms);
const offer = offerOf(terms, '3000');
const wallet = createWallet();
const hasher = createAuthorizationHasher(terms);
const domain = { name: 'USD Coin', version: '2', chainId: 31337, verifyingContract: terms.asset };

type Json = { [name: string]: Json } | Json[] | string | number | boolean | null;

function replaceAt(value: unknown, path: readonly string[], replacement: Json | undefined): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return replacement;
  if (typeof value !== 'object' || value === null) throw new TypeError(`${name} is not in an object`);
  return { ...value, [name]: replaceAt(Reflect.get(value, name), rest, replacement) };
}

/** The payment as JSON text, with the value at a path replaced; undefined removes it. */
function changed(payment: unknown, path: string, value: Json | undefined): string {
  return JSON.stringify(replaceAt(payment, path.split('.'), value));
}

test('reads a payment of the official client and recovers its payer', async (t) => {
  const payment = await signPayment(wallet, offer);
  const answer = read(JSON.stringify(payment), '3000');
  t.true(answer.ok);
  if (!answer.ok) return;
  t.is(answer.payment.payer, wallet.address);
  const payload: unknown = toPayload(answer.payment);
  t.deepEqual(payload, payment);
});

test('the payload for the facilitator has all extensions but the payment identifier', async (t) => {
  const payment = await signPayment(wallet, offer);
  const extensions = { 'payment-identifier': { info: { id: 'ticket_0123456789' } }, other: { info: {} } };
  const answer = read(JSON.stringify({ ...payment, extensions }), '3000');
  if (!answer.ok) throw new Error(answer.reason);
  t.like(toPayload(answer.payment), { extensions: { other: { info: {} } } });
  t.false(JSON.stringify(toPayload(answer.payment)).includes('ticket'));
});

test('addresses and nonces in another spelling are the same payment', async (t) => {
  const payment = await signPayment(wallet, offer);
  const lower = changed(payment, 'payload.authorization.from', wallet.address.toLowerCase());
  const upper = payment.payload.authorization.nonce.toUpperCase().replace('0X', '0x');
  const both = changed(JSON.parse(lower), 'payload.authorization.nonce', upper);
  const [one, two] = [read(JSON.stringify(payment), '3000'), read(both, '3000')];
  t.true(one.ok && two.ok && one.payment.digest === two.payment.digest && one.payment.payer === two.payment.payer);
});

const TAKEN: readonly (readonly [string, string, Json])[] = [
  ['null as extensions', 'extensions', null],
  ['null as resource', 'resource', null],
  ['null in the resource', 'resource', { url: 'http://127.0.0.1/', description: null, tags: null }],
  ['null as payment identifier', 'extensions', { 'payment-identifier': null }],
  ['an unknown member', 'memo', { text: 'hello' }],
  ['an unknown member that is null', 'error', null],
  ['an unknown member of the offer', 'accepted.discount', '1'],
  ['an unknown member of the offer that is null', 'accepted.outputSchema', null],
  ['an unknown member of extra', 'accepted.extra.decimals', 6],
  ['an unknown member of extra that is null', 'accepted.extra.assetTransferMethod', null],
  ['an unknown member of the payload', 'payload.type', 'eip3009'],
  ['null as authorization of Permit2', 'payload.permit2Authorization', null],
];

for (const [what, path, value] of TAKEN) {
  test(`taken: ${what}`, async (t) => {
    const answer = read(changed(await signPayment(wallet, offer), path, value), '3000');
    t.like(answer, { ok: true, mismatch: undefined });
    // Only what was offered goes on to a facilitator.
    t.true(answer.ok && JSON.stringify(toPayload(answer.payment).accepted) === JSON.stringify(offer));
  });
}

test('what is null is not sent to the facilitator', async (t) => {
  const payment = await signPayment(wallet, offer);
  const answer = read(JSON.stringify({ ...payment, resource: null, extensions: null }), '3000');
  if (!answer.ok) throw new Error(answer.reason);
  const payload: unknown = toPayload(answer.payment);
  t.deepEqual(payload, payment);
});

const MALFORMED: readonly (readonly [string, string, Json | undefined])[] = [
  ['a version in text', 'x402Version', '2'],
  ['no version', 'x402Version', undefined],
  ['no accepted offer', 'accepted', undefined],
  ['an accepted offer in text', 'accepted', 'exact'],
  ['no payload', 'payload', undefined],
  ['a list as payload', 'payload', []],
  ['no signature', 'payload.signature', undefined],
  ['an empty signature', 'payload.signature', '0x'],
  ['a signature that is not hexadecimal', 'payload.signature', `0x${'g'.repeat(130)}`],
  ['a signature of half bytes', 'payload.signature', `0x${'1'.repeat(129)}`],
  ['no authorization', 'payload.authorization', undefined],
  ['null as authorization', 'payload.authorization', null],
  ['no payer', 'payload.authorization.from', undefined],
  ['a short address', 'payload.authorization.from', '0x1234'],
  ['an address without prefix', 'payload.authorization.to', PAY_TO.slice(2)],
  ['a numeric value', 'payload.authorization.value', 3000],
  ['a negative value', 'payload.authorization.value', '-3000'],
  ['a value with a leading zero', 'payload.authorization.value', '03000'],
  ['a value in hexadecimal', 'payload.authorization.value', '0xbb8'],
  ['a value beyond uint256', 'payload.authorization.value', `${2n ** 256n}`],
  ['a time with a fraction', 'payload.authorization.validBefore', '1900000000.5'],
  ['an empty time', 'payload.authorization.validAfter', ''],
  ['a nonce of 31 bytes', 'payload.authorization.nonce', `0x${'1'.repeat(62)}`],
  ['a resource in text', 'resource', 'http://127.0.0.1/'],
];

for (const [what, path, value] of MALFORMED) {
  test(`malformed: ${what}`, async (t) => {
    const answer = read(changed(await signPayment(wallet, offer), path, value), '3000');
    t.like(answer, { ok: false, code: 'MALFORMED' });
  });
}

test('a value that is no payment is malformed, and no input crashes the reader', (t) => {
  for (const text of ['', 'null', '[]', '"payment"', '{', '{}', '42', '\u0000', '{"x402Version":2}']) {
    t.like(read(text, '3000'), { ok: false, code: 'MALFORMED' }, text);
  }
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => !read(text, '3000').ok));
});

const NOT_ACCEPTED: readonly (readonly [string, string, Json | undefined])[] = [
  ['another network', 'accepted.network', 'eip155:8453'],
  ['another asset', 'accepted.asset', PAY_TO],
  ['another recipient', 'accepted.payTo', terms.asset],
  ['the same amount in another spelling', 'accepted.amount', '3000.0'],
  ['another time', 'accepted.maxTimeoutSeconds', 61],
  ['another token name', 'accepted.extra.name', 'USDC'],
  ['null as extra', 'accepted.extra', null],
  ['no version of the token', 'accepted.extra.version', undefined],
  ['a numeric version of the token', 'accepted.extra.version', 2],
  ['a signature of more than 4 KiB', 'payload.signature', `0x${'ab'.repeat(4097)}`],
  ['a wrapper of ERC-6492 around nothing', 'payload.signature', `0x${'6492'.repeat(16)}`],
  ['a wrapper that points beyond its end', 'payload.signature', `0x${'ff'.repeat(96)}${'6492'.repeat(16)}`],
];

for (const [what, path, value] of NOT_ACCEPTED) {
  test(`not accepted: ${what}`, async (t) => {
    const answer = read(changed(await signPayment(wallet, offer), path, value), '3000');
    t.true(answer.ok ? answer.mismatch !== undefined : answer.code === 'NOT_ACCEPTED');
  });
}

test('not accepted: an authorization to someone else, or of another value', async (t) => {
  const to = await signPayment(wallet, offer, { to: wallet.address });
  const value = await signPayment(wallet, offer, { value: '2999' });
  for (const [payment, mismatch] of [
    [to, `invalid_exact_evm_recipient_mismatch: payload.authorization.to must be ${PAY_TO}`],
    [value, 'invalid_exact_evm_payload_authorization_value_mismatch: payload.authorization.value must be 3000'],
  ] as const) {
    t.like(read(JSON.stringify(payment), '3000'), { ok: true, mismatch });
  }
});

/** Where the fault is, the value there, and the whole reason. */
const REASONS: readonly (readonly [string, Json | undefined, string])[] = [
  ['payload.authorization.validAfter', 0, 'invalid_payload: payload.authorization.validAfter must be of type string'],
  ['payload.authorization.nonce', undefined, 'invalid_payload: payload.authorization.nonce is required'],
  ['payload.authorization.memo', 'hello', 'invalid_payload: payload.authorization.memo is not a known property'],
  ['accepted.amount', 3000, 'invalid_payload: accepted.amount must be of type string'],
  ['extensions', [], 'invalid_payload: extensions must be of type object'],
  ['x402Version', 3, 'invalid_payload: x402Version must be 2'],
  ['accepted.scheme', 'upto', 'invalid_payment_requirements: accepted.scheme must be exact'],
  ['accepted.amount', '2999', 'invalid_payment_requirements: accepted.amount must be 3000'],
  ['accepted.extra', undefined, 'invalid_payment_requirements: accepted.extra.name must be USD Coin'],
  ['accepted.maxTimeoutSeconds', 60, 'invalid_payment_requirements: accepted.maxTimeoutSeconds must be 180'],
];

for (const [path, value, reason] of REASONS) {
  test(`the reason names ${path} and what it must be: ${JSON.stringify(value)}`, async (t) => {
    const answer = read(changed(await signPayment(wallet, offer), path, value), '3000');
    t.is(answer.ok ? answer.mismatch : answer.reason, reason);
    t.is(
      answer.ok ? 'NOT_ACCEPTED' : answer.code,
      reason.startsWith('invalid_payload:') ? 'MALFORMED' : 'NOT_ACCEPTED',
    );
  });
}

test('not accepted: version 1 and Permit2', async (t) => {
  const payment = await signPayment(wallet, offer);
  const version1 = { x402Version: 1, scheme: 'exact', network: 'base', payload: payment.payload };
  const permit2 = { ...payment, payload: { signature: payment.payload.signature, permit2Authorization: {} } };
  t.like(read(JSON.stringify(version1), '3000'), {
    code: 'NOT_ACCEPTED',
    reason: 'invalid_x402_version: x402Version must be 2',
  });
  t.like(read(JSON.stringify(permit2), '3000'), {
    code: 'NOT_ACCEPTED',
    reason: 'unsupported_payload_type: payload.authorization is required (EIP-3009)',
  });
});

test('what the key of the payer did not sign is for its code to judge, and each such signature is another payment', async (t) => {
  const payment = await signPayment(wallet, offer);
  const bytes = Buffer.from(payment.payload.signature.slice(2), 'hex');
  const v = bytes.readUInt8(64);
  const highS = (ORDER - BigInt(`0x${bytes.toString('hex', 32, 64)}`)).toString(16).padStart(64, '0');
  const twin = `0x${bytes.toString('hex', 0, 32)}${highS}${(v === 27 ? 28 : 27).toString(16)}`;
  const parity = `0x${bytes.toString('hex', 0, 64)}0${v - 27}`;
  const long = `0x${'ab'.repeat(4096)}`;
  const wrapped = wrap(payment.payload.signature);
  const signatures = [twin, parity, `0x${'ff'.repeat(65)}`, '0x01', long, payment.payload.signature, wrapped];
  const payments = signatures.map((signature) => {
    const text = changed(payment, 'payload.signature', signature);
    const answer = read(text, '3000');
    if (!answer.ok) throw new Error(answer.reason);
    // A facilitator gets what came, and what is kept is read again.
    const payload: unknown = toPayload(answer.payment);
    t.deepEqual(payload, JSON.parse(text));
    t.deepEqual(read(JSON.stringify(payload), '3000'), answer);
    return answer.payment;
  });
  const judged: readonly unknown[] = payments.map(({ walletSignature }) => walletSignature);
  t.deepEqual(judged, [...signatures.slice(0, 5), undefined, payment.payload.signature]);
  t.is(new Set(payments.map(({ digest }) => digest)).size, signatures.length);
  const upper = read(changed(payment, 'payload.signature', twin.toUpperCase().replace('0X', '0x')), '3000');
  t.true(upper.ok && upper.payment.digest === payments[0]?.digest);
});

const uint256 = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
const hexOf = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((raw): Hex => `0x${Buffer.from(raw).toString('hex')}`);

test('digests and recovered signers match viem', async (t) => {
  const arbitrary = fc.record({
    from: hexOf(20).map((address) => getAddress(address)),
    to: hexOf(20).map((address) => getAddress(address)),
    value: uint256,
    validAfter: uint256,
    validBefore: uint256,
    nonce: hexOf(32),
  });
  await fc.assert(
    fc.asyncProperty(arbitrary, async (message) => {
      const hash = hashTypedData({ domain, types, primaryType: 'TransferWithAuthorization', message });
      const digest = hasher(message);
      t.deepEqual(digest, hexToBytes(hash));
      const signature = await wallet.sign({ hash });
      const signer: string | undefined = recoverSigner(digest, signature);
      t.is(signer, await recoverAddress({ hash, signature }));
    }),
    { numRuns: 50 },
  );
});
