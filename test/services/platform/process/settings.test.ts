import test from 'ava';
import { Type } from 'typebox';
import { ConfigurationError, readEnvironment } from '../../../../services/platform/process/environment.ts';
import {
  databaseUrl,
  grpcTarget,
  httpUrl,
  Listen,
  LogLevel,
  redisUrl,
} from '../../../../services/platform/process/settings.ts';

const Settings = Type.Object({
  LOG_LEVEL: LogLevel,
  LISTEN: Listen('127.0.0.1:8411'),
  REDIS_URL: redisUrl(Type.Optional(Type.String())),
  DATABASE_URL: databaseUrl(Type.Optional(Type.String())),
  CONTENT_URL: grpcTarget(Type.Optional(Type.String())),
  X402_RPC_URL: httpUrl(Type.Optional(Type.String())),
});

const VALUES: readonly (readonly [keyof typeof Settings.properties, readonly string[], readonly string[]])[] = [
  ['LOG_LEVEL', ['silent', 'fatal', 'trace'], ['foo', 'INFO', '30']],
  [
    'LISTEN',
    [
      '127.0.0.1:0',
      '0.0.0.0:8411',
      '[::]:8411',
      'localhost:8411',
      'unix:/run/a.sock',
      'unix:///run/a.sock',
      'unix:a.sock',
    ],
    [
      '8411',
      'localhost',
      ':8411',
      '127.0.0.1:65536',
      '127.0.0.1:http',
      '::1:8411',
      'unix:',
      `unix:/${'a'.repeat(107)}`,
    ],
  ],
  [
    'REDIS_URL',
    [
      'redis://127.0.0.1',
      'redis://user:pass@host:6379/2',
      'rediss://host/',
      'unix:///run/redis.sock',
      'unix:///r.sock?db=1',
    ],
    [
      'foo',
      '127.0.0.1:6379',
      'http://host',
      'redis://',
      'redis://host:70000',
      'redis://host/name',
      'unix://',
      'unix:r.sock',
    ],
  ],
  [
    'DATABASE_URL',
    [
      'postgres://x',
      'postgresql://me:secret@host:5432/db?sslmode=require',
      'postgresql://me@/db?host=%2Frun',
      'postgres:///db',
    ],
    ['foo', 'host:5432/db', 'mysql://host/db', 'postgres://host:70000/db', 'postgres://[host/db'],
  ],
  [
    'CONTENT_URL',
    [
      '127.0.0.1:8411',
      'content:8411',
      'dns:///content:8411',
      'dns:content:8411',
      'ipv4:10.0.0.1:1,10.0.0.2:2',
      'ipv6:[::1]:1',
      'unix:/run/a.sock',
    ],
    [
      'content',
      'http://127.0.0.1:8411',
      'dns:///content',
      'ipv4:10.0.0.1',
      'ipv4:10.0.0.1:1,',
      'xds:///content',
      'unix:',
    ],
  ],
  [
    'X402_RPC_URL',
    ['https://rpc.example/v1?key=1', 'http://127.0.0.1:8545'],
    ['foo', 'ws://rpc.example', 'http://[', 'https://'],
  ],
];

test('each setting takes its valid values, and refuses others by its name', (t) => {
  for (const [name, valid, wrong] of VALUES) {
    for (const text of valid) t.is(readEnvironment(Settings, { [name]: text })[name], text, `${name}=${text}`);
    for (const text of wrong) {
      const message = new RegExp(`^Configuration is not usable:\n {2}${name}: found .*; it must be .*$`);
      t.throws(
        () => readEnvironment(Settings, { [name]: text }),
        { instanceOf: ConfigurationError, message },
        `${name}=${text}`,
      );
    }
  }
});

test('a missing or empty setting has its default, if there is one', (t) => {
  t.deepEqual(readEnvironment(Settings, { REDIS_URL: '' }), { LOG_LEVEL: 'info', LISTEN: '127.0.0.1:8411' });
});
