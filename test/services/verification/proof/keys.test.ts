import test from 'ava';
import { readKeyFile } from '../../../../services/verification/contract/proof/key-file.ts';
import { toSpki, type VerificationKey } from '../../../../services/verification/contract/proof/verification-key.ts';
import { generateSigningKey, signingKeyFromSeed } from '../../../../services/verification/proof/ed25519.ts';
import { loadSigningKey, publishIssuerKey, publishLogKey } from '../../../../services/verification/proof/keys.ts';

const issuer = signingKeyFromSeed(Buffer.alloc(32, 1));
const logKey = signingKeyFromSeed(Buffer.alloc(32, 2));
const origin = 'tollhouse.example/log';
const published = [publishIssuerKey(issuer), publishLogKey({ origin, key: logKey })] as const;

const spki = (key: VerificationKey) => Buffer.from(toSpki(key)).toString('base64');
const write = (...keys: readonly unknown[]) => Buffer.from(JSON.stringify({ keys }));

test('a published key has its id, SubjectPublicKeyInfo, algorithm and use', (t) => {
  t.deepEqual(published, [
    { keyid: issuer.keyid, public_key: spki(issuer), algorithm: 'Ed25519', use: 'issuer' },
    { keyid: logKey.keyid, public_key: spki(logKey), algorithm: 'Ed25519', use: 'log', origin },
  ]);
});

test('a published key contains no part of the private key', (t) => {
  t.false(
    write(...published)
      .toString()
      .includes(Buffer.alloc(32, 1).toString('base64').slice(0, 20)),
  );
});

test('a published key is trusted for its own use only', async (t) => {
  const { issuerKeys, logKeys } = await readKeyFile(write(...published));
  t.deepEqual(
    issuerKeys.map(({ keyid }) => keyid),
    [issuer.keyid],
  );
  t.deepEqual(
    logKeys.map((log) => [log.origin, log.key.keyid]),
    [[origin, logKey.keyid]],
  );
});

test('a log that has two names has its key twice', async (t) => {
  const { logKeys } = await readKeyFile(write(...published, publishLogKey({ origin: `${origin}/2`, key: logKey })));
  t.deepEqual(
    logKeys.map((log) => [log.origin, log.key.keyid]),
    [
      [origin, logKey.keyid],
      [`${origin}/2`, logKey.keyid],
    ],
  );
});

test('loads a key pair from a seed in base64 with a newline, as in a secret file', (t) => {
  t.is(loadSigningKey(`${Buffer.alloc(32, 1).toString('base64')}\n`).keyid, issuer.keyid);
});

test('loads a key pair from PEM', (t) => {
  const key = generateSigningKey();
  t.is(loadSigningKey(key.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()).keyid, key.keyid);
});

for (const [name, text] of [
  ['empty text', ''],
  ['hexadecimal', '01'.repeat(32)],
  ['a seed of 31 bytes', Buffer.alloc(31).toString('base64')],
] as const) {
  test(`refuses to load ${name} as a key`, (t) => {
    t.throws(() => loadSigningKey(text), { code: 'KEY_INVALID' });
  });
}

const [issuerEntry, logEntry] = published;
const zero = Buffer.concat([toSpki(issuer).subarray(0, 12), Buffer.alloc(32)]);

const REFUSED: readonly (readonly [string, Buffer])[] = [
  ['is not JSON', Buffer.from('{')],
  ['is a list', Buffer.from(JSON.stringify(published))],
  ['has no keys', write()],
  ['has a member twice', Buffer.from(`{"keys":[],"keys":${JSON.stringify(published)}}`)],
  ['has a key of another algorithm', write({ ...issuerEntry, algorithm: 'ECDSA' })],
  ['has a key of another use', write({ ...issuerEntry, use: 'both' })],
  ['has a key with an unknown member', write({ ...issuerEntry, expires: 'never' })],
  ['has a log key without its origin', write({ ...issuerEntry, use: 'log' })],
  ['has a key id of another key', write({ ...issuerEntry, keyid: logEntry.keyid })],
  ['has a key id in upper case', write({ ...issuerEntry, keyid: issuerEntry.keyid.toUpperCase() })],
  ['has a key that is not canonical base64', write({ ...issuerEntry, public_key: `${issuerEntry.public_key}\n` })],
  ['has a small-order key', write({ ...issuerEntry, public_key: zero.toString('base64') })],
  ['has a log key twice under one name', write(logEntry, logEntry)],
  ['has one key for both uses', write(issuerEntry, { ...issuerEntry, use: 'log', origin })],
];

for (const [name, bytes] of REFUSED) {
  test(`refuses a key file that ${name}`, async (t) => {
    await t.throwsAsync(async () => readKeyFile(bytes), { code: 'KEY_INVALID' });
  });
}
