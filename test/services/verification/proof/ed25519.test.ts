import { generateKeyPairSync } from 'node:crypto';
import test from 'ava';
import { fromSpki, isSignedBy, toSpki } from '../../../../services/verification/contract/proof/verification-key.ts';
import {
  generateSigningKey,
  signBytes,
  signingKeyFromPem,
  signingKeyFromSeed,
} from '../../../../services/verification/proof/ed25519.ts';

const hex = (text: string) => Buffer.from(text, 'hex');
const keyOf = (raw: Uint8Array) => fromSpki(toSpki({ raw }));

/** RFC 8032, section 7.1, test 3. */
const SEED = hex('c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7');
const PUBLIC = 'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025';
const MESSAGE = hex('af82');
const SIGNATURE = hex(
  '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
);

const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;

function littleEndian(value: bigint): Buffer {
  return hex(value.toString(16).padStart(64, '0')).reverse();
}

test('a seed gives the key and the signature of RFC 8032', async (t) => {
  const key = signingKeyFromSeed(SEED);
  t.deepEqual(key.raw, new Uint8Array(hex(PUBLIC)));
  t.deepEqual(signBytes(key, MESSAGE), SIGNATURE);
  t.true(await isSignedBy(await keyOf(hex(PUBLIC)), MESSAGE, SIGNATURE));
});

test('a key id is SHA-256 of the SubjectPublicKeyInfo in DER', async (t) => {
  const key = await keyOf(hex(PUBLIC));
  t.is(key.keyid, '8d39ba50abe50f77b6bb8ae7b6927aff7ffbeba35ad2837c0e51e82bcbcc60d5');
  t.deepEqual(toSpki(key), new Uint8Array(hex(`302a300506032b6570032100${PUBLIC}`)));
  t.is(signingKeyFromSeed(SEED).keyid, key.keyid);
});

test('refuses a signature with any bit changed', async (t) => {
  const key = await keyOf(hex(PUBLIC));
  for (let bit = 0; bit < 512; bit += 1) {
    const changed = Buffer.from(SIGNATURE);
    changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    t.false(await isSignedBy(key, MESSAGE, changed));
  }
});

test('refuses a signature with the group order added to S', async (t) => {
  const key = await keyOf(hex(PUBLIC));
  const s = BigInt(`0x${Buffer.from(SIGNATURE.subarray(32)).reverse().toString('hex')}`);
  const malleable = Buffer.concat([SIGNATURE.subarray(0, 32), littleEndian(s + ORDER)]);
  t.false(await isSignedBy(key, MESSAGE, malleable));
});

test('refuses a signature of 63 or 65 bytes', async (t) => {
  const key = await keyOf(hex(PUBLIC));
  t.false(await isSignedBy(key, MESSAGE, SIGNATURE.subarray(0, 63)));
  t.false(await isSignedBy(key, MESSAGE, Buffer.concat([SIGNATURE, Buffer.of(0)])));
});

const PRIME = 2n ** 255n - 19n;

function invert(value: bigint): bigint {
  let [result, base, exponent] = [1n, value % PRIME, PRIME - 2n];
  for (; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) result = (result * base) % PRIME;
    base = (base * base) % PRIME;
  }
  return result;
}

/** Doubles a point of the curve -x² + y² = 1 + d·x²·y². Takes and returns y. */
function double(y: bigint): bigint {
  const d = (-121665n + PRIME) * invert(121666n);
  const yy = (y * y) % PRIME;
  const xx = ((yy - 1n + PRIME) * invert(d * yy + 1n)) % PRIME;
  return ((yy + xx) * invert(2n - yy + xx + PRIME)) % PRIME;
}

/** Every key of order 1, 2, 4 or 8, and the two keys whose x is a negative zero. */
const SMALL_ORDER = [
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0000000000000000000000000000000000000000000000000000000000000080',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000080',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
];

for (const key of SMALL_ORDER) {
  test(`refuses the small-order key ${key.slice(0, 4)}…${key.slice(-2)}`, async (t) => {
    const y = BigInt(`0x${hex(key).reverse().toString('hex')}`) % 2n ** 255n;
    t.is(double(double(double(y))), 1n);
    await t.throwsAsync(keyOf(hex(key)), { code: 'KEY_INVALID' });
  });
}

for (const [name, y] of [
  ['2^255 - 19 itself', PRIME],
  ['2^255 - 1', 2n ** 255n - 1n],
  ['y + 2^255 - 19 with the sign of x', 2n ** 255n - 16n + 2n ** 255n],
] as const) {
  test(`refuses a key whose y is not reduced: ${name}`, async (t) => {
    await t.throwsAsync(keyOf(littleEndian(y)), { code: 'KEY_INVALID' });
  });
}

test('accepts the largest y that is reduced and not of small order', async (t) => {
  const raw = littleEndian(2n ** 255n - 21n);
  t.deepEqual((await keyOf(raw)).raw, new Uint8Array(raw));
});

test('loads a key pair from the PEM that it was exported to', (t) => {
  const key = generateSigningKey();
  const pem = key.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  t.is(signingKeyFromPem(pem).keyid, key.keyid);
});

for (const [kind, { privateKey }] of [
  ['X25519', generateKeyPairSync('x25519')],
  ['Ed448', generateKeyPairSync('ed448')],
  ['P-256', generateKeyPairSync('ec', { namedCurve: 'P-256' })],
] as const) {
  test(`refuses a private key of the type ${kind}`, (t) => {
    const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    t.throws(() => signingKeyFromPem(pem), { code: 'KEY_INVALID' });
  });
}

test('refuses keys of another length or form', async (t) => {
  for (const run of [
    () => keyOf(Buffer.alloc(31, 9)),
    async () => signingKeyFromSeed(Buffer.alloc(33)),
    async () => signingKeyFromPem('-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----'),
    () => fromSpki(hex(`302a300506032b656e032100${PUBLIC}`)),
    () => fromSpki(hex(`302a300506032b6570032100${PUBLIC}00`)),
  ]) {
    await t.throwsAsync(run, { code: 'KEY_INVALID' });
  }
});
