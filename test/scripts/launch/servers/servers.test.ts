import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import pg from 'pg';
import { ClaimedError } from '../../../../scripts/launch/processes/claim.ts';
import { startAnvil } from '../../../../scripts/launch/servers/anvil.ts';
import { startPostgres } from '../../../../scripts/launch/servers/postgres.ts';
import { startRedis } from '../../../../scripts/launch/servers/redis.ts';
import { createRedisClient, type RedisClient } from '../../../../services/platform/redis/redis-client.ts';
import { backUpPostgres, writeLike } from '../../../kit/base-backup.ts';
import { startTestAnvil, startTestPostgres, startTestRedis } from '../../../kit/servers.ts';
import { createTestFolder } from '../../../kit/test-folder.ts';

async function withRedis<T>(url: string, use: (client: RedisClient) => Promise<T>): Promise<T> {
  const client = createRedisClient({ url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    client.destroy();
  }
}

async function rows(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

test('Redis writes no file: one that was killed starts empty', async (t) => {
  const redis = await startTestRedis();
  await withRedis(redis.url, (client) => client.set('lock', '1'));
  await redis.kill();
  const again = await startRedis(redis.folder.place('redis'));
  await withRedis(again.url, async (client) => {
    t.is(await client.get('lock'), null);
    t.like(await client.configGet('*'), { appendonly: 'no', save: '', port: '0' });
  });
  t.deepEqual(readdirSync(join(redis.folder.path, 'redis')), []);
  t.is(statSync(again.url.slice('unix://'.length)).mode & 0o777, 0o700);
  await again.stop();
  redis.folder.remove();
});

test('a second Redis on the same folder is refused, and the first one keeps its socket', async (t) => {
  const redis = await startTestRedis();
  await t.throwsAsync(startRedis(redis.folder.place('redis')), { instanceOf: ClaimedError });
  t.is(await withRedis(redis.url, (client) => client.ping()), 'PONG');
  await redis.stop();
});

test('a killed PostgreSQL keeps committed rows', async (t) => {
  const postgres = await startTestPostgres();
  await rows(postgres.url, 'CREATE TABLE kept (amount bigint)');
  await rows(postgres.url, 'INSERT INTO kept VALUES (3000)');
  await postgres.kill();
  const again = await startPostgres(postgres.folder.place('postgres'));
  t.deepEqual(await rows(again.url, 'SELECT amount FROM kept'), [{ amount: '3000' }]);
  t.deepEqual(await rows(again.url, 'SHOW fsync'), [{ fsync: 'on' }]);
  t.deepEqual(await rows(again.url, 'SHOW listen_addresses'), [{ listen_addresses: '' }]);
  await again.stop();
  postgres.folder.remove();
});

test('a PostgreSQL that recovers from a backup has started when it takes writes', async (t) => {
  const postgres = await startTestPostgres();
  const place = postgres.folder.place('postgres');
  const source = { dataDir: place.dataDir, url: postgres.url };
  const backup = await backUpPostgres(source, join(postgres.folder.path, 'backup'));
  await postgres.kill();
  await backup.restore();
  // It takes reads while it waits for the archive.
  writeLike(join(place.dataDir, 'cluster'), 'postgresql.auto.conf', "restore_command = 'sleep 1; false'\n");
  const again = await startPostgres(place);
  await t.notThrowsAsync(rows(again.url, 'CREATE TABLE written ()'));
  await again.stop();
  postgres.folder.remove();
});

test('PostgreSQL starts although another program has the pid in the pid file of a dead server', async (t) => {
  const postgres = await startTestPostgres();
  await postgres.kill();
  const pidFile = join(postgres.folder.path, 'postgres', 'cluster', 'postmaster.pid');
  writeFileSync(pidFile, `${process.pid}\n`);
  const again = await startPostgres(postgres.folder.place('postgres'));
  t.deepEqual(await rows(again.url, 'SELECT 1 AS one'), [{ one: 1 }]);
  await again.stop();
  postgres.folder.remove();
});

test('an incomplete cluster of a killed start is created again', async (t) => {
  const folder = createTestFolder();
  const place = folder.place('postgres');
  mkdirSync(join(place.dataDir, 'cluster.new', 'base'), { recursive: true });
  writeFileSync(join(place.dataDir, 'cluster.new', 'PG_VERSION'), '18\n');
  const postgres = await startPostgres(place);
  t.deepEqual(await rows(postgres.url, 'SELECT 1 AS one'), [{ one: 1 }]);
  t.deepEqual(readdirSync(place.dataDir), ['cluster']);
  await postgres.stop();
  folder.remove();
});

test('a second PostgreSQL on the same folder is refused', async (t) => {
  const postgres = await startTestPostgres();
  await t.throwsAsync(startPostgres(postgres.folder.place('postgres')), { message: /another PostgreSQL/ });
  t.deepEqual(await rows(postgres.url, 'SELECT 1 AS one'), [{ one: 1 }]);
  await postgres.stop();
});

test('two data folders have separate servers', async (t) => {
  const [one, other] = await Promise.all([startTestRedis(), startTestRedis()]);
  await withRedis(one.url, (client) => client.set('who', 'one'));
  t.is(await withRedis(other.url, (client) => client.get('who')), null);
  await Promise.all([one.stop(), other.stop()]);
});

test('the sandbox chain has its chain id, and can be restarted at the same address', async (t) => {
  const anvil = await startTestAnvil();
  const port = Number(new URL(anvil.url).port);
  await anvil.kill();
  const again = await startAnvil({ ...anvil.folder.place('anvil'), port });
  t.is(again.url, anvil.url);
  const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}';
  const response = await fetch(again.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  t.like(await response.json(), { result: '0x7a69' });
  await again.stop();
  anvil.folder.remove();
});
