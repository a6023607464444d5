import test from 'ava';
import { readListenAddress } from '../../../../services/platform/process/listen-address.ts';

for (const [text, address] of [
  ['127.0.0.1:9464', { host: '127.0.0.1', port: 9464 }],
  ['[::1]:9464', { host: '::1', port: 9464 }],
  ['metrics.internal:0', { host: 'metrics.internal', port: 0 }],
  ['unix:/run/admin.sock', { path: '/run/admin.sock' }],
  ['unix:///run/admin.sock', { path: '/run/admin.sock' }],
  ['unix:admin:1.sock', { path: 'admin:1.sock' }],
] as const) {
  test(`${text} is an address`, (t) => {
    t.deepEqual(readListenAddress(text) as object, address);
  });
}
