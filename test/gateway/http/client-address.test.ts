import test from 'ava';
import { canonicalAddress, clientOf, networkOf } from '../../../gateway/http/client-address.ts';

const SPELLINGS: readonly (readonly [string, string, string, readonly string[]])[] = [
  ['8.8.8.8', '8.8.8.8', '8.8.8.0/24', ['8.8.8.8:1234', ' 8.8.8.8', '[::ffff:8.8.8.8]:80', '::FFFF:8.8.8.8']],
  ['10.11.12.1', '10.11.12.1', '10.11.12.0/24', ['::ffff:0a0b:0c01', '::ffff:a0b:c01', '0:0:0:0:0:FFFF:0a0b:0c01']],
  [
    '2001:db8::1',
    '2001:db8:0:0::/64',
    '2001:db8:0::/48',
    ['[2001:db8::1]', '[2001:db8::1]:443', '2001:0DB8:0:0:0::1', '2001:db8::1%eth0'],
  ],
  ['fe80::1', 'fe80:0:0:0::/64', 'fe80:0:0::/48', ['[fe80::1%eth0]:80']],
  ['::1', '0:0:0:0::/64', '0:0:0::/48', ['[::1]:8402']],
];

test('all spellings of an address are the same client in the same network', (t) => {
  for (const [address, client, network, others] of SPELLINGS) {
    for (const text of [address, ...others]) {
      t.deepEqual([canonicalAddress(text), clientOf(text), networkOf(text)], [address, client, network], text);
    }
  }
});

test('each text that is not an address is its own client and network', (t) => {
  for (const text of [
    '',
    'unknown',
    '_hidden',
    '8.8.8',
    '8.8.8.8.8:1',
    '[8.8.8.8',
    'a%b',
    '2001:db8::1:::2',
    '0x7f.1',
  ]) {
    t.deepEqual([canonicalAddress(text), clientOf(text), networkOf(text)], [text, text, text]);
  }
});
