import { randomBytes } from 'node:crypto';
import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import type { Hex } from 'viem';
import type { ClaimDetails } from '../../../../services/payments/claims/claims.ts';
import { createPostgresClaimRecords } from '../../../../services/payments/claims/postgres-claim-records.ts';
import { createRecordedClaims } from '../../../../services/payments/claims/recorded-claims.ts';
import { createRedisClaims, readClaimsPosition } from '../../../../services/payments/claims/redis-claims.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { createRedisClient } from '../../../../services/platform/redis/redis-client.ts';
import { createWallet } from '../../../helpers/chain.ts';
import { startTestRedis } from '../../../helpers/servers.ts';
import { createTestDatabase } from '../../../helpers/test-database.ts';
import { retainCall } from '../../backoffice/retention/retained-calls.ts';
import { attempt, details, leased, START_MS } from './claims-fixture.ts';

const NETWORK = 'eip155:31337';
const ASSET: Hex = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';
const keys = [{ id: 'one', secret: randomBytes(32) }] as const;
const TRANSACTION: Hex = `0x${'1'.repeat(64)}`;
const FAILED = {
  state: 'failed',
  final: false,
  paymentResponseJson: '{"success":false}',
  isPayersFault: false,
} as const;
const SETTLED = { state: 'settled', paymentResponseJson: '{"success":true}' } as const;

const [redis, { database, stop }] = await Promise.all([startTestRedis(), createTestDatabase()]);
const client = await createRedisClient({ url: redis.url }).connect();
test.after.always(async () => {
  client.destroy();
  await Promise.all([redis.stop(), stop()]);
});

/** The claims of Redis and of PostgreSQL, each by itself and together. */
async function open() {
  const position = await readClaimsPosition(client, NETWORK);
  const claims = createRedisClaims({
    timeoutMs: 10_000,
    client,
    subscriber: client,
    guard: { admit: () => {}, position: () => position, saw: () => {}, suspect: () => {} },
    network: NETWORK,
    asset: ASSET,
    now: () => START_MS,
  });
  const records = createPostgresClaimRecords({ database, network: NETWORK, asset: ASSET });
  const logger = createLogger({ name: 'test', level: 'silent' });
  return { claims, records, both: createRecordedClaims({ claims, records, logger }) };
}

/** Stores a claim with the result of its operation. */
async function retain(claim: ClaimDetails): Promise<void> {
  const retained = { ...claim, network: NETWORK, asset: ASSET, validBeforeS: BigInt(claim.validBeforeS) };
  await retainCall({ database, keys }, { recordId: claim.claimId, claim: retained });
}

/** A claim whose settlement has failed in Redis, and whose result is retained. */
async function failed(final: boolean) {
  const stores = await open();
  const claim = details(createWallet().address);
  await stores.claims.open(claim, leased());
  const { attemptId, leaseMs } = attempt();
  await stores.claims.startSettling(claim, { attemptId, leaseMs });
  await stores.claims.finish(claim, attemptId, { ...FAILED, final });
  await retain(claim);
  return { ...stores, claim };
}

const isOwed = async (claimId: string) =>
  (await database.selectFrom('obligation').select('record_id').where('record_id', '=', claimId).execute()).length > 0;

test('a failure that the chain does not prove gives way to a recorded settlement', async (t) => {
  const { claims, records, both, claim } = await failed(false);
  await records.close({ claimId: claim.claimId, transaction: TRANSACTION, outcome: SETTLED });
  t.like(await both.find(claim), { ...SETTLED, claimId: claim.claimId, transaction: TRANSACTION });
  t.like(await both.findById(claim.claimId), { ...SETTLED, transaction: TRANSACTION });
  t.like(await claims.find(claim), SETTLED, 'Redis has it again');
});

test('a failure that the chain does not prove stays without a recorded outcome, and can be settled', async (t) => {
  const { both, claim } = await failed(false);
  t.like(await both.find(claim), { state: 'failed', final: false });
  t.true(await isOwed(claim.claimId));
  t.true(await both.finish(claim, undefined, SETTLED));
  await both.drain();
  t.like(await both.find(claim), SETTLED);
  t.false(await isOwed(claim.claimId));
});

test('a proven failure stays, whatever is recorded', async (t) => {
  const { records, both, claim } = await failed(true);
  await records.close({ claimId: claim.claimId, transaction: TRANSACTION, outcome: SETTLED });
  t.like(await both.find(claim), { state: 'failed', final: true });
});

test('a failure that is not proven is recorded, and the back office still asks', async (t) => {
  const { claims, records, both } = await open();
  const claim = details(createWallet().address);
  await claims.open(claim, leased());
  await retain(claim);
  const { attemptId, leaseMs } = attempt();
  await both.startSettling(claim, { attemptId, leaseMs });
  t.true(await both.finish(claim, attemptId, FAILED));
  await both.drain();
  t.like(await records.findById(claim.claimId), { outcome: { state: 'failed', final: false } });
  t.true(await isOwed(claim.claimId));
});

test('a transaction is recorded by the attempt that may send it, and by no other', async (t) => {
  const { claims, records, both } = await open();
  const claim = details(createWallet().address);
  await claims.open(claim, leased());
  await retain(claim);
  const { attemptId, leaseMs } = attempt();
  await both.startSettling(claim, { attemptId, leaseMs });
  t.false(await both.noteTransaction(claim, uuidv7(), `0x${'2'.repeat(64)}`));
  await both.drain();
  t.like(await records.findById(claim.claimId), { transaction: undefined });
  t.true(await both.noteTransaction(claim, attemptId, TRANSACTION));
  await both.drain();
  t.like(await records.findById(claim.claimId), { transaction: TRANSACTION });
});

test('a settlement whose claim Redis lost is recorded, and Redis has it again', async (t) => {
  const { claims, records, both } = await open();
  const claim = details(createWallet().address);
  await retain(claim);
  t.true(await both.finish(claim, undefined, SETTLED));
  await both.drain();
  t.like(await claims.find(claim), SETTLED);
  t.like(await records.findById(claim.claimId), { outcome: SETTLED });
  t.false(await isOwed(claim.claimId));
});
