import { randomBytes } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import secp256k1 from 'secp256k1';
import {
  type ChallengedRequest,
  createChallenger,
  longestChallenge,
  type RefusedProof,
} from '../../../../gateway/access/challenge/challenge.ts';
import { encode, newAccount, openChallenger, type ProofFields, REQUEST, START_MS, sign } from './fixture.ts';

interface Attempt {
  /** Changes the proof after it was signed. */
  readonly alter?: (fields: ProofFields) => unknown;
  readonly request?: Partial<ChallengedRequest>;
  readonly chainId?: string;
  readonly waitMs?: number;
}

async function refusal(t: ExecutionContext, attempt: Attempt): Promise<RefusedProof['code'] | 'accepted'> {
  const { challenger, clock } = openChallenger();
  const fields = await sign(challenger.issue(REQUEST), newAccount(), attempt.chainId);
  t.true(attempt.chainId !== undefined || challenger.verify(encode(fields), REQUEST).ok);
  const { waitMs = 0 } = attempt;
  clock.nowMs += waitMs;
  const result = challenger.verify(encode(attempt.alter?.(fields) ?? fields), { ...REQUEST, ...attempt.request });
  return result.ok ? 'accepted' : result.code;
}

test('a challenge names its request and its lifetime', (t) => {
  const { challenger } = openChallenger();
  const { nonce, requestId, statement, ...info } = challenger.issue(REQUEST);
  t.deepEqual(info, {
    domain: REQUEST.domain,
    uri: REQUEST.uri,
    version: '1',
    issuedAt: '2030-01-01T12:00:00.000Z',
    expirationTime: '2030-01-01T12:05:00.000Z',
    resources: [REQUEST.uri, 'urn:tollhouse:post'],
  });
  t.regex(nonce, /^[0-9a-f]{32}$/);
  t.regex(requestId, new RegExp(`^[0-9a-f]{24}\\.${REQUEST.bodyDigest}$`));
  t.regex(statement, /^[A-Za-z0-9 .]+$/);
});

test('no challenge is longer than the one by which headers are measured', (t) => {
  const { challenger } = openChallenger();
  t.is(JSON.stringify(challenger.issue(REQUEST)).length, JSON.stringify(longestChallenge(REQUEST)).length);
});

test('every challenge has a new nonce', (t) => {
  const { challenger } = openChallenger();
  const nonces = Array.from({ length: 3000 }, () => challenger.issue(REQUEST).nonce);
  t.is(new Set(nonces).size, nonces.length);
});

const TEXT_FIELDS = ['domain', 'uri', 'version', 'nonce', 'issuedAt', 'expirationTime', 'requestId', 'statement'];
const ALL_FIELDS = [...TEXT_FIELDS, 'resources', 'address', 'chainId', 'type', 'signature'];

for (const name of ALL_FIELDS) {
  test(`a proof without ${name} is malformed`, async (t) => {
    t.is(await refusal(t, { alter: ({ [name]: _, ...rest }) => rest }), 'MALFORMED_PROOF');
  });

  test(`a proof whose ${name} is a number is malformed`, async (t) => {
    t.is(await refusal(t, { alter: (fields) => ({ ...fields, [name]: 1 }) }), 'MALFORMED_PROOF');
  });
}

test('the refusal of a malformed proof names the member', async (t) => {
  const { challenger } = openChallenger();
  const fields = await sign(challenger.issue(REQUEST), newAccount());
  for (const [change, fault] of [
    [{ issuedAt: 1 }, 'issuedAt must be of type string'],
    [{ statement: null }, 'statement must be of type string'],
    [{ requestId: undefined }, 'requestId is required'],
    [{ version: '2' }, 'version must be 1'],
    [{ resources: [1] }, 'resources.0 must be of type string'],
  ] as const) {
    t.like(challenger.verify(encode({ ...fields, ...change }), REQUEST), {
      code: 'MALFORMED_PROOF',
      message: `the proof is malformed: ${fault}`,
    });
  }
});

/** The second signature of the same message, (r, n - s) with v flipped. ecrecover accepts both signatures. */
function malleate(signature: string): string {
  const bytes = Buffer.from(signature.slice(2), 'hex');
  const s = secp256k1.privateKeyNegate(bytes.subarray(32, 64));
  const v = bytes[64] === 27 ? 28 : 27;
  return `0x${Buffer.concat([bytes.subarray(0, 32), s, Buffer.from([v])]).toString('hex')}`;
}

type Alter = (fields: ProofFields) => unknown;
const given =
  (changes: object): Alter =>
  (fields) => ({ ...fields, ...changes });
const signed =
  (change: (signature: string) => string): Alter =>
  (fields) => ({ ...fields, signature: change(String(fields['signature'])) });
/** Changes the recovery value, which is 27 or 28. */
const recovering = (of27: string, of28: string) =>
  signed((text) => `${text.slice(0, -2)}${text.endsWith('1b') ? of27 : of28}`);

const MALFORMED: readonly (readonly [string, Alter])[] = [
  ['an array', () => []],
  ['null', () => 'null'],
  ['a text', () => '"text"'],
  ['incomplete JSON', () => '{'],
  ['a member named __proto__', (fields) => JSON.stringify(fields).replace('{', '{"__proto__":{},')],
  ['a repeated member', (fields) => JSON.stringify(fields).replace('{', '{"domain":"other",')],
  ['version 2', (fields) => ({ ...fields, version: '2' })],
  ['type ed25519', (fields) => ({ ...fields, type: 'ed25519' })],
  ['an address of 19 bytes', (fields) => ({ ...fields, address: `0x${'a'.repeat(38)}` })],
  ['an address that is not hexadecimal', (fields) => ({ ...fields, address: `0x${'g'.repeat(40)}` })],
  ['a signature of 64 bytes', signed((text) => text.slice(0, -2))],
  ['a signature of 66 bytes', signed((text) => `${text}00`)],
  ['a signature without 0x', signed((text) => text.slice(2))],
  ['recovery value 29', signed((text) => `${text.slice(0, -2)}1d`)],
  ['a resource that is a number', (fields) => ({ ...fields, resources: [1] })],
  ['more than 4 KB', (fields) => ({ ...fields, padding: 'x'.repeat(4096) })],
];

const INVALID: readonly (readonly [string, Alter])[] = [
  ...TEXT_FIELDS.filter((field) => field !== 'version').map(
    (name) =>
      [
        `another ${name}`,
        (fields: ProofFields) => ({ ...fields, [name]: `${String(fields[name]).slice(0, -1)}~` }),
      ] as const,
  ),
  ['no method', given({ resources: [REQUEST.uri] })],
  ['another method', given({ resources: [REQUEST.uri, 'urn:tollhouse:get'] })],
  ['a later expiry', given({ expirationTime: '2030-01-01T13:05:00.000Z' })],
  ['a later time of issue', given({ issuedAt: '2030-01-01T13:00:00.000Z' })],
  ['a nonce that was never issued', given({ nonce: '0'.repeat(32) })],
  ['the address of another wallet', given({ address: newAccount().address })],
  ['another chain that was offered', given({ chainId: 'eip155:8453' })],
  ['a malleated signature, with s in the upper half of the order', signed(malleate)],
  ['the wrong recovery value', recovering('1c', '1b')],
  ['a signature of zero', given({ signature: `0x${'00'.repeat(64)}1b` })],
  ['a signature beyond the order', given({ signature: `0x${'ff'.repeat(32)}${'00'.repeat(31)}011b` })],
  [
    "a contract wallet's signature, wrapped by ERC-6492",
    given({ signature: `0x${'ab'.repeat(160)}${'6492'.repeat(16)}` }),
  ],
  ['a signature by ERC-1271', given({ signature: `0x${'ab'.repeat(130)}`, signatureScheme: 'eip1271' })],
  ['a signature by ERC-6492', given({ signatureScheme: 'eip6492' })],
];

const ACCEPTED: readonly (readonly [string, Alter])[] = [
  ['recovery value 0 or 1', recovering('00', '01')],
  ['an address in lower case', (fields) => ({ ...fields, address: String(fields['address']).toLowerCase() })],
  ['unknown members', given({ signatureScheme: 'eip191', other: {} })],
  ['unknown members that are null', given({ signatureScheme: null, notBefore: null })],
];

for (const [code, rows] of [
  ['MALFORMED_PROOF', MALFORMED],
  ['INVALID_PROOF', INVALID],
  ['accepted', ACCEPTED],
] as const) {
  for (const [what, alter] of rows) {
    test(`a proof that has or is ${what}: ${code}`, async (t) => t.is(await refusal(t, { alter }), code));
  }
}

/** Headers that a lenient decoder would accept as the same proof. */
const LENIENT: readonly (readonly [string, (header: string) => string])[] = [
  ['is empty', () => ''],
  ['is not base64', () => '***'],
  ['lacks its padding', (header) => header.replace(/=+$/, '')],
  ['ends with a line feed', (header) => `${header}\n`],
  ['contains a space', (header) => `${header.slice(0, 8)} ${header.slice(8)}`],
  ['is repeated after a comma', (header) => `${header}, ${header}`],
  [
    'has unused bits set',
    (header) => header.replace(/(.)(=+)$/, (_, last: string, padding) => `${next(last)}${padding}`),
  ],
  ['is base64url', (header) => header.replaceAll('+', '-').replaceAll('/', '_')],
];

function next(letter: string): string {
  return String.fromCharCode(letter.charCodeAt(0) + 1);
}

for (const [name, alter] of LENIENT) {
  test(`a header that ${name} is malformed`, async (t) => {
    const { challenger } = openChallenger();
    const fields = await sign(challenger.issue(REQUEST), newAccount());
    // Searches for bytes whose base64 has a plus sign, a slash and two padding characters.
    let header = '';
    for (let pad = 0; !(header.endsWith('==') && /\+/.test(header) && /\//.test(header)); pad += 1) {
      header = encode({ ...fields, pad: `${'x'.repeat(pad % 40)}>>>???~~~` });
    }
    t.true(challenger.verify(header, REQUEST).ok);
    t.like(challenger.verify(alter(header), REQUEST), { ok: false, code: 'MALFORMED_PROOF' });
  });
}

test('bytes that are not UTF-8 are malformed', (t) => {
  const { challenger } = openChallenger();
  const header = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]).toString('base64');
  t.like(challenger.verify(header, REQUEST), { code: 'MALFORMED_PROOF' });
});

for (const [name, request] of [
  ['URL', { uri: 'http://127.0.0.1:8402/api/v1/maps/reverse-geocode' }],
  ['host', { domain: 'localhost:8402', uri: REQUEST.uri.replace('127.0.0.1', 'localhost') }],
  ['method', { method: 'PUT' }],
  ['body', { bodyDigest: '0'.repeat(64) }],
] as const) {
  test(`a proof used with another ${name} is for the wrong resource`, async (t) => {
    t.is(await refusal(t, { request }), 'WRONG_RESOURCE');
  });
}

test('a proof is valid until its expiration', async (t) => {
  t.is(await refusal(t, { waitMs: 300_000 }), 'accepted');
  t.is(await refusal(t, { waitMs: 300_001 }), 'EXPIRED_PROOF');
});

test('accepts a challenge from a clock up to 30 s ahead, and refuses one from further ahead', async (t) => {
  t.is(await refusal(t, { waitMs: -30_000 }), 'accepted');
  t.is(await refusal(t, { waitMs: -30_001 }), 'EXPIRED_PROOF');
});

test('a proof for a chain that was not offered is invalid', async (t) => {
  t.is(await refusal(t, { chainId: 'eip155:1' }), 'INVALID_PROOF');
});

test('a proof of another deployment or of other chains is invalid, even with the same key', async (t) => {
  const keys = [randomBytes(32)];
  const here = openChallenger({ keys });
  const header = encode(await sign(here.challenger.issue(REQUEST), newAccount()));
  for (const given of [
    { keys, deploymentId: 'other' },
    { keys, chains: ['eip155:31337'] },
  ]) {
    t.like(openChallenger(given).challenger.verify(header, REQUEST), { code: 'INVALID_PROOF' });
  }
  t.true(openChallenger({ keys }).challenger.verify(header, REQUEST).ok);
});

test('a retired key verifies proofs while it is listed, but issues no challenges', async (t) => {
  const [old, fresh] = [randomBytes(32), randomBytes(32)];
  const before = encode(await sign(openChallenger({ keys: [old] }).challenger.issue(REQUEST), newAccount()));
  const during = openChallenger({ keys: [fresh, old] }).challenger;
  t.true(during.verify(before, REQUEST).ok);
  const after = openChallenger({ keys: [fresh] }).challenger;
  t.like(after.verify(before, REQUEST), { code: 'INVALID_PROOF' });
  t.true(after.verify(encode(await sign(during.issue(REQUEST), newAccount())), REQUEST).ok);
});

test('a challenger needs a key of full length', (t) => {
  const options = { deploymentId: 'test', chains: ['eip155:8453'], now: () => START_MS };
  t.throws(() => createChallenger({ ...options, keys: [] }), { instanceOf: RangeError });
  t.throws(() => createChallenger({ ...options, keys: [randomBytes(31)] }), { instanceOf: RangeError });
});
