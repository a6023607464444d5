import test from 'ava';
import { trustProxies } from '../../../gateway/http/trusted-proxies.ts';
import { ConfigurationError } from '../../../services/platform/process/environment.ts';

test('addresses within a CIDR are trusted in every spelling', (t) => {
  const isTrusted = trustProxies(['10.0.0.0/8', '192.0.2.1', '2001:db8::/32']);
  for (const address of [
    '10.1.2.3',
    '10.1.2.3:80',
    '::ffff:10.1.2.3',
    '::FFFF:0a01:0203',
    '192.0.2.1',
    '2001:db8:1::2',
    '[2001:DB8:1::2]:80',
  ])
    t.true(isTrusted(address), address);
  for (const address of ['11.0.0.1', '192.0.2.2', '2001:db9::1', '', 'unknown', '10.0.0.0/8'])
    t.false(isTrusted(address), address);
});

for (const entry of ['10.0.0.0/33', '2001:db8::/129', 'example.com', '10.0.0.0/', '10.0.0.0/8/8', 'loopback']) {
  test(`refuses TRUST_PROXY=${entry}, with the name of the variable`, (t) => {
    t.throws(() => trustProxies([entry]), { instanceOf: ConfigurationError, message: /^TRUST_PROXY: found / });
  });
}
