import test from 'ava';
import {
  type BeginResponse,
  RefusalCode,
  SettlementOutcome,
} from '../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { CallError } from '../../../services/platform/grpc/grpc-client.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { createWallet, signPayment } from '../../kit/chain.ts';
import { AMOUNT, expectCase, present, refusalOf, someHash } from './harness.ts';
import { settled, useTwoCopies } from './two-copies.ts';

const { first, second, offer, chain, answers, fundedWallet } = await useTwoCopies();

test('a payment is executed and settled, and the amount is transferred', async (t) => {
  const wallet = await fundedWallet();
  const before = await chain.balanceOf(wallet.address);
  const payment = await signPayment(wallet, offer);
  const { claimId, payer } = expectCase(await first.begin(present(payment)), 'execute');
  t.is(payer, wallet.address);
  t.is(await chain.balanceOf(wallet.address), before, 'nothing is charged before the operation is done');
  const { outcome, paymentResponseJson } = await first.settle(claimId, JSON.stringify(payment));
  t.is(outcome, SettlementOutcome.SETTLEMENT_OUTCOME_SETTLED);
  const response: unknown = JSON.parse(defined(paymentResponseJson));
  t.like(response, { success: true, network: 'eip155:31337', payer: wallet.address });
  t.is(await chain.balanceOf(wallet.address), before - BigInt(AMOUNT));
});

test('every copy replays a settled payment to its holder, with the same payment response', async (t) => {
  const payment = await signPayment(await fundedWallet(), offer);
  const claimId = await settled(first, payment);
  const replay = expectCase(await second.begin(present(payment)), 'replay');
  const again = await first.settle(claimId, JSON.stringify(payment));
  t.is(replay.claimId, claimId);
  t.is(again.paymentResponseJson, replay.paymentResponseJson);
});

test('a call that was executed before the price changed is settled and answered at the price that was signed', async (t) => {
  const amount = `${2 * Number(AMOUNT)}`;
  const payment = await signPayment(await fundedWallet(), offer);
  const { claimId } = expectCase(await first.begin(present(payment)), 'execute');
  await answers.keep(claimId);
  t.is(expectCase(await second.begin(present(payment, { amount })), 'resume').claimId, claimId);
  const { paymentResponseJson } = await second.settle(claimId, JSON.stringify(payment));
  t.like(expectCase(await second.begin(present(payment, { amount })), 'replay'), { claimId, paymentResponseJson });
  const stranger = present(payment, { amount, offerSecretHash: someHash() });
  t.is(refusalOf(await second.begin(stranger)), RefusalCode.REFUSAL_CODE_REUSED);
  const unpaid = await signPayment(await fundedWallet(), offer);
  const { code, reason } = expectCase(await second.begin(present(unpaid, { amount })), 'refuse');
  t.is(code, RefusalCode.REFUSAL_CODE_NOT_ACCEPTED);
  t.is(reason, `invalid_payment_requirements: accepted.amount must be ${amount}`);
});

test('strangers and other requests get the same refusal for a settled payment', async (t) => {
  const payment = await signPayment(await fundedWallet(), offer);
  await settled(first, payment);
  const others = [
    { offerSecretHash: someHash() },
    { offerSecretHash: someHash(), paymentIdentifierHash: someHash() },
    { requestFingerprint: someHash() },
    { requestFingerprint: someHash(), offerSecretHash: someHash() },
  ];
  const answers = await Promise.all(others.map((change) => second.begin({ ...present(payment), ...change })));
  t.deepEqual(
    answers.map(refusalOf),
    others.map(() => RefusalCode.REFUSAL_CODE_REUSED),
  );
  t.is(new Set(answers.map((answer) => JSON.stringify(answer))).size, 1);
});

test('fifty requests with one payment to two copies execute, settle and charge once', async (t) => {
  const wallet = await fundedWallet();
  const payment = await signPayment(wallet, offer);
  const paymentJson = JSON.stringify(payment);
  const before = await chain.balanceOf(wallet.address);
  let executions = 0;
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, async (_, i) => {
      const service = i % 2 === 0 ? first : second;
      const answer = await service.begin(present(payment));
      if (answer.outcome?.$case === 'execute') {
        executions += 1;
        const { claimId } = answer.outcome.value;
        const twice = await Promise.all([first.settle(claimId, paymentJson), second.settle(claimId, paymentJson)]);
        t.is(twice[0].paymentResponseJson, twice[1].paymentResponseJson);
      }
      // Between the answer and its settlement, another request may go on with it.
      if (answer.outcome?.$case === 'resume') await service.settle(answer.outcome.value.claimId, paymentJson);
      return answer;
    }),
  );
  const cases = (name: string) => outcomes.filter(({ outcome }) => outcome?.$case === name);
  t.is(executions, 1);
  t.is(await chain.balanceOf(wallet.address), before - BigInt(AMOUNT));
  const refusals = cases('refuse').map(refusalOf);
  const busy: readonly unknown[] = [RefusalCode.REFUSAL_CODE_IN_PROGRESS, RefusalCode.REFUSAL_CODE_SETTLEMENT_PENDING];
  t.deepEqual(
    refusals.filter((code) => !busy.includes(code)),
    [],
  );
  t.is(cases('replay').length + cases('resume').length + refusals.length, 49);
  t.true(cases('replay').length + cases('resume').length > 0, 'waiting requests are answered');
});

test('at most eight requests wait for a running payment in each copy, and they get its outcome', async (t) => {
  const payment = await signPayment(await fundedWallet(), offer);
  const { claimId } = expectCase(await first.begin(present(payment)), 'execute');
  const answers = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? first : second).begin(present(payment)));
  const refused = new Set<BeginResponse>();
  const four = Promise.withResolvers<void>();
  for (const answer of answers) {
    void answer.then((response) => {
      if (response.outcome?.$case !== 'refuse') return;
      refused.add(response);
      if (refused.size === 4) four.resolve();
    });
  }
  await four.promise;
  await first.settle(claimId, JSON.stringify(payment));
  const all = await Promise.all(answers);
  const answered: readonly unknown[] = ['replay', 'resume'];
  t.is(all.filter(({ outcome }) => answered.includes(outcome?.$case)).length, 16);
  t.true([...refused].every((answer) => refusalOf(answer) === RefusalCode.REFUSAL_CODE_IN_PROGRESS));
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
  const error = await t.throwsAsync(second.settle(claimId, JSON.stringify(payment)), { instanceOf: CallError });
  t.is(error.code, 'NOT_FOUND');
  t.is(await chain.balanceOf(wallet.address), 10_000_000n);
});

test('a release does not change a settled claim', async (t) => {
  const payment = await signPayment(await fundedWallet(), offer);
  const claimId = await settled(first, payment);
  await first.release(claimId);
  t.is(expectCase(await first.begin(present(payment)), 'replay').claimId, claimId);
});

test('a claim is settled with its own payment only', async (t) => {
  const wallet = await fundedWallet();
  const [payment, other] = [await signPayment(wallet, offer), await signPayment(wallet, offer)];
  const { claimId } = expectCase(await first.begin(present(payment)), 'execute');
  const error = await t.throwsAsync(first.settle(claimId, JSON.stringify(other)), { instanceOf: CallError });
  t.is(error.code, 'INVALID_ARGUMENT');
});

test('while calls are frozen, a payment gets no claim, and one with a claim is answered and settled', async (t) => {
  const wallet = await fundedWallet();
  const known = await signPayment(wallet, offer);
  const { claimId } = expectCase(await first.begin(present(known)), 'execute');
  const fresh = await signPayment(wallet, offer);
  const refused = await t.throwsAsync(first.begin(present(fresh, { callsFrozen: true })), { instanceOf: CallError });
  t.is(refused.code, 'CALLS_FROZEN');
  const { outcome } = await first.settle(claimId, JSON.stringify(known));
  t.is(outcome, SettlementOutcome.SETTLEMENT_OUTCOME_SETTLED);
  t.is(expectCase(await second.begin(present(known, { callsFrozen: true })), 'replay').claimId, claimId);
  expectCase(await first.begin(present(fresh)), 'execute');
});

test('an empty wallet is not accepted', async (t) => {
  const answer = await first.begin(present(await signPayment(createWallet(), offer)));
  t.is(expectCase(answer, 'refuse').reason, 'invalid_exact_evm_insufficient_balance');
});

test('an authorization that was canceled is not accepted', async (t) => {
  const wallet = await fundedWallet();
  const payment = await signPayment(wallet, offer);
  await chain.cancel(wallet, offer, payment.payload.authorization.nonce);
  t.is(expectCase(await first.begin(present(payment)), 'refuse').reason, 'invalid_exact_evm_nonce_already_used');
});

test('a payment that was settled without a claim is refused as reused, not as unpaid', async (t) => {
  const payment = await signPayment(await fundedWallet(), offer);
  await chain.submit(payment);
  t.is(refusalOf(await first.begin(present(payment))), RefusalCode.REFUSAL_CODE_REUSED);
});

test('five failed executions within an hour throttle the payer', async (t) => {
  const wallet = await fundedWallet();
  for (let i = 0; i < 5; i += 1) {
    const { claimId } = expectCase(await first.begin(present(await signPayment(wallet, offer))), 'execute');
    await second.release(claimId);
  }
  t.is(refusalOf(await second.begin(present(await signPayment(wallet, offer)))), RefusalCode.REFUSAL_CODE_THROTTLED);
});

test('payments in flight may not exceed the balance of the payer', async (t) => {
  const wallet = createWallet();
  await chain.mint(wallet.address, BigInt(AMOUNT) * 2n);
  const payments = await Promise.all(Array.from({ length: 5 }, () => signPayment(wallet, offer)));
  const answers = await Promise.all(
    payments.map((payment, i) => (i % 2 === 0 ? first : second).begin(present(payment))),
  );
  const refused = answers.filter(({ outcome }) => outcome?.$case === 'refuse').map(refusalOf);
  t.deepEqual(refused, Array(3).fill(RefusalCode.REFUSAL_CODE_THROTTLED));
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
  t.is(refusalOf((await begin()).answer), RefusalCode.REFUSAL_CODE_THROTTLED);
  await chain.submit(taken.payment);
  t.is(refusalOf((await begin()).answer), RefusalCode.REFUSAL_CODE_THROTTLED);
  await chain.cancel(wallet, offer, canceled.payment.payload.authorization.nonce);
  expectCase((await begin()).answer, 'execute');
  t.is(refusalOf((await begin()).answer), RefusalCode.REFUSAL_CODE_THROTTLED);
});

test('two copies settle many payments in parallel without a collision of transaction nonces', async (t) => {
  const wallets = await Promise.all(Array.from({ length: 20 }, fundedWallet));
  await Promise.all(
    wallets.map(async (wallet, i) => settled(i % 2 === 0 ? first : second, await signPayment(wallet, offer))),
  );
  const balances = await Promise.all(wallets.map(({ address }) => chain.balanceOf(address)));
  t.true(balances.every((balance) => balance === 10_000_000n - BigInt(AMOUNT)));
});
