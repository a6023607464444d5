import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { createClient } from 'redis';
import { getAddress } from 'viem';
import { RefusalCode, SettlementOutcome } from '../../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { CallError } from '../../../../services/platform/grpc/grpc-client.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { connectChain, createWallet, type PaymentPayload, signPayment } from '../../../helpers/chain.ts';
import { until } from '../../../helpers/until.ts';
import { AMOUNT, expectCase, offerOf, present, refusalOf, someHash, startPayments } from '../harness.ts';
import { startFacilitator } from '../lying-facilitator.ts';
import { openRetainedResults } from '../retained-results.ts';
import { startSandbox } from '../test-sandbox.ts';

const { SETTLEMENT_OUTCOME_PENDING, SETTLEMENT_OUTCOME_SETTLED } = SettlementOutcome;

const sandbox = await startSandbox();
const service = await startPayments({ env: sandbox.env });
const results = await openRetainedResults(sandbox.databaseUrl);
const terms = await service.terms();
const offer = offerOf(terms);
const chain = connectChain(sandbox.rpcUrl, getAddress(terms.asset));
test.after.always(async () => {
  await results.close();
  await service.kill();
  await sandbox.stop();
});

async function newPayment(): Promise<PaymentPayload> {
  const wallet = createWallet();
  await service.fund(wallet.address);
  return signPayment(wallet, offer, { validBefore: `${Math.floor(Date.now() / 1000) + 600}` });
}

/** Executes a payment and retains its result, without a settlement. */
async function retained(payment: PaymentPayload): Promise<string> {
  const execute = expectCase(await service.begin(present(payment)), 'execute');
  await results.retain(execute);
  return execute.claimId;
}

async function settled(payment: PaymentPayload) {
  const claimId = await retained(payment);
  const { outcome, paymentResponseJson } = await service.settle(claimId, JSON.stringify(payment));
  if (outcome !== SETTLEMENT_OUTCOME_SETTLED) throw new Error(`settled with ${outcome}`);
  return { claimId, paymentResponseJson };
}

const charged = async (payment: PaymentPayload) =>
  10_000_000n - (await chain.balanceOf(payment.payload.authorization.from));

async function redis(t: ExecutionContext) {
  const client = await createClient({ url: sandbox.redisUrl }).connect();
  t.teardown(() => client.destroy());
  return client;
}

/** Waits until new payments are accepted again. */
const recovered = (payment: PaymentPayload) =>
  until(async () => (await service.begin(present(payment))).outcome?.$case === 'execute');

test.serial('a payment with a retained result is resumed before the lease of its execution ends', async (t) => {
  const payment = await newPayment();
  const claimId = await retained(payment);
  t.is(expectCase(await service.begin(present(payment)), 'resume').claimId, claimId);
  t.is((await service.settle(claimId, JSON.stringify(payment))).outcome, SETTLEMENT_OUTCOME_SETTLED);
  t.is(await charged(payment), BigInt(AMOUNT));
});

test.serial('a second execution of a payment with a retained result stores nothing', async (t) => {
  const payment = await newPayment();
  const first = expectCase(await service.begin(present(payment)), 'execute');
  const client = await redis(t);
  await client.flushAll();
  await until(async () => (await client.exists(`tollhouse:{${offer.network}}:claims`)) === 1);
  const second = await waitForExecute(payment);
  await results.retain(first);
  const error = await t.throwsAsync(results.retain(second));
  t.is(error.name, 'SupersededError');
  t.false(await results.has(second.claimId));
  t.is(await results.obligationOf(second.claimId), undefined);
  const refused = await t.throwsAsync(service.settle(second.claimId, JSON.stringify(payment)), {
    instanceOf: CallError,
  });
  t.is(refused.code, 'NOT_FOUND');
  t.is(expectCase(await service.begin(present(payment)), 'resume').claimId, first.claimId);
  t.is((await service.settle(first.claimId, JSON.stringify(payment))).outcome, SETTLEMENT_OUTCOME_SETTLED);
  t.is(await charged(payment), BigInt(AMOUNT));
  t.true(await recovered(await newPayment()));
});

async function waitForExecute(payment: PaymentPayload) {
  for (;;) {
    const answer = await service.begin(present(payment)).catch(() => undefined);
    if (answer !== undefined) return expectCase(answer, 'execute');
  }
}

test.serial('a settled payment has no obligation left, and its record has the outcome', async (t) => {
  const payment = await newPayment();
  const { claimId, paymentResponseJson } = await settled(payment);
  await until(async () => (await results.obligationOf(claimId)) === undefined);
  const record = await results.claimOf(claimId);
  t.like(record, { outcome: 'settled', is_final: true, payment_response: paymentResponseJson });
  t.regex(`${record?.transaction}`, /^0x[0-9a-f]{64}$/);
});

test.serial('after FLUSHALL, earlier payments have the same outcomes, and new payments are accepted', async (t) => {
  const [done, open, fresh] = await Promise.all([newPayment(), newPayment(), newPayment()]);
  const { claimId, paymentResponseJson } = await settled(done);
  const openId = await retained(open);
  await (await redis(t)).flushAll();
  t.is((await service.resolve(openId)).outcome, SETTLEMENT_OUTCOME_PENDING, 'the claim is known');
  const replay = expectCase(await service.begin(present(done)), 'replay');
  t.deepEqual(replay, { claimId, paymentResponseJson: defined(paymentResponseJson) });
  const stranger = present(done, { offerSecretHash: someHash() });
  t.is(refusalOf(await service.begin(stranger)), RefusalCode.REFUSAL_CODE_REUSED);
  t.is(expectCase(await service.begin(present(open)), 'resume').claimId, openId);
  t.is((await service.settle(openId, JSON.stringify(open))).outcome, SETTLEMENT_OUTCOME_SETTLED);
  t.is(await charged(open), BigInt(AMOUNT));
  t.true(await recovered(fresh));
});

test.serial('a claim that is executing in an old file of Redis is resolved at once', async (t) => {
  const payment = await newPayment();
  const claimId = await retained(payment);
  const folder = join(sandbox.redisDataDir, 'appendonlydir');
  const copy = join(sandbox.redisDataDir, 'old');
  cpSync(folder, copy, { recursive: true, preserveTimestamps: true });
  const { paymentResponseJson } = await service.settle(claimId, JSON.stringify(payment));
  await sandbox.redis.kill();
  rmSync(folder, { recursive: true });
  cpSync(copy, folder, { recursive: true });
  await sandbox.restartRedis();
  await until(async () => {
    const { outcome } = await service.begin(present(payment));
    return outcome?.$case === 'replay' && outcome.value.paymentResponseJson === paymentResponseJson;
  });
  t.is(await charged(payment), BigInt(AMOUNT));
  t.true(await recovered(await newPayment()));
});

test.serial(
  'without a chain, a recorded outcome replaces the state of a claim that is settling in an old file of Redis',
  async (t) => {
    const terms = await service.terms();
    const facilitator = await startFacilitator(chain);
    t.teardown(facilitator.stop);
    const env = {
      REDIS_URL: sandbox.redisUrl,
      DATABASE_URL: sandbox.databaseUrl,
      X402_FACILITATOR_URL: facilitator.url,
      X402_PAY_TO: terms.payTo,
      X402_NETWORK: terms.network,
    };
    const trusting = await startPayments({ env });
    t.teardown(trusting.kill);
    const wallet = createWallet();
    await service.fund(wallet.address);
    const payment = await signPayment(wallet, offer, { validBefore: `${Math.floor(Date.now() / 1000) + 600}` });
    const execute = expectCase(await trusting.begin(present(payment)), 'execute');
    await results.retain(execute);
    const { paymentResponseJson } = await trusting.settle(execute.claimId, JSON.stringify(payment));
    await until(async () => (await results.claimOf(execute.claimId))?.outcome === 'settled');
    const { nonce, from } = payment.payload.authorization;
    const key = `tollhouse:{${terms.network}}:payment:${terms.asset}:${from}:${nonce}`.toLowerCase();
    const client = await redis(t);
    await client.hDel(key, ['response', 'final']);
    await client.hSet(key, { state: 'settling', lease: '0' });
    const replay = expectCase(await trusting.begin(present(payment)), 'replay');
    t.is(replay.paymentResponseJson, defined(paymentResponseJson));
  },
);

test.serial(
  'a service that starts while Redis has no memory settles executed payments, and opens no claim',
  async (t) => {
    const [executed, next] = [await newPayment(), await newPayment()];
    const claimId = await retained(executed);
    const client = await redis(t);
    await client.configSet('maxmemory', '1');
    t.teardown(() => client.configSet('maxmemory', '0'));
    const late = await startPayments({ env: sandbox.env });
    t.teardown(late.kill);
    t.is((await late.settle(claimId, JSON.stringify(executed))).outcome, SETTLEMENT_OUTCOME_SETTLED);
    t.is(await charged(executed), BigInt(AMOUNT));
    t.is((await t.throwsAsync(late.begin(present(next)), { instanceOf: CallError })).code, 'PAYMENT_UNAVAILABLE');
    await client.configSet('maxmemory', '0');
    expectCase(await late.begin(present(next)), 'execute');
  },
);

test.serial('no payment is accepted while the settings of Redis are not safe for money', async (t) => {
  const client = await redis(t);
  for (const [name, unsafe, safe] of [
    ['appendonly', 'no', 'yes'],
    ['maxmemory-policy', 'allkeys-lru', 'noeviction'],
  ] as const) {
    const payment = await newPayment();
    const { claimId } = expectCase(await service.begin(present(payment)), 'execute');
    await client.configSet(name, unsafe);
    await until(async () =>
      service.begin(present(await signPayment(createWallet(), offer))).then(
        () => false,
        ({ code }: CallError) => code === 'PAYMENT_UNAVAILABLE',
      ),
    );
    const { outcome } = await service.settle(claimId, JSON.stringify(payment));
    t.is(outcome, SETTLEMENT_OUTCOME_SETTLED, 'an executed payment still settles');
    await client.configSet(name, safe);
    t.true(await recovered(await newPayment()));
  }
});
