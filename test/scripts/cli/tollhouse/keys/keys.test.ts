import { X509Certificate } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import test from 'ava';
import { GatewayConfig, readMode } from '../../../../../gateway/config/config.ts';
import { createCertificates } from '../../../../../scripts/cli/tollhouse/keys/certificates.ts';
import { runTollhouse } from '../../../../../scripts/cli/tollhouse/tollhouse.ts';
import { BackofficeConfig } from '../../../../../services/backoffice/config.ts';
import { retentionKeysOf } from '../../../../../services/backoffice/retention/retention-keys.ts';
import { MapsEnvironment } from '../../../../../services/maps/config.ts';
import { PaymentsEnvironment, readConfig } from '../../../../../services/payments/config.ts';
import { ROLES, type Role } from '../../../../../services/platform/grpc/identity.ts';
import { readEnvironment } from '../../../../../services/platform/process/environment.ts';
import { readNamedKeys } from '../../../../../services/platform/process/named-keys.ts';
import { readSecretFiles } from '../../../../../services/platform/process/secret-files.ts';
import { readProofKeys, VerificationConfig } from '../../../../../services/verification/config.ts';
import { createTestFolder } from '../../../../kit/test-folder.ts';

const EXAMPLE = resolve(import.meta.dirname, '../../../../../deploy/production.env.example');
const DAY_MS = 86_400_000;
const PAY_TO = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

const folder = createTestFolder();
test.after.always(() => folder.remove());

async function create(name: string): Promise<readonly string[]> {
  const lines: string[] = [];
  await runTollhouse(['keys', 'create', join(folder.path, name)], {
    environment: {},
    say: (line) => void lines.push(line),
  });
  return lines;
}

const settingsOf = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/^#?([A-Z0-9_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]));

test('keys are made once, for their owner alone, and every process takes them', async (t) => {
  const lines = await create('keys');
  const path = join(folder.path, 'keys');
  const files = () =>
    readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []));
  const texts = () => files().map((file) => readFileSync(join(path, file), 'utf8'));
  const made = texts();
  t.is(new Set(made).size, 7);
  for (const file of files()) t.is(statSync(join(path, file)).mode & 0o777, 0o600);
  t.is(statSync(path).mode & 0o777, 0o700);
  t.is(statSync(join(path, 'authority/ca.key')).mode & 0o777, 0o600);
  writeFileSync(join(path, 'signer'), `0x${'4'.repeat(64)}`);
  const environment: NodeJS.ProcessEnv = {
    ...settingsOf(lines.join('\n')),
    DATABASE_URL: 'postgres://127.0.0.1/tollhouse',
    REDIS_URL: 'redis://127.0.0.1:6379',
    X402_SIGNER_KEY_FILE: join(path, 'signer'),
    X402_RPC_URL: 'https://rpc.example',
    X402_PAY_TO: PAY_TO,
    PUBLIC_URLS: 'https://api.example.com',
    CONTACT: 'mailto:support@example.com',
    TOLLHOUSE_DATA: join(folder.path, 'unused'),
  };
  readSecretFiles(environment);
  const payments = readConfig(environment);
  t.deepEqual(payments.channels?.authorizerKey as unknown, environment['X402_RECEIVER_AUTHORIZER_KEY']);
  t.is(readNamedKeys(payments.authorizationKeys)[0].id, 'k1');
  t.is(readNamedKeys(retentionKeysOf(readEnvironment(BackofficeConfig, environment)))[0].id, 'k1');
  const gateway = readMode(readEnvironment(GatewayConfig, environment), false).keys;
  t.notDeepEqual(gateway.challenge[0], gateway.fingerprint);
  const { issuer, log } = readProofKeys(readEnvironment(VerificationConfig, environment));
  t.not(issuer.keyid, log.key.keyid);
  t.false(readdirSync(folder.path).includes('unused'), 'no process makes a key');

  writeFileSync(join(path, 'challenge'), 'mine');
  const again = await create('keys');
  t.is(readFileSync(join(path, 'challenge'), 'utf8'), 'mine');
  t.is(texts().filter((text) => made.includes(text)).length, 6);
  t.is(again.filter((line) => line.includes('stays as it is')).length, 7);
  t.false(lines.join('\n').includes(String(made[0]).trim()), 'keys are not printed');
});

test('certificates are renewed when they end soon, by the same authority', async (t) => {
  const path = join(folder.path, 'certificates');
  const nowMs = Date.now();
  const read = (role: Role) => new X509Certificate(readFileSync(join(path, 'tls', role, 'tls.crt')));
  const { created } = await createCertificates(path, nowMs, ['maps', 'payments']);
  t.deepEqual(created, ['maps', 'payments']);
  const before = read('payments');
  rmSync(join(path, 'tls/maps'), { recursive: true });
  t.deepEqual((await createCertificates(path, nowMs, ['maps', 'payments'])).created, ['maps']);
  t.deepEqual((await createCertificates(path, nowMs + 250 * DAY_MS)).created, ROLES);
  t.true(read('payments').validToDate > before.validToDate);
  const authority = new X509Certificate(readFileSync(join(path, 'authority/ca.crt')));
  for (const role of ROLES) {
    t.true(read(role).checkIssued(authority) && read(role).verify(authority.publicKey), role);
    t.is(statSync(join(path, 'tls', role, 'tls.key')).mode & 0o777, 0o600);
  }
  rmSync(join(path, 'authority/ca.key'));
  t.deepEqual((await createCertificates(path, nowMs + 300 * DAY_MS)).created, []);
  await t.throwsAsync(createCertificates(path, nowMs + 500 * DAY_MS), { message: /must have both ca.crt and ca.key/ });
});

test('a folder that cannot be written is an error', async (t) => {
  writeFileSync(join(folder.path, 'file'), '');
  chmodSync(join(folder.path, 'file'), 0o600);
  await t.throwsAsync(create('file/keys'), { code: 'ENOTDIR' });
  await t.throwsAsync(runTollhouse(['keys'], { environment: {}, say: () => {} }), { message: /create <FOLDER>/ });
});

test('the example of settings has plain lines, and only variables that a process reads', async (t) => {
  const text = readFileSync(EXAMPLE, 'utf8');
  for (const line of text.split('\n')) t.regex(line, /^(#.*|[A-Z0-9_]+=\S*|)$/);
  const schemas = [GatewayConfig, BackofficeConfig, PaymentsEnvironment, VerificationConfig, MapsEnvironment];
  const known = new Set(schemas.flatMap(({ properties }) => Object.keys(properties)));
  for (const name of Object.keys(settingsOf(text)))
    t.true(known.has(name) || known.has(name.replace(/_FILE$/, '')), name);
  const printed = (await create('example')).filter((line) => !line.startsWith('#')).map((line) => line.split('=')[0]);
  for (const name of printed) t.true(text.includes(`\n${name}=`), name);
});
