import test from 'ava';
import { getAddress } from 'viem';
import { RefusalCode, SettlementOutcome } from '../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { createPartitions } from '../../../services/backoffice/retention/partitions.ts';
import { CallError } from '../../../services/platform/grpc/grpc-client.ts';
import { connectChain, createWallet, type PaymentPayload, signPayment } from '../../kit/chain.ts';
import { AMOUNT, expectCase, offerOf, type Payments, present, refusalOf, someHash, startPayments } from './harness.ts';
import { startSandbox } from './test-sandbox.ts';

const sandbox = await startSandbox();
await createPartitions(sandbox.database, Date.now());
const { env } = sandbox;
// Nobody changes the clock of their chain or keeps it from mining.
const [first, second] = await Promise.all([startPayments({ env }), startPayments({ env })]);
const terms = await first.terms();
const offer = offerOf(terms);
const chain = connectChain(sandbox.rpcUrl, getAddress(terms.asset));
test.after.always(async () => {
  await Promise.all([first.stop(), second.stop()]);
  await sandbox.stop();
});

async function fundedWallet() {
  const wallet = createWallet();
  await chain.mint(wallet.address, 10_000_000n);
  return wallet;
}

/** Executes and settles a payment. @returns the id of its claim */
async function settled(service: Payments, payment: PaymentPayload, changes: Parameters<typeof present>[1] = {}) {
  const { claimId } = expectCase(await service.begin(present(payment, changes)), 'execute');
  const { outcome } = await service.settle(claimId);
  if (outcome !== SettlementOutcome.SETTLEMENT_OUTCOME_SETTLED) throw new Error(`settled with ${outcome}`);
  return claimId;
}

test('every copy replays a settled payment to its holder, with the same payment response', async (t) => {
  const payment = await signPayment(await fundedWallet(), offer);
  const paymentIdentifierHash = someHash();
  const claimId = await settled(first, payment, { paymentIdentifierHash });
  const replay = expectCase(await second.begin(present(payment)), 'replay');
  const named = { offerSecretHash: Buffer.alloc(0), paymentIdentifierHash };
  t.is(expectCase(await second.begin(present(payment, named)), 'replay').claimId, claimId);
  const frozen = await signPayment(await fundedWallet(), offer);
  await t.throwsAsync(first.begin(present(frozen, { callsFrozen: true })), { code: 'CALLS_FROZEN' });
  const again = await first.settle(claimId);
  t.is(replay.claimId, claimId);
  t.is(again.paymentResponseJson, replay.paymentResponseJson);
});

test('fifty requests with one payment to two copies execute, settle and charge once', async (t) => {
  const wallet = await fundedWallet();
  const payment = await signPayment(wallet, offer);
  const before = await chain.balanceOf(wallet.address);
  let executions = 0;
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, async (_, i) => {
      const service = i % 2 === 0 ? first : second;
      const answer = await service.begin(present(payment));
      if (answer.outcome?.$case === 'execute') {
        executions += 1;
        const { claimId } = answer.outcome.value;
        const twice = await Promise.all([first.settle(claimId), second.settle(claimId)]);
        t.is(twice[0].paymentResponseJson, twice[1].paymentResponseJson);
      }
      // Between the answer and its settlement, another request may go on with it.
      if (answer.outcome?.$case === 'resume') await service.settle(answer.outcome.value.claimId);
      return answer;
    }),
  );
  const countOf = (name: string) => outcomes.filter(({ outcome }) => outcome?.$case === name).length;
  t.is(executions, 1);
  t.is(await chain.balanceOf(wallet.address), before - BigInt(AMOUNT));
  const refusals = outcomes.filter(({ outcome }) => outcome?.$case === 'refuse').map(refusalOf);
  const busy: readonly unknown[] = [RefusalCode.REFUSAL_CODE_IN_PROGRESS, RefusalCode.REFUSAL_CODE_SETTLEMENT_PENDING];
  t.true(
    refusals.every((code) => busy.includes(code)),
    refusals.join(),
  );
  const answered = countOf('replay') + countOf('resume');
  t.is(answered + refusals.length, 49);
  t.true(answered > 0, 'waiting requests are answered');
});

test('a request that waits for a payment executes it once the payment is released', async (t) => {
  const payment = await signPayment(await fundedWallet(), offer);
  const { claimId } = expectCase(await first.begin(present(payment)), 'execute');
  const waiting = second.begin(present(payment));
  await first.release(claimId);
  const taken = expectCase(await waiting, 'execute');
  t.not(taken.claimId, claimId);
});

test('a released claim cannot be settled', async (t) => {
  const wallet = await fundedWallet();
  const payment = await signPayment(wallet, offer);
  const { claimId } = expectCase(await first.begin(present(payment)), 'execute');
  await first.release(claimId);
  await first.release(claimId);
  const error = await t.throwsAsync(second.settle(claimId), { instanceOf: CallError });
  t.is(error.code, 'NOT_FOUND');
  t.is(await chain.balanceOf(wallet.address), 10_000_000n);
});

test('an empty wallet, and an authorization that was canceled or used, are not accepted', async (t) => {
  const begin = async (payment: PaymentPayload) => expectCase(await first.begin(present(payment)), 'refuse');
  const empty = await signPayment(createWallet(), offer);
  t.is((await begin(empty)).reason, 'invalid_exact_evm_insufficient_balance');
  const wallet = await fundedWallet();
  const [canceled, used] = [await signPayment(wallet, offer), await signPayment(wallet, offer)];
  await chain.cancel(wallet, offer, canceled.payload.authorization.nonce);
  t.is((await begin(canceled)).reason, 'invalid_exact_evm_nonce_already_used');
  await chain.submit(used);
  t.is((await begin(used)).code, RefusalCode.REFUSAL_CODE_REUSED, 'it was settled without a claim, and is not unpaid');
});

test('a payment that was settled or canceled on the chain is no longer in flight, even if its claim is open', async (t) => {
  const wallet = createWallet();
  await chain.mint(wallet.address, BigInt(AMOUNT) * 2n);
  const begin = async () => {
    const payment = await signPayment(wallet, offer);
    return { payment, answer: await first.begin(present(payment)) };
  };
  const [taken, canceled] = [await begin(), await begin()];
  expectCase(taken.answer, 'execute');
  expectCase(canceled.answer, 'execute');
  t.is(refusalOf((await begin()).answer), RefusalCode.REFUSAL_CODE_NOT_ACCEPTED);
  await chain.submit(taken.payment);
  t.is(refusalOf((await begin()).answer), RefusalCode.REFUSAL_CODE_NOT_ACCEPTED);
  await chain.cancel(wallet, offer, canceled.payment.payload.authorization.nonce);
  expectCase((await begin()).answer, 'execute');
  t.is(refusalOf((await begin()).answer), RefusalCode.REFUSAL_CODE_NOT_ACCEPTED);
});

test('two copies settle many payments in parallel without a collision of transaction nonces', async (t) => {
  const wallets = await Promise.all(Array.from({ length: 20 }, fundedWallet));
  await Promise.all(
    wallets.map(async (wallet, i) => settled(i % 2 === 0 ? first : second, await signPayment(wallet, offer))),
  );
  const balances = await Promise.all(wallets.map(({ address }) => chain.balanceOf(address)));
  t.true(balances.every((balance) => balance === 10_000_000n - BigInt(AMOUNT)));
});
