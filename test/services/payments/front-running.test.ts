import test from 'ava';
import { encodeFunctionData, getAddress, parseAbi, parseSignature } from 'viem';
import { RefusalCode, SettlementOutcome } from '../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { type PaymentPayload, signPayment } from '../../kit/chain.ts';
import { AMOUNT, expectCase, present, refusalOf } from './harness.ts';
import { useTwoCopies } from './two-copies.ts';

const { SETTLEMENT_OUTCOME_SETTLED, SETTLEMENT_OUTCOME_FAILED } = SettlementOutcome;
const { first: service, offer, chain, fundedWallet } = await useTwoCopies();

async function executing() {
  const wallet = await fundedWallet();
  const payment = await signPayment(wallet, offer);
  const { claimId } = expectCase(await service.begin(present(payment)), 'execute');
  const { nonce } = payment.payload.authorization;
  return { wallet, payment, claimId, nonce, settle: () => service.settle(claimId, JSON.stringify(payment)) };
}

const responseOf = (json: string | undefined): unknown => JSON.parse(defined(json));

test('a payment that is canceled before it settles fails permanently', async (t) => {
  const { wallet, payment, nonce, settle } = await executing();
  await chain.cancel(wallet, offer, nonce);
  const { outcome, paymentResponseJson } = await settle();
  t.is(outcome, SETTLEMENT_OUTCOME_FAILED);
  t.like(responseOf(paymentResponseJson), { success: false, errorReason: 'invalid_exact_evm_nonce_already_used' });
  const again = expectCase(await service.begin(present(payment)), 'refuse');
  t.is(again.code, RefusalCode.REFUSAL_CODE_CLOSED);
  t.is(again.paymentResponseJson, paymentResponseJson);
});

test("a transfer to the payer's own wallet under the nonce of a payment does not settle the payment", async (t) => {
  const { wallet, nonce, claimId, settle } = await executing();
  await chain.payOneself(wallet, offer, nonce);
  t.is((await settle()).outcome, SETTLEMENT_OUTCOME_FAILED);
  t.is(await service.outcomeOf(claimId), SETTLEMENT_OUTCOME_FAILED);
  t.is(await chain.balanceOf(wallet.address), 10_000_000n);
});

test('a transaction that someone else sends settles the payment', async (t) => {
  const { wallet, payment, settle } = await executing();
  const transaction = await chain.submit(payment);
  const { outcome, paymentResponseJson } = await settle();
  t.is(outcome, SETTLEMENT_OUTCOME_SETTLED);
  t.like(responseOf(paymentResponseJson), { success: true, transaction });
  t.is(await chain.balanceOf(wallet.address), 10_000_000n - BigInt(AMOUNT));
});

test('the claim of a payer with an empty wallet fails and is not executed again', async (t) => {
  const { wallet, payment, settle } = await executing();
  await chain.drain(wallet);
  const { outcome, paymentResponseJson } = await settle();
  t.is(outcome, SETTLEMENT_OUTCOME_FAILED);
  t.like(responseOf(paymentResponseJson), { success: false, payer: wallet.address });
  t.is(refusalOf(await service.begin(present(payment))), RefusalCode.REFUSAL_CODE_CLOSED);
});

test('detects that a refused payment settles later', async (t) => {
  const { wallet, payment, claimId, settle } = await executing();
  await chain.drain(wallet);
  t.is((await settle()).outcome, SETTLEMENT_OUTCOME_FAILED);
  await chain.mint(wallet.address, BigInt(AMOUNT));
  await chain.submit(payment);
  t.is(await service.outcomeOf(claimId), SETTLEMENT_OUTCOME_SETTLED);
  expectCase(await service.begin(present(payment)), 'replay');
});

test('one transfer in a transaction does not settle two claims', async (t) => {
  const wallet = await fundedWallet();
  const payments = [await signPayment(wallet, offer), await signPayment(wallet, offer)] as const;
  const claims = await Promise.all(
    payments.map(async (payment) => expectCase(await service.begin(present(payment)), 'execute')),
  );
  const { nonce } = payments[1].payload.authorization;
  const decoy = await signPayment(wallet, offer, { to: wallet.address, nonce });
  await submitTogether([decoy, payments[0]]);
  const outcomes = await Promise.all(
    claims.map(async ({ claimId }, i) => (await service.settle(claimId, JSON.stringify(payments[i]))).outcome),
  );
  t.deepEqual(outcomes, [SETTLEMENT_OUTCOME_SETTLED, SETTLEMENT_OUTCOME_FAILED]);
});

const MULTICALL = parseAbi([
  'struct Call { address target; bytes callData; }',
  'function tryAggregate(bool requireSuccess, Call[] calls) payable',
  'function transferWithAuthorization(address, address, uint256, uint256, uint256, bytes32, uint8, bytes32, bytes32)',
]);

/** Submits several authorizations in one transaction, as a payer can do with a contract. */
async function submitTogether(payments: readonly PaymentPayload[]): Promise<void> {
  const calls = payments.map(({ payload: { authorization: a, signature } }) => {
    const { r, s, v } = parseSignature(signature);
    const args = [
      a.from,
      a.to,
      BigInt(a.value),
      BigInt(a.validAfter),
      BigInt(a.validBefore),
      a.nonce,
      Number(v),
      r,
      s,
    ] as const;
    return {
      target: getAddress(offer.asset),
      callData: encodeFunctionData({ abi: MULTICALL, functionName: 'transferWithAuthorization', args }),
    };
  });
  const data = encodeFunctionData({ abi: MULTICALL, functionName: 'tryAggregate', args: [true, calls] });
  await chain.send('0xcA11bde05977b3631167028862bE2a173976CA11', data);
}
