import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { createClaimsGuard } from '../../../../services/payments/claims/claims-guard.ts';
import { claimsStoreKey } from '../../../../services/payments/claims/claims-library.ts';
import { createRedisClaims } from '../../../../services/payments/claims/redis-claims.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { createRedisClient } from '../../../../services/platform/redis/redis-client.ts';
import type { StorePosition } from '../../../../services/platform/redis/redis-guard.ts';
import { createNonce, createWallet } from '../../../helpers/chain.ts';
import { startTestRedis } from '../../../helpers/servers.ts';

const NETWORK = 'eip155:31337';
const ASSET = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const TIMEOUT_MS = 10_000;
const REASON =
  /later_format: the data of the claims in Redis has format 2, and this release of Tollhouse knows formats up to 1: run the later release/;

test('claims of a later release are refused, and nothing is written to them', async (t) => {
  const redis = await startTestRedis();
  const client = createRedisClient({ url: redis.url });
  await client.connect();
  const recorded: StorePosition[] = [];
  const attest = async (position: StorePosition) => {
    recorded.push(position);
    return position;
  };
  const openGuard = () =>
    createClaimsGuard({
      client,
      witness: { attest, accept: async () => {} },
      network: NETWORK,
      isDurabilityVouched: false,
      timeoutMs: TIMEOUT_MS,
      findClockFault: async () => undefined,
      logger: createLogger({ name: 'test', level: 'silent' }),
    });
  const running = openGuard();
  t.teardown(async () => {
    running.close();
    client.destroy();
    await redis.stop();
  });
  t.true((await running.check()).ok);
  const options = { client, subscriber: client, timeoutMs: TIMEOUT_MS, network: NETWORK, asset: ASSET } as const;
  const claims = createRedisClaims({ ...options, guard: running });
  const claim = {
    payer: createWallet().address,
    nonce: createNonce(),
    claimId: uuidv7(),
    digest: 'd1',
    fingerprint: 'f1',
    offerSecretHash: 'h1',
    paymentIdentifierHash: undefined,
    amount: 3000n,
    validBeforeS: Math.floor(Date.now() / 1000) + 3600,
    fromBlock: undefined,
  };
  const lease = { leaseMs: 60_000, replaces: undefined, balance: undefined };
  t.is(await claims.open(claim, lease), 'opened');

  // What a later release does that changes the form of the claims.
  await client.hSet(claimsStoreKey(NETWORK), 'format', '2');
  const contents = async () => {
    const keys = (await client.keys(`tollhouse:{${NETWORK}}:*`)).toSorted();
    return Promise.all(
      keys.map(async (key) => [key, String(await client.sendCommand(['DUMP', key], { typeMapping: { 36: Buffer } }))]),
    );
  };
  const before = await contents();
  const calls = {
    find: () => claims.find(claim),
    findById: () => claims.findById(claim.claimId),
    isThrottled: () => claims.isThrottled(claim.payer),
    open: () => claims.open({ ...claim, nonce: createNonce(), claimId: uuidv7() }, lease),
    release: () => claims.release(claim, true),
    startSettling: () => claims.startSettling(claim, { attemptId: 'a', leaseMs: 1000 }),
    noteTransaction: () => claims.noteTransaction(claim, undefined, createNonce()),
    finish: () => claims.finish(claim, undefined, { state: 'pending' }),
    enterQueue: () => claims.enterQueue(claim, 1000),
    restore: () => claims.restore({ ...claim, transaction: undefined, outcome: undefined }),
  };
  for (const [name, call] of Object.entries(calls)) {
    await t.throwsAsync(call(), { code: 'PAYMENT_UNAVAILABLE', message: REASON }, name);
  }
  recorded.length = 0;
  const started = openGuard();
  t.teardown(started.close);
  for (const guard of [running, started]) {
    const readiness = await guard.check();
    t.regex(readiness.ok ? 'open' : readiness.reason, REASON);
    t.throws(guard.admit, { code: 'PAYMENT_UNAVAILABLE', message: REASON });
  }
  t.deepEqual(recorded, []);
  t.deepEqual(await contents(), before);
});
