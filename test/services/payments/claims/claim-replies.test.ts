import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import type { Claim } from '../../../../services/payments/claims/claims.ts';
import { CLAIMS_LIBRARY } from '../../../../services/payments/claims/claims-library.ts';
import { createRedisClaims } from '../../../../services/payments/claims/redis-claims.ts';
import { createRedisClient } from '../../../../services/platform/redis/redis-client.ts';
import { createNonce, createWallet } from '../../../helpers/chain.ts';
import { startTestRedis } from '../../../helpers/servers.ts';
import { stubLibrary } from '../../../helpers/stub-library.ts';

const REDIS_TIMEOUT_MS = 10_000;
const NETWORK = 'eip155:31337';
const ASSET = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const MALFORMED = { name: 'RedisReplyError' };

const redis = await startTestRedis();
const client = createRedisClient({ url: redis.url });
await client.connect();
test.after.always(async () => {
  client.destroy();
  await redis.stop();
});

const claims = () =>
  createRedisClaims({
    timeoutMs: REDIS_TIMEOUT_MS,
    client,
    subscriber: client,
    guard: { admit: () => {}, position: () => ({ epoch: 'e', sequence: 0n }), saw: () => {}, suspect: () => {} },
    network: NETWORK,
    asset: ASSET,
  });

const answerWith = (reply: string) => stubLibrary(client, CLAIMS_LIBRARY, reply);

const details = () => ({
  payer: createWallet().address,
  nonce: createNonce(),
  claimId: uuidv7(),
  digest: 'd1',
  fingerprint: 'f1',
  offerSecretHash: 'h1',
  paymentIdentifierHash: undefined,
  amount: 3000n,
  validBeforeS: 1_800_000_060,
  fromBlock: undefined,
});
const LEASED = { leaseMs: 1000, replaces: undefined, balance: undefined };
const ATTEMPT = { attemptId: 'a', leaseMs: 1000 };

/** A stored claim as a Lua table of fields and values. */
function stored(changes: Readonly<Record<string, string | undefined>>): string {
  const { payer, nonce, claimId } = details();
  const hashes = { digest: 'd', fingerprint: 'f', offer_secret_hash: 'h' };
  const fields = { state: 'executing', claim_id: claimId, payer, nonce, ...hashes };
  const all = { ...fields, amount: '3000', valid_before: '1800000060', lease: '0', ...changes };
  const flat = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [name, value]));
  return `{${flat.map((text) => `'${text}'`).join(', ')}}`;
}

test.serial('a claim with a missing or malformed field is an error', async (t) => {
  const find = async (
    changes: Readonly<Record<string, string | undefined>>,
    now = "'1'",
  ): Promise<Claim | undefined> => {
    await answerWith(`{${now}, ${stored(changes)}}`);
    return claims().find(details());
  };
  t.is((await find({}))?.amount, 3000n);
  const faults = [
    { amount: '' },
    { amount: undefined },
    { amount: '-1' },
    { lease: 'never' },
    { lease: undefined },
    { state: 'done' },
    { payer: '0x1' },
    { nonce: '' },
    { transaction: '' },
    { final: 'yes' },
    { from_block: '' },
    { state: 'settled' },
    { state: 'failed', final: '1' },
  ];
  for (const fault of faults) await t.throwsAsync(find(fault), MALFORMED, JSON.stringify(fault));
  await t.throwsAsync(find({}, "''"), MALFORMED);
  await answerWith("{'1', {'state'}}");
  await t.throwsAsync(claims().find(details()), MALFORMED);
});

test.serial('a short or unknown reply is an error, never a denial or a success', async (t) => {
  const store = claims();
  const ref = details();
  for (const reply of ["''", '{}', '2', "{'opened'}", "{'done', '1'}", "{'opened', ''}", "{'started', '1', {}}"]) {
    await answerWith(reply);
    const calls = {
      find: () => store.find(ref),
      isThrottled: () => store.isThrottled(ref.payer),
      open: () => store.open(ref, LEASED),
      release: () => store.release(ref, false),
      startSettling: () => store.startSettling(ref, ATTEMPT),
      noteTransaction: () => store.noteTransaction(ref, undefined, createNonce()),
      finish: () => store.finish(ref, undefined, { state: 'pending' }),
      enterQueue: () => store.enterQueue(ref, 1000),
      restore: () => store.restore({ ...ref, transaction: undefined, outcome: undefined }),
    };
    for (const [name, call] of Object.entries(calls)) await t.throwsAsync(call(), MALFORMED, `${name} ${reply}`);
  }
});

test.serial('a malformed pointer or nonce is an error', async (t) => {
  const store = claims();
  const { payer, claimId } = details();
  await client.set(`tollhouse:{${NETWORK}}:payment-id:${claimId}`, payer);
  await t.throwsAsync(store.findById(claimId), MALFORMED);
  await client.hSet(`tollhouse:{${NETWORK}}:payer:${ASSET}:${payer}:in-flight`.toLowerCase(), 'nonce', '1:1');
  await t.throwsAsync(store.inFlight(payer), MALFORMED);
});
