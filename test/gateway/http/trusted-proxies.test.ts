import test from 'ava';
import { trustProxies } from '../../../gateway/http/trusted-proxies.ts';
import { ConfigurationError } from '../../../services/shared/environment.ts';

test('addresses within a CIDR are trusted, IPv4 addresses in IPv6 form as well', (t) => {
  const isTrusted = trustProxies(['10.0.0.0/8', '192.0.2.1', '2001:db8::/32']);
  for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '192.0.2.1', '2001:db8:1::2'])
    t.true(isTrusted(address), address);
  for (const address of ['11.0.0.1', '192.0.2.2', '2001:db9::1', '', 'unknown', '10.0.0.0/8'])
    t.false(isTrusted(address), address);
});

for (const entry of ['10.0.0.0/33', '2001:db8::/129', 'example.com', '10.0.0.0/', '10.0.0.0/8/8', 'loopback']) {
  test(`TRUST_PROXY=${entry} is refused by name`, (t) => {
    t.throws(() => trustProxies([entry]), { instanceOf: ConfigurationError, message: /^TRUST_PROXY: found / });
  });
}
