import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import test from 'ava';
import { createWallet, decodePayment, signPayment } from '../helpers/chain.ts';
import {
  type Answer,
  CONVERT,
  codeOf,
  errorOf,
  fundedWallet,
  GEOCODE,
  headerOf,
  pay,
  post,
  REVERSE_GEOCODE,
  rawRequest,
  requirementsOf,
  signIn,
  toBase64,
  tryOnce,
} from '../helpers/client.ts';
import { useSharedStack } from '../helpers/shared-stack.ts';

const stack = await useSharedStack();
const url = stack.urls[0] + CONVERT;
test.after.always(() => stack.stop());

const BODY = { html: '<p>Hello' };
const JSON_TYPE = { 'content-type': 'application/json' };

type Fields = Record<string, unknown>;

function answers(title: string, status: number, code: string, send: () => Promise<Answer>): void {
  test(`${title}: ${status} ${code}`, async (t) => {
    const answer = await send();
    t.is(answer.status, status, answer.text);
    t.is(codeOf(answer), code);
    t.is(headerOf(answer, 'x-request-id'), errorOf(answer).requestId);
    t.is(answer.headers.get('x-access-mode'), null);
    t.is(answer.headers.get('payment-response'), null);
  });
}

// Bodies

const bodies: readonly (readonly [string, unknown, number, string])[] = [
  ['JSON null', 'null', 400, 'INVALID_REQUEST'],
  ['a JSON array', '[]', 400, 'INVALID_REQUEST'],
  ['a JSON string', '"html"', 400, 'INVALID_REQUEST'],
  ['a JSON number', '1', 400, 'INVALID_REQUEST'],
  ['text that is not JSON', '{"html":', 400, 'INVALID_JSON'],
  ['duplicate keys', '{"html":"a","html":"b"}', 400, 'INVALID_JSON'],
  ['a __proto__ key', '{"html":"a","__proto__":{"sourceUrl":"http://x"}}', 400, 'INVALID_JSON'],
  ['JSON nested 5,000 deep', `{"html":${'['.repeat(5000)}${']'.repeat(5000)}}`, 400, 'INVALID_JSON'],
  ['a lone surrogate', '{"html":"\\ud800"}', 400, 'INVALID_JSON'],
  ['a number out of range', '{"html":"a","sourceUrl":1e400}', 400, 'INVALID_JSON'],
  ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 400, 'INVALID_JSON'],
  ['a body without html', '{"sourceUrl":"http://example.com"}', 400, 'INVALID_REQUEST'],
  ['empty html', '{"html":""}', 400, 'INVALID_REQUEST'],
  ['html of white space', '{"html":" \\n\\t\\u00a0"}', 400, 'INVALID_REQUEST'],
  ['html that is a number', '{"html":12}', 400, 'INVALID_REQUEST'],
  ['html that is null', '{"html":null}', 400, 'INVALID_REQUEST'],
  ['an unknown property', '{"html":"a","verbose":true}', 400, 'INVALID_REQUEST'],
  ['a constructor property', '{"html":"a","constructor":{}}', 400, 'INVALID_REQUEST'],
  ['sourceUrl of another scheme', '{"html":"a","sourceUrl":"ftp://example.com"}', 400, 'INVALID_REQUEST'],
  ['sourceUrl with a space', '{"html":"a","sourceUrl":"http://exa mple.com"}', 400, 'INVALID_REQUEST'],
  [
    'sourceUrl of 2,049 characters',
    JSON.stringify({ html: 'a', sourceUrl: `http://${'a'.repeat(2042)}` }),
    400,
    'INVALID_REQUEST',
  ],
];
for (const [title, body, status, code] of bodies) answers(title, status, code, () => post(url, body));

const mapsBodies: readonly (readonly [string, string, string, string])[] = [
  ['a bias without a longitude', GEOCODE, '{"query":"a","biasLatitude":1}', 'INVALID_REQUEST'],
  ['a query of 100 KB', GEOCODE, JSON.stringify({ query: 'a'.repeat(100_000) }), 'INVALID_REQUEST'],
  ['a query with a control character', GEOCODE, '{"query":"a\\u0000"}', 'INVALID_REQUEST'],
  ['a lone surrogate in a query', GEOCODE, '{"query":"a\\udc00"}', 'INVALID_JSON'],
  ['a limit of 1.5', GEOCODE, '{"query":"a","limit":1.5}', 'INVALID_REQUEST'],
  ['a latitude of 90.0001', REVERSE_GEOCODE, '{"latitude":90.0001,"longitude":0}', 'INVALID_REQUEST'],
  ['a latitude of 1e400', REVERSE_GEOCODE, '{"latitude":1e400,"longitude":0}', 'INVALID_JSON'],
  ['a longitude in quotes', REVERSE_GEOCODE, '{"latitude":0,"longitude":"1"}', 'INVALID_REQUEST'],
];
for (const [title, path, body, code] of mapsBodies) {
  answers(title, 400, code, () => post(stack.urls[0] + path, body));
}

answers('a body over 8 MiB', 413, 'BODY_TOO_LARGE', () =>
  rawRequest(url, { headers: JSON_TYPE, body: JSON.stringify({ html: 'a'.repeat(8 * 1024 * 1024) }) }),
);
test('a client that is still sending too large a body can read the refusal', async (t) => {
  const body = JSON.stringify({ html: 'a'.repeat(9 * 1024 * 1024) });
  for (let n = 0; n < 10; n += 1) t.is((await fetch(url, { method: 'POST', headers: JSON_TYPE, body })).status, 413);
});
answers('a body of type text/plain', 415, 'UNSUPPORTED_MEDIA_TYPE', () =>
  post(url, JSON.stringify(BODY), { 'content-type': 'text/plain' }),
);
answers('a form body', 415, 'UNSUPPORTED_MEDIA_TYPE', () =>
  post(url, 'html=a', { 'content-type': 'application/x-www-form-urlencoded' }),
);
answers('a gzip bomb', 415, 'UNSUPPORTED_MEDIA_TYPE', () =>
  rawRequest(url, {
    headers: { ...JSON_TYPE, 'content-encoding': 'gzip' },
    body: gzipSync(Buffer.alloc(50_000_000, 0x20)),
  }),
);

test('accepts NUL characters as content and removes them', async (t) => {
  const answer = await tryOnce(stack.urls[0], { html: '<p>a\0b' }, createWallet());
  t.is(answer.status, 200, answer.text);
  t.false(String(answer.json?.['markdown']).includes('\0'));
});

test('an empty body of any type, and {}, are discovery probes', async (t) => {
  for (const headers of [JSON_TYPE, { 'content-type': 'text/plain' }, {}]) {
    const answer = await rawRequest(url, { headers: { ...headers, 'content-length': '0' } });
    t.is(answer.status, 402);
    t.is(answer.headers.get('x-trial-status'), 'discovery_probe');
  }
  t.is((await post(url, {})).headers.get('x-trial-status'), 'discovery_probe');
});

// Methods, paths, headers

for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
  answers(`the method ${method}`, 405, 'METHOD_NOT_ALLOWED', async () => {
    const answer = await rawRequest(url, { method });
    if (answer.headers.get('allow') !== 'POST, OPTIONS') throw new Error(`allow: ${answer.headers.get('allow')}`);
    return answer;
  });
}
answers('an unknown path', 404, 'NOT_FOUND', () => post(`${stack.urls[0]}/api/v1/content/nothing`, BODY));
answers('a path that cannot be decoded', 400, 'INVALID_REQUEST', () =>
  rawRequest(`${stack.urls[0]}/%zz`, { method: 'GET' }),
);
answers('33 KB of headers', 431, 'HEADERS_TOO_LARGE', () =>
  rawRequest(url, { headers: { ...JSON_TYPE, 'x-filler': 'a'.repeat(33_000) }, body: JSON.stringify(BODY) }),
);

test('a spoofed Host or X-Forwarded-Host does not reach the challenge', async (t) => {
  const headers = {
    ...JSON_TYPE,
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
  };
  const answer = await rawRequest(url, { headers, body: JSON.stringify(BODY) });
  t.is(answer.status, 402);
  t.false(Buffer.from(headerOf(answer, 'payment-required'), 'base64').toString().includes('evil'));
  t.false(answer.text.includes('evil'));
  t.is(requirementsOf(answer).extensions['sign-in-with-x']?.info.domain, new URL(url).host);
});

test('answers non-HTTP bytes with 400 INVALID_REQUEST in the envelope and closes the connection', async (t) => {
  const text = await new Promise<string>((resolve, reject) => {
    const { port, hostname } = new URL(url);
    const socket = connect(Number(port), hostname, () => socket.write('NONSENSE\r\n\r\n'));
    let received = '';
    socket.on('data', (data) => {
      received += String(data);
    });
    socket.on('close', () => resolve(received));
    socket.on('error', reject);
  });
  t.regex(text, /^HTTP\/1\.1 400 /);
  t.regex(text, /"code":"INVALID_REQUEST"/);
});

// Proofs

/** Sends a new proof after `change` has changed its fields. */
async function sendProof(change: (fields: Fields) => unknown, body: unknown = BODY, chainId?: string): Promise<Answer> {
  const fields = await signIn(await post(url, BODY), createWallet(), chainId === undefined ? {} : { chainId });
  const changed = change(fields);
  return post(url, body, { 'sign-in-with-x': typeof changed === 'string' ? changed : toBase64(changed) });
}

const without = (name: string) => (fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name));
const changed = (name: string, value: unknown) => (fields: Fields) => ({ ...fields, [name]: value });

/** Order of secp256k1 (SEC 2, 2.4.1). */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

function malleate({ signature, ...fields }: Fields): Fields {
  const hex = String(signature);
  const s = BigInt(`0x${hex.slice(66, 130)}`);
  const high = (ORDER - s).toString(16).padStart(64, '0');
  const v = Number.parseInt(hex.slice(130), 16) === 27 ? '1c' : '1b';
  return { ...fields, signature: `${hex.slice(0, 66)}${high}${v}` };
}

const proofs: readonly (readonly [string, (fields: Fields) => unknown, number, string])[] = [
  ['a proof that is not base64', () => '!!!!', 400, 'MALFORMED_PROOF'],
  [
    'a proof in base64url',
    (fields) =>
      toBase64({ ...fields, statement: '???>>>~~~' })
        .replaceAll('/', '_')
        .replaceAll('+', '-')
        .replaceAll('=', ''),
    400,
    'MALFORMED_PROOF',
  ],
  ['a proof in broken base64', (fields) => `${toBase64(fields).slice(0, -3)}=`, 400, 'MALFORMED_PROOF'],
  ['an empty proof', () => '', 400, 'MALFORMED_PROOF'],
  ['a proof that is not JSON', () => toBase64('hello'), 400, 'MALFORMED_PROOF'],
  ['a proof that is null', () => toBase64('null'), 400, 'MALFORMED_PROOF'],
  ['a proof that is an array', () => toBase64('[]'), 400, 'MALFORMED_PROOF'],
  [
    'a proof with a duplicate key',
    (fields) => toBase64(JSON.stringify(fields).replace('{', '{"version":"1",')),
    400,
    'MALFORMED_PROOF',
  ],
  [
    'a proof with __proto__',
    (fields) => toBase64(JSON.stringify(fields).replace('{', '{"__proto__":{},')),
    400,
    'MALFORMED_PROOF',
  ],
  ['a proof of 16 KB', changed('statement', 'a'.repeat(12_000)), 400, 'MALFORMED_PROOF'],
  ['a proof without a signature', without('signature'), 400, 'MALFORMED_PROOF'],
  ['a proof without a nonce', without('nonce'), 400, 'MALFORMED_PROOF'],
  ['a proof with a mistyped field', changed('issuedAt', 5), 400, 'MALFORMED_PROOF'],
  ['a proof with a bad address', changed('address', '0x123'), 400, 'MALFORMED_PROOF'],
  ['a signature of another length', changed('signature', '0x1234'), 400, 'MALFORMED_PROOF'],
  ['a nonce that was never issued', changed('nonce', '0'.repeat(32)), 401, 'INVALID_PROOF'],
  ['another domain', changed('domain', 'evil.example'), 401, 'INVALID_PROOF'],
  ['another path', (fields) => ({ ...fields, uri: `${String(fields['uri'])}/x` }), 401, 'INVALID_PROOF'],
  [
    'another method',
    (fields) => ({ ...fields, resources: [fields['uri'], 'urn:tollhouse:get'] }),
    401,
    'INVALID_PROOF',
  ],
  ['a later expiry', changed('expirationTime', new Date(Date.now() + 3_600_000).toISOString()), 401, 'INVALID_PROOF'],
  [
    'an issue time in the future',
    changed('issuedAt', new Date(Date.now() + 3_600_000).toISOString()),
    401,
    'INVALID_PROOF',
  ],
  ['another statement', changed('statement', 'Something else'), 401, 'INVALID_PROOF'],
  ['another signer', changed('address', createWallet().address), 401, 'INVALID_PROOF'],
  ['a malleated signature', malleate, 401, 'INVALID_PROOF'],
  [
    "a contract wallet's signature",
    changed('signature', `0x${'ab'.repeat(96)}${'6492'.repeat(16)}`),
    401,
    'INVALID_PROOF',
  ],
];
for (const [title, change, status, code] of proofs) answers(title, status, code, () => sendProof(change));

answers('a chain that was not offered', 401, 'INVALID_PROOF', () => sendProof((fields) => fields, BODY, 'eip155:1'));
answers('a body other than the challenged body', 401, 'WRONG_RESOURCE', () =>
  sendProof((fields) => fields, { html: '<p>Other' }),
);
answers('a query other than the challenged one', 401, 'WRONG_RESOURCE', async () => {
  const proof = toBase64(await signIn(await post(url, BODY), createWallet()));
  return post(`${url}?x=1`, BODY, { 'sign-in-with-x': proof });
});
answers('a query that is too long to be signed', 400, 'INVALID_REQUEST', () =>
  post(`${url}?${'x'.repeat(4000)}`, BODY),
);
answers('an invalid body with a proof', 400, 'INVALID_REQUEST', () => sendProof((fields) => fields, { html: '' }));
answers('two proofs', 400, 'MALFORMED_PROOF', async () => {
  const proof = toBase64(await signIn(await post(url, BODY), createWallet()));
  return rawRequest(url, { headers: { ...JSON_TYPE, 'sign-in-with-x': [proof, proof] }, body: JSON.stringify(BODY) });
});
answers('a proof sent again', 401, 'REPLAYED_PROOF', async () => {
  const proof = toBase64(await signIn(await post(url, BODY), createWallet()));
  const first = await post(url, BODY, { 'sign-in-with-x': proof });
  if (first.status !== 200) throw new Error(first.text);
  return post(url, BODY, { 'sign-in-with-x': proof });
});

test('charges one of twenty simultaneous requests with one proof, and refuses the others as replayed', async (t) => {
  const proof = toBase64(await signIn(await post(url, BODY), createWallet()));
  const all = await Promise.all(Array.from({ length: 20 }, () => post(url, BODY, { 'sign-in-with-x': proof })));
  t.is(all.filter(({ status }) => status === 200).length, 1);
  t.is(all.filter((answer) => codeOf(answer) === 'REPLAYED_PROOF').length, 19);
});

test('a proof for a URL with a query is valid for that URL', async (t) => {
  const proof = toBase64(await signIn(await post(`${url}?x=1`, BODY), createWallet()));
  t.is((await post(`${url}?x=1`, BODY, { 'sign-in-with-x': proof })).status, 200);
});

test('a proof is valid for the same JSON with other white space and escapes', async (t) => {
  const challenged = await post(url, '{"html":"<p>a","sourceUrl":"http://example.com"}');
  const proof = toBase64(await signIn(challenged, createWallet()));
  const answer = await post(url, '{ "sourceUrl": "http:\\/\\/example.com", "html": "<p>\\u0061" }', {
    'sign-in-with-x': proof,
  });
  t.is(answer.status, 200, answer.text);
});

// Payments

const payments: readonly (readonly [string, string, number, string])[] = [
  ['an empty payment', '', 400, 'MALFORMED_PAYMENT'],
  ['a payment that is not base64', '%%%', 400, 'MALFORMED_PAYMENT'],
  ['a payment in base64url', 'eyJ4Ijoi_-8ifQ', 400, 'MALFORMED_PAYMENT'],
  ['a payment that is not JSON', toBase64('pay'), 400, 'MALFORMED_PAYMENT'],
  ['a payment that is null', toBase64('null'), 400, 'MALFORMED_PAYMENT'],
  ['a payment with duplicate keys', toBase64('{"x402Version":2,"x402Version":2}'), 400, 'MALFORMED_PAYMENT'],
  ['a payment without a payload', toBase64({ x402Version: 2 }), 400, 'MALFORMED_PAYMENT'],
  ['a payment of 16 KB', toBase64({ x402Version: 2, filler: 'a'.repeat(12_000) }), 400, 'MALFORMED_PAYMENT'],
];
for (const [title, header, status, code] of payments)
  answers(title, status, code, () => post(url, BODY, { 'payment-signature': header }));

answers('two payments', 400, 'MALFORMED_PAYMENT', () =>
  rawRequest(url, { headers: { ...JSON_TYPE, 'payment-signature': ['e30=', 'e30='] }, body: JSON.stringify(BODY) }),
);
answers('a payment with an empty body', 400, 'INVALID_REQUEST', () => post(url, {}, { 'payment-signature': 'e30=' }));
answers('a payment used for another body', 409, 'PAYMENT_REUSED', async () => {
  const wallet = await fundedWallet(stack.urls[0]);
  const payment = await pay(requirementsOf(await post(url, BODY)), wallet);
  const first = await post(url, BODY, { 'payment-signature': payment });
  if (first.status !== 200) throw new Error(first.text);
  return post(url, { html: '<p>Other' }, { 'payment-signature': payment });
});

test('ignores a proof that comes with a payment', async (t) => {
  const challenged = await post(url, BODY);
  const proof = toBase64(await signIn(challenged, createWallet()));
  const answer = await post(url, BODY, { 'sign-in-with-x': proof, 'payment-signature': 'nonsense!' });
  t.is(codeOf(answer), 'MALFORMED_PAYMENT');
  const tried = await post(url, BODY, { 'sign-in-with-x': proof });
  t.is(tried.status, 200, 'the proof was not consumed');
});

test('takes a payment with null and unknown members, and says what is wrong with one in the future', async (t) => {
  const wallet = await fundedWallet(stack.urls[0]);
  const payment = decodePayment(await pay(requirementsOf(await post(url, BODY)), wallet));
  const accepted = { ...payment.accepted, memo: null, extra: { ...payment.accepted.extra, decimals: 6 } };
  const padded = { ...payment, accepted, resource: null, extensions: null, memo: null };
  const answer = await post(url, BODY, { 'payment-signature': toBase64(padded) });
  t.is(answer.status, 200, answer.text);
  const validAfter = `${Math.floor(Date.now() / 1000) + 600}`;
  const later = await signPayment(wallet, payment.accepted, { validAfter });
  const refused = await post(url, BODY, { 'payment-signature': toBase64(later) });
  t.is(refused.status, 402, refused.text);
  t.regex(requirementsOf(refused).error, /_valid_after: validAfter must be at most \d{10}, the time here$/);
});

test('answers a version 1 payment with the offer in the header and an empty object', async (t) => {
  const answer = await post(url, BODY, {
    'x-payment': toBase64({ x402Version: 1, scheme: 'exact', network: 'base', payload: {} }),
  });
  t.is(answer.status, 402);
  t.is(answer.text, '{}');
  t.is(requirementsOf(answer).x402Version, 2);
});

test('answers a payment of an empty wallet with 402 and the reason, without sign-in or trial', async (t) => {
  const payment = await pay(requirementsOf(await post(url, BODY)), createWallet());
  const answer = await post(url, BODY, { 'payment-signature': payment });
  t.is(answer.status, 402);
  t.is(answer.text, '{}');
  t.regex(requirementsOf(answer).error, /insufficient/);
  t.deepEqual(Object.keys(requirementsOf(answer).extensions), ['payment-identifier']);
});

for (const [title, change] of [
  ['a different amount', { amount: '1' }],
  ['a different asset', { asset: `0x${'1'.repeat(40)}` }],
  ['a different network', { network: 'eip155:1' }],
  ['a different payee', { payTo: `0x${'2'.repeat(40)}` }],
] as const) {
  test(`answers a payment for ${title} with 402 and the offer`, async (t) => {
    const required = requirementsOf(await post(url, BODY));
    const wallet = await fundedWallet(stack.urls[0]);
    const payment = await pay({ ...required, accepts: [{ ...required.accepts[0], ...change }] }, wallet);
    const answer = await post(url, BODY, { 'payment-signature': payment });
    t.is(answer.status, 402, answer.text);
    t.truthy(answer.headers.get('payment-required'));
  });
}

// Sandbox

for (const [title, body] of [
  ['a faucet request without an address', {}],
  ['a faucet request with a bad address', { address: '0x12' }],
  ['a faucet request with an unknown field', { address: `0x${'1'.repeat(40)}`, amount: 5 }],
] as const) {
  answers(title, 400, 'INVALID_REQUEST', () => post(`${stack.urls[0]}/sandbox/faucet`, body));
}
