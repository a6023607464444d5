import test from 'ava';
import { GatewayConfig, isLoopbackOnly, readPublicUrls } from '../../../gateway/config/config.ts';
import { readOperatorPage } from '../../../gateway/operator/operator-config.ts';
import { ConfigurationError, readEnvironment } from '../../../services/platform/process/environment.ts';

const OPERATOR_KEY_HASHES = `ada:${'0a'.repeat(32)}`;
const PUBLIC = { PUBLIC_URLS: 'https://api.example.com' };

function pageOf(environment: Readonly<Record<string, string>>) {
  const config = readEnvironment(GatewayConfig, { REDIS_URL: 'redis://127.0.0.1', ...environment });
  const isSandbox = !('PUBLIC_URLS' in environment);
  const urls = readPublicUrls({ ...config, TOLLHOUSE_SANDBOX: 'public' }, isSandbox);
  return readOperatorPage(config, isLoopbackOnly(config, urls));
}

test('without keys there is no page, on any address', (t) => {
  for (const environment of [{}, PUBLIC, { HOST: '0.0.0.0' }, { OPERATOR_PAGE: 'public' }]) {
    t.is(pageOf(environment), undefined);
  }
});

test('with keys, the page is served on loopback', (t) => {
  t.is(pageOf({ OPERATOR_KEY_HASHES })?.[0]?.name, 'ada');
  t.is(pageOf({ OPERATOR_KEY_HASHES, HOST: '::1' })?.length, 1);
  t.is(pageOf({ OPERATOR_KEY_HASHES, OPERATOR_PAGE: 'off' }), undefined);
});

test('on other addresses, a second setting must say whether the page is served', (t) => {
  for (const address of [PUBLIC, { HOST: '0.0.0.0' }, { HOST: '192.0.2.1' }]) {
    t.throws(() => pageOf({ OPERATOR_KEY_HASHES, ...address }), {
      instanceOf: ConfigurationError,
      message: /OPERATOR_PAGE/,
    });
    t.is(pageOf({ OPERATOR_KEY_HASHES, ...address, OPERATOR_PAGE: 'public' })?.length, 1);
    t.is(pageOf({ OPERATOR_KEY_HASHES, ...address, OPERATOR_PAGE: 'off' }), undefined);
  }
});

test('another value of the setting, or a malformed key, is reported without repeating the key', (t) => {
  t.throws(() => pageOf({ OPERATOR_PAGE: 'yes' }), { instanceOf: ConfigurationError, message: /OPERATOR_PAGE/ });
  const error = t.throws(() => pageOf({ OPERATOR_KEY_HASHES: 'ada:secret' }), { instanceOf: ConfigurationError });
  t.false(error.message.includes('secret'));
});
