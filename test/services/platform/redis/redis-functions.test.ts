import test from 'ava';
import { CLAIMS_LIBRARY } from '../../../../services/payments/claims/claims-library.ts';
import { defineLibrary } from '../../../../services/platform/redis/function-library.ts';
import { createLibraryLoader, LIBRARY_USES, listLibraries } from '../../../../services/platform/redis/library-use.ts';
import { createRedisClient } from '../../../../services/platform/redis/redis-client.ts';
import { callFunction, loadLibrary } from '../../../../services/platform/redis/redis-functions.ts';
import { startTestRedis } from '../../../helpers/servers.ts';

const TIMEOUT_MS = 10_000;
const DAY_MS = 86_400_000;

const redis = await startTestRedis();
const client = createRedisClient({ url: redis.url });
await client.connect();
test.after.always(async () => {
  client.destroy();
  await redis.stop();
});
test.beforeEach(async () => {
  await client.functionFlush();
  await client.flushAll();
});

/** A library of a release that answers `answer`. */
const releaseThatAnswers = (answer: string) =>
  defineLibrary('ledger', 1, [`register('name', function() return '${answer}' end)`]);
const nameIn = (library: ReturnType<typeof releaseThatAnswers>) =>
  callFunction(client, library, { name: 'name', keys: [], args: [] });
const load = (library: ReturnType<typeof releaseThatAnswers>, onError?: (error: Error) => void) =>
  createLibraryLoader({ client, library, timeoutMs: TIMEOUT_MS, ...(onError && { onError }) })();
const names = async () => (await listLibraries(client)).map(({ name }) => name);

test.serial('processes of two releases call their own functions at the same time', async (t) => {
  const [earlier, later] = [releaseThatAnswers('earlier'), releaseThatAnswers('later')];
  t.true(await loadLibrary(client, earlier));
  t.true(await loadLibrary(client, later));
  t.false(await loadLibrary(client, earlier));
  t.deepEqual([await nameIn(earlier), await nameIn(later)], ['earlier', 'later']);
  t.deepEqual(await names(), [earlier.name, later.name].toSorted());
});

test.serial('a call loads a library that Redis has lost', async (t) => {
  const library = releaseThatAnswers('found');
  await loadLibrary(client, library);
  await client.functionFlush();
  t.is(await nameIn(library), 'found');
});

test.serial('a library is removed after seven days without use, and its process loads it again', async (t) => {
  const [unused, recent, current] = [releaseThatAnswers('a'), releaseThatAnswers('b'), releaseThatAnswers('c')];
  await load(unused);
  await load(recent);
  await client.hSet(LIBRARY_USES, unused.name, Date.now() - 7 * DAY_MS - 60_000);
  await client.hSet(LIBRARY_USES, recent.name, Date.now() - 7 * DAY_MS + 60_000);
  await load(current);
  t.deepEqual(await names(), [recent.name, current.name].toSorted());
  t.deepEqual(Object.keys(await client.hGetAll(LIBRARY_USES)).toSorted(), [recent.name, current.name].toSorted());
  t.is(await nameIn(unused), 'a');
});

test.serial('a library of a release that notes no use, or whose note was lost, is kept for seven days', async (t) => {
  const lost = releaseThatAnswers('lost');
  const unversioned = "#!lua name=tollhouse_claims\nredis.register_function('claims_find', function() return 1 end)";
  await client.functionLoad(unversioned);
  await loadLibrary(client, lost);
  await load(CLAIMS_LIBRARY);
  t.deepEqual(await names(), ['tollhouse_claims', lost.name, CLAIMS_LIBRARY.name].toSorted());
  t.true((await listLibraries(client)).every(({ lastUsedMs }) => lastUsedMs !== undefined));
});

test.serial('a use that cannot be noted is reported, and the library works', async (t) => {
  const library = releaseThatAnswers('works');
  const errors: Error[] = [];
  await client.set(LIBRARY_USES, 'not a hash');
  await load(library, (error) => errors.push(error));
  t.regex(String(errors[0]?.message), /could not be noted/);
  t.is(await nameIn(library), 'works');
});
