import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { jwtVerify } from 'jose';
import { RefusalCode, SettlementOutcome } from '../../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { readConfig } from '../../../../services/payments/config.ts';
import { createCredentials, readCredentialSettings } from '../../../../services/payments/facilitator/credentials.ts';
import { createRemoteFacilitator } from '../../../../services/payments/facilitator/remote.ts';
import { createPaymentReader } from '../../../../services/payments/payment/payment.ts';
import { createTerms, offerOf as offer } from '../../../../services/payments/payment/terms.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { createNonce, createWallet, signPayment } from '../../../kit/chain.ts';
import { createTestDatabase } from '../../../kit/test-database.ts';
import { createTestFolder } from '../../../kit/test-folder.ts';
import { HANG_MS, until } from '../../../kit/until.ts';
import { AMOUNT, expectCase, offerOf, type Payments, present, refusalOf, startPayments } from '../harness.ts';
import { saying, startFacilitator } from '../test-facilitator.ts';

const KEY_ID = 'organizations/1/apiKeys/2';
const AT_MS = 1_800_000_000_000;

/** An Ed25519 key as the platform hands it out: its seed and its public key. */
function createEd25519() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { d, x } = privateKey.export({ format: 'jwk' });
  const secret = Buffer.concat([d, x].map((half) => Buffer.from(defined(half), 'base64url'))).toString('base64');
  return { secret, publicKey };
}

function createP256(type: 'sec1' | 'pkcs8') {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { secret: privateKey.export({ type, format: 'pem' }).toString(), publicKey };
}

const { secret: sec1, publicKey: sec1Public } = createP256('sec1');
const SECRETS: Readonly<Record<string, { readonly secret: string; readonly publicKey: KeyObject }>> = {
  Ed25519: createEd25519(),
  'P-256 in SEC 1': { secret: sec1, publicKey: sec1Public },
  'P-256 in PKCS #8': createP256('pkcs8'),
  'P-256 on one line': { secret: sec1.replaceAll('\n', String.raw`\n`), publicKey: sec1Public },
};

const keyPair = (secret: string) => ({ X402_FACILITATOR_KEY_ID: KEY_ID, X402_FACILITATOR_KEY_SECRET: secret });
const folder = createTestFolder();
const fileOf = (name: string, text: string) => {
  const path = join(folder.path, name);
  writeFileSync(path, text);
  return path;
};

const terms = createTerms({ network: 'eip155:84532', payTo: createWallet().address, sandbox: false });
const TRANSACTION = createNonce();

async function readSigned() {
  const signed = await signPayment(createWallet(), offer(terms, AMOUNT));
  const read = createPaymentReader(terms)(JSON.stringify(signed), AMOUNT);
  if (!read.ok) throw new Error(read.reason);
  return read.payment;
}

/** Nothing here settles on a chain: the service trusts the facilitator. */
const facilitator = await startFacilitator((response, { path }) => {
  const answer = path === '/verify' ? { isValid: true } : { success: true, transaction: createNonce() };
  saying(answer)(response);
});
const database = await createTestDatabase();
test.after.always(async () => {
  facilitator.stop();
  await database.stop();
  folder.remove();
});

for (const [name, { secret, publicKey }] of Object.entries(SECRETS)) {
  test(`${name}: a token is for one method, host and path, and for two minutes`, async (t) => {
    const credentials = createCredentials(readCredentialSettings(keyPair(secret)), () => AT_MS);
    const url = 'https://api.facilitator.example:8443/platform/v2/x402/verify';
    const { authorization } = await credentials({ method: 'POST', url });
    const token = defined(/^Bearer (\S+)$/.exec(defined(authorization))?.[1]);
    const { payload, protectedHeader } = await jwtVerify(token, publicKey, { currentDate: new Date(AT_MS) });
    t.like(protectedHeader, { alg: name === 'Ed25519' ? 'EdDSA' : 'ES256', kid: KEY_ID, typ: 'JWT' });
    t.deepEqual(payload, {
      iss: 'cdp',
      sub: KEY_ID,
      aud: ['cdp_service'],
      uris: ['POST api.facilitator.example:8443/platform/v2/x402/verify'],
      iat: AT_MS / 1000,
      nbf: AT_MS / 1000,
      exp: AT_MS / 1000 + 120,
    });
    const next = await credentials({ method: 'POST', url });
    t.not(next['authorization'], authorization);
  });
}

const facilitated = {
  CREATE_KEYS: 'true',
  DATABASE_URL: 'postgres://127.0.0.1/tollhouse',
  X402_FACILITATOR_URL: 'https://facilitator.example',
  X402_PAY_TO: createWallet().address,
};
const ed25519 = defined(SECRETS['Ed25519']).secret;
const swapped = Buffer.concat([Buffer.from(ed25519, 'base64').subarray(0, 32), Buffer.alloc(32, 7)]);
const secp256k1 = generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey;
const headersFile = (text: string) => ({ X402_FACILITATOR_HEADERS_FILE: fileOf(`${createNonce()}.txt`, text) });

const WRONG: readonly (readonly [string, NodeJS.ProcessEnv, RegExp])[] = [
  ['an id without a secret', { X402_FACILITATOR_KEY_ID: KEY_ID }, /^X402_FACILITATOR_KEY_SECRET: found nothing/],
  ['a secret without an id', { X402_FACILITATOR_KEY_SECRET: ed25519 }, /^X402_FACILITATOR_KEY_ID: found nothing/],
  ['a key pair and a file', { ...keyPair(ed25519), ...headersFile('a: b') }, /^X402_FACILITATOR_HEADERS_FILE: found/],
  ['credentials without a facilitator', { ...keyPair(ed25519), X402_FACILITATOR_URL: '' }, /X402_FACILITATOR_URL/],
  ['http', { ...keyPair(ed25519), X402_FACILITATOR_URL: 'http://facilitator.example' }, /X402_FACILITATOR_URL.*https/],
  ['a user', { X402_FACILITATOR_URL: 'https://hunter2:hunter2@facilitator.example' }, /^X402_FACILITATOR_URL: found a/],
  ['a query', { X402_FACILITATOR_URL: 'https://facilitator.example/?key=hunter2' }, /^X402_FACILITATOR_URL: found a/],
  ['halves of two keys', keyPair(swapped.toString('base64')), /^X402_FACILITATOR_KEY_SECRET: found a value/],
  ['another curve', keyPair(secp256k1.export({ type: 'sec1', format: 'pem' }).toString()), /KEY_SECRET: found a value/],
  ['a text that is no key', keyPair('hunter2'), /^X402_FACILITATOR_KEY_SECRET: found a value/],
  ['no such file', { X402_FACILITATOR_HEADERS_FILE: join(folder.path, 'none') }, /HEADERS_FILE: .*ENOENT/],
  ['an empty file', headersFile('# nothing\n'), /HEADERS_FILE: the file has no header/],
  ['a line without a name', headersFile('x-key: 1\nhunter2\n'), /HEADERS_FILE: line 2/],
  ['a header twice', headersFile('x-key: hunter2\nX-Key: hunter2\n'), /HEADERS_FILE: line 2/],
  ['a header of the request', headersFile('Host: hunter2\n'), /HEADERS_FILE: line 1/],
  ['a control character', headersFile('x-key: a\rb: hunter2\n'), /HEADERS_FILE: line 1/],
];

for (const [what, environment, message] of WRONG) {
  test(`refuses ${what}, and shows no secret`, (t) => {
    const error = t.throws(() => readConfig({ ...facilitated, ...environment }), {
      name: 'ConfigurationError',
      message,
    });
    t.notRegex(error.message, /hunter2|apiKeys/);
    t.false(error.message.includes(ed25519));
  });
}

const start = (env: Readonly<Record<string, string>>) =>
  startPayments({
    env: {
      DATABASE_URL: database.url,
      X402_FACILITATOR_URL: facilitator.url,
      X402_PAY_TO: facilitated.X402_PAY_TO,
      X402_NETWORK: 'eip155:84532',
      ...env,
    },
  });

async function createPayment(service: Payments) {
  return signPayment(createWallet(), offerOf(await service.terms()));
}

test.serial('a facilitator that checks tokens verifies and settles with the right key', async (t) => {
  const { secret, publicKey } = defined(SECRETS['P-256 in SEC 1']);
  facilitator.guard = async ({ method, url, headers }, response) => {
    const token = headers.authorization?.replace(/^Bearer /, '') ?? '';
    const uri = `${method} ${new URL(facilitator.url).host}${url}`;
    const isKnown = await jwtVerify(token, createPublicKey(publicKey.export({ type: 'spki', format: 'pem' }))).then(
      ({ payload }) => JSON.stringify(payload['uris']) === JSON.stringify([uri]),
      () => false,
    );
    if (!isKnown) saying({ errorType: 'unauthorized' }, 401)(response);
    return !isKnown;
  };
  const service = await start(keyPair(secret));
  t.teardown(service.stop);
  const payment = await createPayment(service);
  const { claimId } = expectCase(await service.begin(present(payment)), 'execute');
  const { outcome } = await service.settle(claimId);
  t.is(outcome, SettlementOutcome.SETTLEMENT_OUTCOME_SETTLED);
  t.false(service.log().includes('PRIVATE KEY'));
});

const FORBIDDEN: readonly unknown[] = [
  { isValid: false, invalidReason: 'insufficient_funds', success: false, errorReason: 'insufficient_funds' },
  { isValid: true },
  { error: 'forbidden' },
  '<html>forbidden</html>',
];

for (const status of [401, 403]) {
  test.serial(
    `${status} is not the fault of the payer, and closes payments until the facilitator knows us`,
    async (t) => {
      let nowMs = 0;
      let isKnown = true;
      let body: unknown;
      facilitator.guard = (_, response) => {
        if (!isKnown) saying(body, status)(response);
        return !isKnown;
      };
      const remote = createRemoteFacilitator({
        url: facilitator.url,
        credentials: createCredentials(undefined, () => nowMs),
        network: terms.network,
        timeoutMs: HANG_MS,
        now: () => nowMs,
      });
      const closed = { code: 'PAYMENT_UNAVAILABLE', message: /refused the credentials of this service/ };
      const payment = await readSigned();
      for (body of FORBIDDEN) {
        isKnown = true;
        nowMs += 2000;
        await remote.check();
        t.deepEqual(await remote.verify(payment), { ok: true });
        isKnown = false;
        await t.throwsAsync(remote.verify(payment), { name: 'FacilitatorError' });
        t.throws(remote.admit, closed);
        t.deepEqual(await remote.settle(payment, async () => {}), { kind: 'unsent' });
        nowMs += 2000;
        await t.throwsAsync(remote.check(), closed);
      }
      // What it says about a transaction is not dismissed.
      body = { success: false, transaction: TRANSACTION };
      t.deepEqual(await remote.settle(payment, async () => {}), { kind: 'unknown', transaction: TRANSACTION });
    },
  );
}

test.serial('a changed file of headers is read, and a broken one closes payments', async (t) => {
  const path = fileOf('headers.txt', '# The account.\nX-Api-Key: first-secret\nX-Team: a b\n');
  let key = 'first-secret';
  facilitator.guard = ({ headers }, response) => {
    const isKnown = headers['x-api-key'] === key && headers['x-team'] === 'a b';
    if (!isKnown) saying({}, 401)(response);
    return !isKnown;
  };
  const service = await start({ X402_FACILITATOR_HEADERS_FILE: path });
  t.teardown(service.stop);
  const begin = async () => service.begin(present(await createPayment(service)));
  expectCase(await begin(), 'execute');
  key = 'second-secret';
  t.is(refusalOf(await begin()), RefusalCode.REFUSAL_CODE_FACILITATOR_FAILURE);
  await t.throwsAsync(begin, { message: /payments are not available: the facilitator refused the credentials/ });
  writeFileSync(path, `X-Api-Key: ${key}\nX-Team: a b`);
  const payment = await createPayment(service);
  const { claimId } = await until(async () => expectCase(await service.begin(present(payment)), 'execute'));
  writeFileSync(path, 'broken-secret');
  const { outcome } = await service.settle(claimId);
  t.is(outcome, SettlementOutcome.SETTLEMENT_OUTCOME_NOT_SENT);
  await t.throwsAsync(begin, { message: /credentials of the facilitator cannot be used: line 1 is not a header/ });
  t.notRegex(service.log(), /secret/);
});

const OTHER_NETWORK = { kinds: [{ x402Version: 2, scheme: 'exact', network: 'eip155:8453' }] };

for (const [status, body, cause] of [
  [403, { message: 'unknown key' }, /the facilitator refused the credentials of this service \(status 403\)/],
  [200, OTHER_NETWORK, /the facilitator does not list exact payments on eip155:84532 as supported/],
] as const) {
  test.serial(`a facilitator that answers ${status} to the first question keeps payments closed`, async (t) => {
    let asked = 0;
    facilitator.guard = (_, response) => {
      asked += 1;
      saying(body, status)(response);
      return true;
    };
    const starting = start(keyPair(ed25519));
    await until(() => asked >= 2);
    facilitator.guard = () => false;
    const service = await starting;
    t.teardown(service.stop);
    t.regex(service.log(), cause);
    expectCase(await service.begin(present(await createPayment(service))), 'execute');
  });
}
