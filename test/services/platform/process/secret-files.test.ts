import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import test from 'ava';
import { readSettings } from '../../../../scripts/launch/settings.ts';
import { MapsEnvironment } from '../../../../services/maps/config.ts';
import { ConfigurationError } from '../../../../services/platform/process/environment.ts';
import { readSecretFiles, SECRETS } from '../../../../services/platform/process/secret-files.ts';
import { createTestFolder } from '../../../kit/test-folder.ts';

const folder = createTestFolder();
test.after.always(() => folder.remove());
function fileOf(name: string, text: string): string {
  const path = join(folder.path, name);
  writeFileSync(path, text);
  return path;
}

const KEY = `0x${'4'.repeat(64)}`;

test('a file is read in place of its variable, without one newline at its end', (t) => {
  for (const [text, value] of [
    [`${KEY}\n`, KEY],
    [`${KEY}\r\n`, KEY],
    [KEY, KEY],
    ['a\nb\n\n', 'a\nb\n'],
  ] as const) {
    const environment = { X402_SIGNER_KEY_FILE: fileOf('key', text), X402_SIGNER_KEY: '', OTHER_KEY_FILE: 'stays' };
    readSecretFiles(environment);
    t.deepEqual(environment as object, { X402_SIGNER_KEY: value, OTHER_KEY_FILE: 'stays' });
    readSecretFiles(environment);
    t.is(environment.X402_SIGNER_KEY, value, 'a process that inherits it reads no file');
  }
});

test('a process opens no file of a secret that its settings do not name', (t) => {
  const [own, other] = [fileOf('own', KEY), fileOf('other', KEY)];
  const environment = { MAPS_PROVIDER_KEY_FILE: own, X402_SIGNER_KEY_FILE: other, DATABASE_URL_FILE: '/nowhere' };
  readSecretFiles(environment, Object.keys(MapsEnvironment.properties));
  t.deepEqual(environment as object, {
    MAPS_PROVIDER_KEY: KEY,
    X402_SIGNER_KEY_FILE: other,
    DATABASE_URL_FILE: '/nowhere',
  });
});

test('every file that cannot be used is named, and nothing of any is shown', (t) => {
  const environment = {
    X402_SIGNER_KEY: KEY,
    X402_SIGNER_KEY_FILE: fileOf('both', 'hunter2'),
    DATABASE_URL_FILE: join(folder.path, 'none'),
    REDIS_URL_FILE: fileOf('empty', '\n'),
    CHALLENGE_KEYS_FILE: folder.path,
  };
  const error = t.throws(() => readSecretFiles(environment), { instanceOf: ConfigurationError });
  for (const line of [
    /X402_SIGNER_KEY: found a value, and a file in X402_SIGNER_KEY_FILE; set one of them/,
    /DATABASE_URL_FILE: the file .*none cannot be read/,
    /REDIS_URL_FILE: the file .*empty is empty/,
    /CHALLENGE_KEYS_FILE: the file .* cannot be read/,
  ]) {
    t.regex(error.message, line);
  }
  t.false(error.message.includes('hunter2') || error.message.includes(KEY));
});

test('a start with a signer and a database in files is no sandbox, and has no PostgreSQL of its own', (t) => {
  const environment = {
    X402_SIGNER_KEY_FILE: fileOf('signer', KEY),
    DATABASE_URL_FILE: fileOf('database', 'postgres://127.0.0.1/tollhouse\n'),
  };
  readSecretFiles(environment);
  t.like(readSettings(environment), { isSandbox: false, databaseUrl: 'postgres://127.0.0.1/tollhouse' });
});

/** Variables without a secret: addresses of services of this product, of a public API and of a chain with play money, and a choice. */
const PLAIN = /^CREATE_KEYS$|^(BACKOFFICE|CONTENT|MAPS|PAYMENTS|VERIFICATION|HUBSPOT|SANDBOX_RPC)_URL$/;

test('every documented variable that may have a secret can be in a file', (t) => {
  const page = readFileSync(resolve(import.meta.dirname, '../../../../docs/configuration.md'), 'utf8');
  const names = [...page.matchAll(/^\| `([A-Z0-9_]+(?:KEYS?|HASHES|URL|TOKENS?|PASSWORD|SECRET))` \|/gm)].map(
    ([, name]) => name,
  );
  t.deepEqual([...new Set(names)].filter((name) => !PLAIN.test(String(name))).sort(), [...SECRETS]);
});
