import { randomBytes } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { RefusalCode } from '../../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { until } from '../../../kit/until.ts';
import { createLedgerDatabase } from '../../ledger/store/store-fixture.ts';
import { attempt } from '../claims/claims-fixture.ts';
import { expectCase } from '../harness.ts';
import { hashOf, openBegin, refusal, settled } from './begin-fixture.ts';

const { REFUSAL_CODE_IN_PROGRESS, REFUSAL_CODE_NOT_ACCEPTED, REFUSAL_CODE_REUSED, REFUSAL_CODE_SETTLEMENT_PENDING } =
  RefusalCode;
const PENDING = refusal(REFUSAL_CODE_SETTLEMENT_PENDING, 'identifier_pending');

const short = (balance: number, inFlight: number) =>
  refusal(
    REFUSAL_CODE_NOT_ACCEPTED,
    `invalid_exact_evm_insufficient_balance: the balance is ${balance}, of which ${inFlight} is in flight, and this payment is of 3000`,
  );

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

/** A service whose facilitator verifies one payment only once it is told to. */
function openSlow(t: ExecutionContext) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const slow = { nonce: '', isVerifying: false };
  const stack = openBegin(t, database, {
    async verify(nonce) {
      if (nonce !== slow.nonce) return;
      slow.isVerifying = true;
      await promise;
    },
  });
  return {
    stack,
    resolve,
    /** Begins the payment, and waits until it is being verified. */
    async beginSlowly(payment: Awaited<ReturnType<typeof stack.pay>>) {
      slow.nonce = payment.nonce;
      const second = stack.begin(payment);
      await until(() => slow.isVerifying);
      return { second };
    },
  };
}

test('a payment that is opened and settled while another one is verified is in the balance that the other one read', async (t) => {
  const { stack, beginSlowly, resolve } = openSlow(t);
  const wallet = stack.fund(3000n);
  const [one, two] = await Promise.all([stack.pay(wallet), stack.pay(wallet)]);
  const { second } = await beginSlowly(two);
  await settled(stack, one);
  t.is(await stack.balanceOf(wallet.address), 0n);
  resolve();
  t.deepEqual(await second, short(0, 0));
});

test('payments that were settled do not hold up the next one, for which there is money', async (t) => {
  const { stack, beginSlowly, resolve } = openSlow(t);
  const wallet = stack.fund(6000n);
  const [one, two, three] = await Promise.all([stack.pay(wallet), stack.pay(wallet), stack.pay(wallet)]);
  const { second } = await beginSlowly(two);
  await settled(stack, one);
  resolve();
  expectCase(await second, 'execute');
  t.deepEqual(await stack.begin(three), short(3000, 3000));
});

test('a used authorization without a claim, which anyone can read on the chain, unlocks no answer', async (t) => {
  const stack = openBegin(t, database);
  const wallet = stack.fund(9000n);
  const named = { paymentIdentifierHash: hashOf('a') };
  const [one, two, three] = await Promise.all([stack.pay(wallet), stack.pay(wallet), stack.pay(wallet)]);
  const claimId = await settled(stack, one, named);
  // It paid another deployment, or this one before a restore.
  stack.used.add(two.nonce);
  t.deepEqual(await stack.begin(two, named), refusal(REFUSAL_CODE_REUSED, 'payment_reused'));
  t.is(expectCase(await stack.begin(three, named), 'replay').claimId, claimId);
});

test('callers that wait for one payment are few, whatever identifiers they name', async (t) => {
  const stack = openBegin(t, database);
  const payment = await stack.pay(stack.fund(9000n));
  expectCase(await stack.begin(payment, { operationTimeoutMs: 20_000 }), 'execute');
  let waiting = 40;
  const callers = Array.from({ length: waiting }, async () => {
    const paymentIdentifierHash = randomBytes(32).toString('hex');
    const answer = await stack.begin(payment, { paymentIdentifierHash }, 4000);
    waiting -= 1;
    t.deepEqual(answer, refusal(REFUSAL_CODE_IN_PROGRESS, 'payment_in_progress'));
  });
  await until(() => waiting === 8);
  await Promise.all(callers);
});

test('a new payment for an answer that is kept and not paid is told that the settlement is pending', async (t) => {
  const stack = openBegin(t, database);
  const wallet = stack.fund(9000n);
  const named = { paymentIdentifierHash: hashOf('b') };
  const [one, two] = await Promise.all([stack.pay(wallet), stack.pay(wallet)]);
  const { claimId } = expectCase(await stack.begin(one, named), 'execute');
  await stack.keep(claimId);
  t.deepEqual(await stack.begin(two, named), PENDING, 'nobody began to settle');
  const claim = await stack.claims.findById(claimId);
  t.truthy(claim && (await stack.claims.startSettling(claim, { ...attempt(), leaseMs: 60_000 })));
  t.deepEqual(await stack.begin(two, named), PENDING, 'an attempt to settle has its lease');
  t.deepEqual(await stack.begin(one, named), refusal(REFUSAL_CODE_SETTLEMENT_PENDING, 'settlement_pending'));
});

test('a caller is told which call it waited for: that of its payment, or of its identifier', async (t) => {
  const stack = openBegin(t, database);
  const wallet = stack.fund(9000n);
  const named = { paymentIdentifierHash: hashOf('c') };
  const [one, two] = await Promise.all([stack.pay(wallet), stack.pay(wallet)]);
  expectCase(await stack.begin(one, { ...named, operationTimeoutMs: 20_000 }), 'execute');
  t.deepEqual(await stack.begin(one, named), refusal(REFUSAL_CODE_IN_PROGRESS, 'payment_in_progress'));
  t.deepEqual(await stack.begin(two, named), refusal(REFUSAL_CODE_IN_PROGRESS, 'identifier_in_progress'));
});

test('an unused payment whose identifier is of another request is told so', async (t) => {
  const stack = openBegin(t, database);
  const wallet = stack.fund(9000n);
  const named = { paymentIdentifierHash: hashOf('d') };
  const [one, two] = await Promise.all([stack.pay(wallet), stack.pay(wallet)]);
  await settled(stack, one, named);
  const other = { ...named, fingerprint: hashOf('e') };
  t.deepEqual(await stack.begin(two, other), refusal(REFUSAL_CODE_REUSED, 'identifier_reused'));
  t.deepEqual(await stack.begin(one, other), refusal(REFUSAL_CODE_REUSED, 'payment_reused'));
});

test('a payment that takes its identifier over from an abandoned execution has the money of that one', async (t) => {
  const stack = openBegin(t, database);
  const wallet = stack.fund(3000n);
  const named = { paymentIdentifierHash: hashOf('1') };
  const [one, two, three] = await Promise.all([stack.pay(wallet), stack.pay(wallet), stack.pay(wallet)]);
  const { claimId } = expectCase(await stack.begin(one, named), 'execute');
  await until(async () => !(await stack.claims.findById(claimId))?.isLeased);
  t.deepEqual(await stack.begin(three), short(3000, 3000), 'it may still be kept');
  expectCase(await stack.begin(two, named), 'execute');
  t.is(await stack.claims.findById(claimId), undefined);
});
