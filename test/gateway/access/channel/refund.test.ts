import { status } from '@grpc/grpc-js';
import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from '@x402/core/http';
import type { PaymentPayload } from '@x402/core/types';
import { signVoucher } from '@x402/evm/batch-settlement/client';
import test, { type ExecutionContext } from 'ava';
import { CallError } from '../../../../services/platform/grpc/grpc-client.ts';
import { codeOf, headerOf, readAnswer } from '../../../kit/client.ts';
import { createLedgerDatabase } from '../../../services/ledger/store/store-fixture.ts';
import { createBuyer, MIN_DEPOSIT, openSeller, PRICE, URL_OF_REFUND } from './seller-fixture.ts';

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

const PREFIX = 'invalid_batch_settlement_evm_';

/** A channel that paid for one call. */
async function open(t: ExecutionContext) {
  const seller = await openSeller(t, database);
  const buyer = createBuyer(seller);
  await buyer.pay();
  const { payload, ...payment } = buyer.sent();
  const { channelConfig } = payload;
  /** Sends a refund that the official client would not sign. */
  const refund = async (changes: object = {}, cumulative = PRICE) => {
    const voucher = await signVoucher(buyer.wallet, buyer.id, String(cumulative), seller.network);
    return sendRefund({ ...payment, payload: { type: 'refund', channelConfig, voucher, ...changes } });
  };
  const sendRefund = (sent: PaymentPayload, method = 'GET') =>
    seller.fetch(URL_OF_REFUND, { method, headers: { 'payment-signature': encodePaymentSignatureHeader(sent) } });
  return { seller, buyer, id: buyer.id, refund, sendRefund };
}

const reasonOf = (response: Response) =>
  decodePaymentRequiredHeader(headerOf(response, 'payment-required')).error?.replace(PREFIX, '');
const errorCodeOf = async (response: Response) => codeOf(await readAnswer(response));

test('without a payment, the offer of channels is answered, and nothing else', async (t) => {
  const { seller } = await open(t);
  for (const method of ['GET', 'POST']) {
    const response = await seller.fetch(URL_OF_REFUND, { method });
    t.is(response.status, 402);
    const { accepts, resource } = decodePaymentRequiredHeader(headerOf(response, 'payment-required'));
    t.is(resource?.url, URL_OF_REFUND);
    t.is(accepts.length, 1);
    t.like(accepts[0], { scheme: 'batch-settlement', amount: '0', extra: { withdrawDelay: 86_400 } });
  }
});

test('a refund waits for a slow node', async (t) => {
  const { seller, refund } = await open(t);
  seller.contract.fault.readMs = 5000;
  t.is((await refund()).status, 200);
});

test('the official client gets back a part, then all that is left, and uses the channel again', async (t) => {
  const { seller, buyer, id } = await open(t);
  const part = await buyer.refund(PRICE);
  t.like(part, { success: true, amount: String(PRICE), payer: buyer.wallet.address.toLowerCase() });
  t.regex(part.transaction, /^0x[0-9a-f]{64}$/);
  t.deepEqual(part.extra, {
    channelState: {
      channelId: id,
      balance: String(MIN_DEPOSIT - PRICE),
      totalClaimed: '0',
      withdrawRequestedAt: 0,
      refundNonce: '1',
      chargedCumulativeAmount: String(PRICE),
    },
  });
  t.like(await seller.account(id), {
    fundedMicroUsd: MIN_DEPOSIT - PRICE,
    reservedMicroUsd: 0n,
    chargedMicroUsd: PRICE,
  });
  t.is((await buyer.pay()).status, 200);
  t.like(await buyer.refund(), { amount: String(MIN_DEPOSIT - 3n * PRICE) });
  t.like(await seller.account(id), { balanceMicroUsd: 0n, fundedMicroUsd: 2n * PRICE, chargedMicroUsd: 2n * PRICE });
  t.is((await buyer.pay()).status, 200);
  t.like(await seller.account(id), { chargedMicroUsd: 3n * PRICE, fundedMicroUsd: 2n * PRICE + MIN_DEPOSIT });
});

test('a client that lost its state is corrected before its refund', async (t) => {
  const { seller, buyer } = await open(t);
  await buyer.pay();
  const forgetful = createBuyer(seller, { wallet: buyer.wallet, salt: buyer.salt });
  t.like(await forgetful.refund(), { amount: String(MIN_DEPOSIT - 2n * PRICE) });
});

test('a channel that the ledger does not know is read from the contract', async (t) => {
  const seller = await openSeller(t, database);
  const buyer = createBuyer(seller);
  seller.contract.change(buyer.id, { balance: String(MIN_DEPOSIT) });
  t.like(await buyer.refund(), { amount: String(MIN_DEPOSIT) });
  t.like(await seller.account(buyer.id), { fundedMicroUsd: 0n });
});

test('refuses other requests than refunds, and amounts that the channel does not have', async (t) => {
  const { seller, buyer, id, refund, sendRefund } = await open(t);
  const account = await seller.account(id);
  t.is(reasonOf(await sendRefund(await buyer.sign())), 'payload_type');
  t.is(reasonOf(await refund({ amount: '0' })), 'refund_amount_invalid');
  t.is(reasonOf(await refund({ amount: String(MIN_DEPOSIT) })), 'refund_amount_invalid');
  t.is(reasonOf(await refund({ amount: String(2n ** 64n) })), 'refund_amount_invalid');
  t.is(reasonOf(await refund({}, PRICE + 1n)), 'cumulative_amount_mismatch');
  t.is(await errorCodeOf(await refund({ amount: 1 })), 'MALFORMED_PAYMENT');
  t.is(
    await errorCodeOf(await seller.fetch(URL_OF_REFUND, { headers: { 'payment-signature': '?' } })),
    'MALFORMED_PAYMENT',
  );
  t.deepEqual(await seller.account(id), account);
  await buyer.refund();
  t.is(reasonOf(await refund()), 'refund_no_balance');
  t.is(seller.contract.asked.refund, 1);
});

test('a refused refund returns the hold', async (t) => {
  const { seller, id, refund } = await open(t);
  const value = `${PREFIX}refund_simulation_failed`;
  seller.contract.fault.refund = async () => ({ outcome: { $case: 'refused', value } });
  const response = await refund();
  t.is(response.status, 402);
  t.is(reasonOf(response), 'refund_simulation_failed');
  t.like(await seller.account(id), { reservedMicroUsd: 0n, balanceMicroUsd: MIN_DEPOSIT - PRICE });
});

test('nothing is held or sent while the contract cannot be read', async (t) => {
  const { seller, id, refund } = await open(t);
  seller.contract.fault.read = () => Promise.reject(CallError.ofStatus(status.UNAVAILABLE, 'away'));
  t.is(await errorCodeOf(await refund()), 'PAYMENT_UNAVAILABLE');
  t.like(await seller.account(id), { reservedMicroUsd: 0n, balanceMicroUsd: MIN_DEPOSIT - PRICE });
  t.is(seller.contract.asked.refund, 0);
});

test('a refund with an unknown outcome keeps the amount held', async (t) => {
  for (const fail of [
    async () => ({ outcome: { $case: 'pending' as const, value: true } }),
    () => Promise.reject(CallError.ofStatus(status.UNAVAILABLE, 'away')),
  ]) {
    const { seller, buyer, id, refund } = await open(t);
    seller.contract.fault.refund = fail;
    t.is(await errorCodeOf(await refund()), 'SETTLEMENT_PENDING');
    t.like(await seller.account(id), { reservedMicroUsd: MIN_DEPOSIT - PRICE, balanceMicroUsd: 0n });
    t.is(reasonOf(await refund()), 'channel_busy');
    t.is(reasonOf(await buyer.pay()), 'channel_busy');
  }
});

test('a channel has a few refunds an hour', async (t) => {
  const { seller, refund } = await open(t);
  for (let count = 0; count < 5; count += 1) t.is((await refund({ amount: '1' })).status, 200);
  t.is(await errorCodeOf(await refund({ amount: '1' })), 'RATE_LIMITED');
  seller.clock.monotonicMs += 3_600_000;
  t.is((await refund({ amount: '1' })).status, 200);
});

test('a voucher that was claimed gets no refund, and uses up none of those of an hour', async (t) => {
  const { seller, buyer, id, refund } = await open(t);
  await buyer.pay();
  await seller.ledger.show(id, { balanceMicroUsd: MIN_DEPOSIT, claimedMicroUsd: PRICE });
  for (let count = 0; count < 6; count += 1)
    t.regex(reasonOf(await refund()) ?? '', /^cumulative_below_claimed: .* make a call first/);
  t.like(await buyer.refund(), { amount: String(MIN_DEPOSIT - 2n * PRICE) });
});

test('a channel whose charges are missing is neither refunded nor corrected', async (t) => {
  const { seller, id, refund } = await open(t);
  seller.ledger.notAudited();
  await seller.ledger.show(id, { balanceMicroUsd: MIN_DEPOSIT, claimedMicroUsd: 2n * PRICE });
  const response = await refund();
  const required = decodePaymentRequiredHeader(headerOf(response, 'payment-required'));
  t.false(required.accepts.some(({ extra }) => 'channelState' in extra));
  t.is(seller.contract.asked.refund, 0);
});

test('the official client says why it gets no refund with a voucher that was claimed', async (t) => {
  const { seller, buyer, id } = await open(t);
  // As after a withdrawal of a part, or a refund of everything and another deposit.
  const { balance } = seller.contract.change(id, { totalClaimed: String(PRICE) });
  await seller.ledger.show(id, { balanceMicroUsd: BigInt(balance), claimedMicroUsd: PRICE });
  await t.throwsAsync(buyer.refund(), { message: /cumulative_below_claimed/ });
});
