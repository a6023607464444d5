import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import type { Hex } from 'viem';
import {
  beginEpoch,
  createRedisClaims,
  readClaimsPosition,
} from '../../../../services/payments/claims/redis-claims.ts';
import { createRedisClient } from '../../../../services/platform/redis/redis-client.ts';
import { createWallet } from '../../../helpers/chain.ts';
import { startTestRedis } from '../../../helpers/servers.ts';
import { attempt, details, leased, START_MS } from './claims-fixture.ts';

const REDIS_TIMEOUT_MS = 10_000;
const ASSET: Hex = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const NETWORK = 'eip155:31337';
const OTHER_NETWORK = 'eip155:8453';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FAILED = {
  state: 'failed',
  final: false,
  paymentResponseJson: '{"success":false}',
  isPayersFault: false,
} as const;
const TRANSACTION_1: Hex = `0x${'1'.repeat(64)}`;
const TRANSACTION_2: Hex = `0x${'2'.repeat(64)}`;
const SETTLED = { state: 'settled', paymentResponseJson: '{"success":true}' } as const;

/** The guard of a store that is open. */
const guard = {
  admit: () => {},
  position: () => position,
  saw: () => {},
  suspect: () => {},
};
const redis = await startTestRedis();
const client = createRedisClient({ url: redis.url });
const subscriber = createRedisClient({ url: redis.url });
await Promise.all([client.connect(), subscriber.connect()]);
const position = await readClaimsPosition(client, NETWORK);
await readClaimsPosition(client, OTHER_NETWORK);
test.after.always(async () => {
  client.destroy();
  subscriber.destroy();
  await redis.stop();
});

/** Opens a store with its own clock. */
function open(clock = { nowMs: START_MS }) {
  const claims = createRedisClaims({
    timeoutMs: REDIS_TIMEOUT_MS,
    client,
    subscriber,
    guard,
    network: NETWORK,
    asset: ASSET,
    now: () => clock.nowMs,
  });
  return { clock, claims };
}

test('finds an opened claim unchanged', async (t) => {
  const { claims } = open();
  const claim = details(createWallet().address, { paymentIdentifierHash: 'i1' });
  t.is(await claims.open(claim, leased()), 'opened');
  const unset = { transaction: undefined, paymentResponseJson: undefined, final: false };
  const expected = { ...claim, ...unset, state: 'executing' as const, isLeased: true };
  t.deepEqual(await claims.find(claim), expected);
  t.deepEqual(await claims.findById(claim.claimId), expected);
});

test('opening a claim again under its id changes nothing', async (t) => {
  const { claims } = open();
  const claim = details(createWallet().address);
  t.is(await claims.open(claim, leased()), 'opened');
  t.is(await claims.open(claim, leased()), 'opened');
});

test('one of many concurrent requests opens the claim of a payment', async (t) => {
  const { claims } = open();
  const claim = details(createWallet().address);
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => claims.open({ ...claim, claimId: uuidv7() }, leased())),
  );
  t.is(answers.filter((answer) => answer === 'opened').length, 1);
});

test('one claim takes over an execution whose lease has ended, and the old claim cannot be settled', async (t) => {
  const { claims, clock } = open();
  const old = details(createWallet().address);
  await claims.open(old, leased());
  const next = () => ({ ...old, claimId: uuidv7() });
  t.is(await claims.open(next(), leased({ replaces: old.claimId })), 'changed');
  clock.nowMs += 1000;
  const takers = [next(), next(), next()];
  const later = leased({ replaces: old.claimId });
  const answers = await Promise.all(takers.map((taker) => claims.open(taker, later)));
  t.is(answers.filter((answer) => answer === 'opened').length, 1);
  t.deepEqual(await claims.startSettling(old, attempt()), { kind: 'gone' });
  t.is(await claims.findById(old.claimId), undefined);
  await claims.release(old, true);
  t.is((await claims.find(old))?.state, 'executing');
});

test('an execution with an ended lease can settle until it is taken over', async (t) => {
  const { claims, clock } = open();
  const claim = details(createWallet().address);
  await claims.open(claim, leased());
  clock.nowMs += 5000;
  t.is((await claims.startSettling(claim, attempt())).kind, 'started');
  t.is(await claims.open({ ...claim, claimId: uuidv7() }, leased({ replaces: claim.claimId })), 'changed');
});

test('one settlement attempt is active at a time, and only that attempt may send', async (t) => {
  const { claims, clock } = open();
  const claim = details(createWallet().address);
  await claims.open(claim, leased());
  const one = attempt();
  t.is((await claims.startSettling(claim, one)).kind, 'started');
  t.is((await claims.startSettling(claim, attempt())).kind, 'busy');
  clock.nowMs += 2000;
  const two = attempt();
  t.is((await claims.startSettling(claim, two)).kind, 'started');
  t.false(await claims.noteTransaction(claim, one.attemptId, TRANSACTION_1));
  t.true(await claims.noteTransaction(claim, two.attemptId, TRANSACTION_2));
  await claims.finish(claim, one.attemptId, { state: 'unsent' });
  await claims.finish(claim, one.attemptId, FAILED);
  t.like(await claims.find(claim), { state: 'settling', transaction: TRANSACTION_2 });
});

test('any caller may record a proven result, which never changes', async (t) => {
  const { claims } = open();
  const claim = details(createWallet().address);
  await claims.open(claim, leased());
  const { attemptId, leaseMs } = attempt();
  await claims.startSettling(claim, { attemptId, leaseMs });
  await claims.finish(claim, attemptId, FAILED);
  t.like(await claims.find(claim), { state: 'failed', final: false });
  await claims.finish(claim, undefined, SETTLED);
  await claims.finish(claim, attemptId, FAILED);
  await claims.finish(claim, undefined, { ...FAILED, final: true });
  t.like(await claims.find(claim), { state: 'settled', paymentResponseJson: SETTLED.paymentResponseJson });
});

test('five failures throttle a payer for an hour', async (t) => {
  const { claims, clock } = open();
  const payer = createWallet().address;
  for (let i = 0; i < 5; i += 1) {
    t.false(await claims.isThrottled(payer));
    const claim = details(payer, { validBeforeS: START_MS / 1000 + 7200 });
    t.is(await claims.open(claim, leased()), 'opened');
    await claims.release(claim, true);
    await claims.release(claim, true);
    clock.nowMs += 1000;
  }
  t.true(await claims.isThrottled(payer));
  t.is(await claims.open(details(payer), leased()), 'throttled');
  clock.nowMs = START_MS + HOUR_MS + 1;
  t.false(await claims.isThrottled(payer));
});

test('failures that the caller did not cause throttle nobody', async (t) => {
  const { claims } = open();
  const payer = createWallet().address;
  for (let i = 0; i < 8; i += 1) {
    const claim = details(payer);
    t.is(await claims.open(claim, leased()), 'opened');
    await claims.release(claim, false);
  }
  t.false(await claims.isThrottled(payer));
});

test('a failed settlement counts toward the throttle only if the payer caused it', async (t) => {
  for (const isPayersFault of [true, false]) {
    const { claims } = open();
    const payer = createWallet().address;
    for (let i = 0; i < 5; i += 1) {
      const claim = details(payer);
      await claims.open(claim, leased());
      await claims.startSettling(claim, attempt());
      await claims.finish(claim, undefined, { ...FAILED, final: true, isPayersFault });
    }
    t.is(await claims.isThrottled(payer), isPayersFault);
  }
});

test.serial('a Redis without memory still settles, restores and releases claims', async (t) => {
  const { claims } = open();
  const newClaim = () => details(createWallet().address);
  const [settling, released, lost] = [newClaim(), newClaim(), newClaim()];
  await claims.open(settling, leased());
  await claims.open(released, leased());
  await client.configSet('maxmemory', '1');
  try {
    await claims.restore({ ...lost, transaction: undefined, outcome: undefined });
    await claims.restore({ ...settling, transaction: undefined, outcome: undefined });
    const one = attempt();
    t.is((await claims.startSettling(settling, one)).kind, 'started');
    await claims.finish(settling, one.attemptId, SETTLED);
    await claims.release(released, true);
  } finally {
    await client.configSet('maxmemory', '0');
  }
  t.like(await claims.find(settling), SETTLED);
  t.like(await claims.find(lost), { state: 'settling' });
  t.is(await claims.find(released), undefined);
});

test('without an injected clock, leases end by the clock of Redis', async (t) => {
  const claims = createRedisClaims({
    client,
    subscriber,
    guard,
    timeoutMs: REDIS_TIMEOUT_MS,
    network: NETWORK,
    asset: ASSET,
  });
  const validBeforeS = Math.floor(Date.now() / 1000) + 3600;
  const newClaim = () => details(createWallet().address, { validBeforeS });
  const [active, expired] = [newClaim(), newClaim()];
  await claims.open(active, leased({ leaseMs: 60_000 }));
  await claims.open(expired, leased({ leaseMs: 0 }));
  t.like(await claims.find(active), { isLeased: true });
  t.like(await claims.find(expired), { isLeased: false });
});

test('a store that lost writes opens no claim', async (t) => {
  const network = 'eip155:84532';
  const { epoch, sequence } = await readClaimsPosition(client, network);
  const suspicions: string[] = [];
  const suspect = (reason: string) => suspicions.push(reason);
  for (const seen of [
    { epoch, sequence: sequence + 1n },
    { epoch: 'another', sequence: 0n },
  ]) {
    const claims = createRedisClaims({
      timeoutMs: REDIS_TIMEOUT_MS,
      client,
      subscriber,
      guard: { ...guard, suspect, position: () => seen },
      network,
      asset: ASSET,
    });
    const claim = details(createWallet().address);
    await t.throwsAsync(claims.open(claim, leased()), { code: 'PAYMENT_UNAVAILABLE' });
    t.is(await claims.find(claim), undefined);
  }
  t.is(suspicions.length, 2);
});

test('a restored claim is retained if no write was lost since it opened, and settling otherwise', async (t) => {
  const { claims } = open();
  const [kept, lost] = [details(createWallet().address), details(createWallet().address)];
  await claims.open(kept, leased());
  for (const claim of [kept, lost]) {
    await claims.restore({ ...claim, transaction: undefined, outcome: undefined });
  }
  t.like(await claims.find(kept), { state: 'retained', isLeased: false });
  t.like(await claims.find(lost), { state: 'settling', isLeased: false });
  const network = 'eip155:1';
  const { epoch } = await readClaimsPosition(client, network);
  const old = createRedisClaims({
    timeoutMs: REDIS_TIMEOUT_MS,
    client,
    subscriber,
    guard: { ...guard, position: () => ({ epoch, sequence: 0n }) },
    network,
    asset: ASSET,
  });
  await old.open(kept, leased());
  await old.restore({ ...kept, transaction: undefined, outcome: undefined });
  t.true(await beginEpoch(client, network, { from: epoch, to: 'next', timeoutMs: REDIS_TIMEOUT_MS }));
  t.false(await beginEpoch(client, network, { from: epoch, to: 'other', timeoutMs: REDIS_TIMEOUT_MS }));
  t.like(await old.find(kept), { state: 'settling' });
});

test('a restored result replaces another execution of the same payment', async (t) => {
  const { claims } = open();
  const retained = details(createWallet().address);
  const later = { ...retained, claimId: uuidv7() };
  await claims.open(later, leased());
  await claims.restore({ ...retained, transaction: TRANSACTION_1, outcome: SETTLED });
  t.like(await claims.find(retained), { claimId: retained.claimId, transaction: TRANSACTION_1, ...SETTLED });
  t.deepEqual(await claims.startSettling(later, attempt()), { kind: 'gone' });
});

test('a payment counts as in flight until it settles, is released or expires', async (t) => {
  const { claims, clock } = open();
  const payer = createWallet().address;
  const two = leased({ balance: 6000n });
  const [a, b, c] = [details(payer), details(payer), details(payer)];
  t.is(await claims.open(a, two), 'opened');
  t.is(await claims.open(b, two), 'opened');
  t.is(await claims.open(c, two), 'throttled');
  await claims.release(a, false);
  t.is(await claims.open(c, two), 'opened');
  await claims.startSettling(c, attempt());
  await claims.finish(c, undefined, SETTLED);
  t.is(await claims.open(details(payer), two), 'opened');
  t.is(await claims.open(details(payer), two), 'throttled');
  clock.nowMs += 61_000;
  t.is(await claims.open(details(payer), two), 'opened');
});

test('sixteen payments may be in flight if the balance is unknown', async (t) => {
  const { claims } = open();
  const payer = createWallet().address;
  const answers: string[] = [];
  for (let i = 0; i < 17; i += 1) answers.push(await claims.open(details(payer), leased({ balance: undefined })));
  t.deepEqual(answers, [...Array<string>(16).fill('opened'), 'throttled']);
});

test('a claim expires a day after its authorization ends, and never while its settlement is open', async (t) => {
  const { claims } = open();
  const claim = details(createWallet().address);
  const key = `tollhouse:{eip155:31337}:payment:${ASSET}:${claim.payer}:${claim.nonce}`.toLowerCase();
  const ttl = () => client.pTTL(key);
  await claims.open(claim, leased());
  const left = await ttl();
  t.true(left > DAY_MS && left <= DAY_MS + 60_000);
  await claims.startSettling(claim, attempt());
  t.is(await ttl(), -1);
  await claims.finish(claim, undefined, SETTLED);
  t.true((await ttl()) > DAY_MS);
});

test('a claim is unknown on another network', async (t) => {
  const { claims } = open();
  const other = createRedisClaims({
    timeoutMs: REDIS_TIMEOUT_MS,
    client,
    subscriber,
    guard,
    network: OTHER_NETWORK,
    asset: ASSET,
    now: () => START_MS,
  });
  const claim = details(createWallet().address);
  await claims.open(claim, leased());
  t.is(await other.find(claim), undefined);
  t.is(await other.findById(claim.claimId), undefined);
});

test('an unavailable store is PAYMENT_UNAVAILABLE', async (t) => {
  const away = createRedisClient({ url: 'unix:///nonexistent/redis.sock' });
  const claims = createRedisClaims({
    timeoutMs: REDIS_TIMEOUT_MS,
    client: away,
    subscriber: away,
    guard,
    network: NETWORK,
    asset: ASSET,
    now: () => START_MS,
  });
  await t.throwsAsync(claims.find(details(createWallet().address)), { code: 'PAYMENT_UNAVAILABLE' });
});
