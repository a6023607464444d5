import test from 'ava';
import { readConfig } from '../../../services/maps/config.ts';
import { ConfigurationError } from '../../../services/platform/process/environment.ts';

const refused = { instanceOf: ConfigurationError } as const;
const URL_TEXT = 'https://maps.example/base';

test('without variables, the gazetteer is the provider and the service listens on loopback', (t) => {
  t.like(readConfig({ MAPS_PROVIDER: '', MAPS_THREADS: '' }), {
    listen: '127.0.0.1:8414',
    provider: { kind: 'gazetteer' },
    threads: undefined,
  });
});

test('each provider needs its own server or key', (t) => {
  const read = (environment: NodeJS.ProcessEnv) => readConfig(environment).provider;
  t.deepEqual(read({ MAPS_PROVIDER: 'azure', MAPS_PROVIDER_KEY: 'k' }), {
    kind: 'azure',
    baseUrl: undefined,
    key: 'k',
  });
  for (const kind of ['nominatim', 'photon'] as const) {
    const environment = { MAPS_PROVIDER: kind, MAPS_PROVIDER_URL: URL_TEXT };
    t.deepEqual(read(environment), { kind, baseUrl: new URL(URL_TEXT) });
    t.throws(() => read({ MAPS_PROVIDER: kind }), { ...refused, message: /MAPS_PROVIDER_URL/ });
  }
  const pelias = { MAPS_PROVIDER: 'pelias', MAPS_PROVIDER_URL: URL_TEXT };
  t.deepEqual(read(pelias), { kind: 'pelias', baseUrl: new URL(URL_TEXT), key: undefined });
  t.throws(() => read({ MAPS_PROVIDER: 'azure' }), { ...refused, message: /MAPS_PROVIDER_KEY/ });
});

for (const [name, value] of [
  ['MAPS_PROVIDER', 'google'],
  ['MAPS_THREADS', '0'],
] as const) {
  test(`refuses ${name}=${value} with the name and the value`, (t) => {
    const error = t.throws(() => readConfig({ [name]: value }), refused);
    t.regex(error.message, new RegExp(`${name}: found .*${value}`));
  });
}

test('a key is sent over TLS, or to this machine', (t) => {
  const read = (kind: string, url: string, key = 'hunter2') =>
    readConfig({ MAPS_PROVIDER: kind, MAPS_PROVIDER_URL: url, MAPS_PROVIDER_KEY: key });
  for (const kind of ['azure', 'pelias']) {
    const error = t.throws(() => read(kind, 'http://maps.example'), {
      ...refused,
      message: /MAPS_PROVIDER_URL.*https/,
    });
    t.notRegex(error.message, /hunter2/);
    for (const url of ['https://maps.example', 'http://127.0.0.2:80', 'http://localhost', 'http://[::1]:9000']) {
      t.notThrows(() => read(kind, url));
    }
  }
  t.notThrows(() => read('pelias', 'http://maps.example', ''));
});

test('a key that no header takes is refused without repeating it', (t) => {
  for (const key of ['hunter2\nx: y', 'hunter2é']) {
    const error = t.throws(() => readConfig({ MAPS_PROVIDER: 'azure', MAPS_PROVIDER_KEY: key }), refused);
    t.regex(error.message, /^MAPS_PROVIDER_KEY: found/);
    t.false(error.message.includes('hunter2'));
  }
});

test('refuses an unusable provider URL without repeating it', (t) => {
  for (const text of [
    'maps.example',
    'ftp://hunter2.example',
    'http://hunter2:99999',
    'https://user:hunter2@maps.example',
  ]) {
    const environment = { MAPS_PROVIDER: 'photon', MAPS_PROVIDER_URL: text };
    const error = t.throws(() => readConfig(environment), refused);
    t.regex(error.message, /MAPS_PROVIDER_URL/);
    t.false(error.message.includes(text));
  }
});
