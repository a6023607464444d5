import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { GatewayConfig, readConfig, readContact, readMode, readPublicUrls } from '../../../gateway/config/config.ts';
import { ConfigurationError, readEnvironment } from '../../../services/platform/process/environment.ts';
import { defined } from '../../../workers/exact/defined.ts';

const read = (environment: NodeJS.ProcessEnv) =>
  readEnvironment(GatewayConfig, { REDIS_URL: 'redis://127.0.0.1', ...environment });
const PUBLIC = { PUBLIC_URLS: 'https://a.example', CONTACT: 'https://a.example' };
const keysOf = (environment: NodeJS.ProcessEnv, isSandbox: boolean) =>
  readMode(read({ ...(isSandbox ? {} : PUBLIC), ...environment }), isSandbox).keys;
const refused = { instanceOf: ConfigurationError } as const;

test('listens on loopback without variables, and ignores empty ones', (t) => {
  const config = read({ PORT: '', HOST: '' });
  t.like(config, { PORT: 8402, HOST: '127.0.0.1', TRIAL_DAILY_BUDGET_MICRO_USD: 5_000_000 });
});

for (const [name, value] of [
  ['PORT', '70000'],
  ['PORT', 'http'],
  ['PORT', '80.5'],
  ['RATE_LIMIT_PER_MINUTE', '-1'],
  ['TOLLHOUSE_SANDBOX', 'yes'],
] as const) {
  test(`refuses ${name}=${value}, with the name and the value`, (t) => {
    const error = t.throws(() => read({ [name]: value }), refused);
    t.regex(defined(error).message, new RegExp(`${name}: found .*${value.replace('.', '\\.')}`));
  });
}

test('does not repeat an invalid value that may be secret', (t) => {
  const error = t.throws(() => readEnvironment(GatewayConfig, { REDIS_URL: '', CHALLENGE_KEYS: 'hunter2' }), refused);
  t.false(error?.message.includes('hunter2'));
  t.regex(defined(error).message, /REDIS_URL: found nothing/);
});

test('the sandbox is served beyond loopback only if TOLLHOUSE_SANDBOX allows it', (t) => {
  t.throws(() => readPublicUrls(read({ HOST: '0.0.0.0' }), true), refused);
  t.throws(() => readPublicUrls(read({ PUBLIC_URLS: 'https://api.example.com' }), true), refused);
  t.is(
    readPublicUrls(read({ HOST: '0.0.0.0', TOLLHOUSE_SANDBOX: 'public', PUBLIC_URLS: 'http://10.0.0.1:8402' }), true)
      .length,
    1,
  );
  t.deepEqual(
    readPublicUrls(read({}), true).map(({ origin }) => origin),
    ['http://127.0.0.1:8402', 'http://localhost:8402', 'http://[::1]:8402'],
  );
});

test('outside the sandbox, PUBLIC_URLS is required and must list origins', (t) => {
  t.throws(() => readPublicUrls(read({}), false), refused);
  for (const text of ['api.example.com', 'ftp://a.example', 'https://a.example/path', 'https://user@a.example']) {
    t.throws(() => readPublicUrls(read({ PUBLIC_URLS: text }), false), refused, text);
  }
  t.is(readPublicUrls(read({ PUBLIC_URLS: 'https://a.example, https://b.example' }), false).length, 2);
});

test('a sandbox creates its keys once, readable only by their owner', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tollhouse-test-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const config = { TOLLHOUSE_DATA: folder };
  const made = keysOf(config, true);
  t.is(made.challenge[0]?.length, 32);
  t.is(made.fingerprint.length, 32);
  t.notDeepEqual(made.fingerprint, made.challenge[0]);
  t.deepEqual(keysOf(config, true), made);
  for (const file of ['challenge', 'fingerprint']) t.is(statSync(join(folder, 'keys', file)).mode & 0o777, 0o600);
  t.deepEqual(keysOf(config, false), made, 'files that exist are read outside the sandbox, too');
});

test('outside the sandbox, keys are required, and the error says which is missing', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tollhouse-test-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const key = Buffer.alloc(33, 1);
  const given = {
    TOLLHOUSE_DATA: folder,
    CHALLENGE_KEYS: key.toString('base64'),
    FINGERPRINT_KEY: key.toString('base64'),
  };
  t.deepEqual(keysOf(given, false), { challenge: [key], fingerprint: key });
  for (const name of ['CHALLENGE_KEYS', 'FINGERPRINT_KEY']) {
    const message = new RegExp(`^${name}: found nothing, .* keys create FOLDER makes all keys`);
    t.throws(() => keysOf({ ...given, [name]: '' }, false), { ...refused, message });
  }
  t.deepEqual(readdirSync(folder), []);
});

test('short, malformed and superfluous keys are refused at once', (t) => {
  const readFresh = (keys: NodeJS.ProcessEnv) => readConfig({ REDIS_URL: 'redis://127.0.0.1', ...keys });
  const good = Buffer.alloc(33, 1).toString('base64');
  t.is(keysOf({ CHALLENGE_KEYS: `${good}, ${good}`, FINGERPRINT_KEY: good }, false).challenge.length, 2);
  const wrong = [
    Buffer.alloc(31).toString('base64'),
    `${good}!`,
    `${good} ${good}`,
    good.replace('A', '-'),
    `${good},x`,
  ];
  for (const name of ['CHALLENGE_KEYS', 'FINGERPRINT_KEY']) {
    for (const keys of wrong) {
      const message = new RegExp(`^${name}: `);
      t.throws(() => readFresh({ [name]: keys }), { ...refused, message }, keys);
    }
  }
  t.throws(() => readFresh({ FINGERPRINT_KEY: `${good},${good}` }), { ...refused, message: /one key/ });
});

const contactOf = (CONTACT: string | undefined, sandbox = false) => readContact(read({ CONTACT }), sandbox);

test('a contact is an https URL or a mailto address; only a sandbox may have none', (t) => {
  t.deepEqual(contactOf('https://example.com/support'), { url: 'https://example.com/support' });
  t.deepEqual(contactOf('mailto:support@example.com'), { email: 'support@example.com' });
  for (const none of [undefined, '']) {
    t.deepEqual(contactOf(none, true), {});
    t.throws(() => contactOf(none), { ...refused, message: /^CONTACT: found nothing/ });
  }
});

for (const contact of [
  'support@example.com',
  'http://example.com',
  'javascript:alert(1)',
  'https://user:secret@example.com',
  'mailto:support',
  'mailto:a@example.com?bcc=b@example.com',
]) {
  test(`refuses CONTACT=${contact}`, (t) => {
    t.throws(() => contactOf(contact), { ...refused, message: /^CONTACT: found/ });
  });
}
