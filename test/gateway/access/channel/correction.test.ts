import { decodePaymentRequiredHeader } from '@x402/core/http';
import { signVoucher } from '@x402/evm/batch-settlement/client';
import { decodePaymentResponseHeader } from '@x402/fetch';
import test from 'ava';
import { AppError } from '../../../../gateway/errors/app-error.ts';
import { headerOf } from '../../../kit/client.ts';
import { createLedgerDatabase } from '../../../services/ledger/store/store-fixture.ts';
import { createBuyer, MIN_DEPOSIT, openSeller, PRICE, type Seller, send } from './seller-fixture.ts';

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

const requiredOf = (response: Response) => decodePaymentRequiredHeader(headerOf(response, 'payment-required'));

test('a client that lost its state is corrected, and pays with its next attempt', async (t) => {
  const seller = await openSeller(t, database);
  const buyer = createBuyer(seller);
  const { id } = buyer;
  await buyer.pay();
  await buyer.pay();
  const forgetful = createBuyer(seller, { wallet: buyer.wallet, salt: buyer.salt });
  const { transaction, extra } = decodePaymentResponseHeader(headerOf(await forgetful.pay(), 'payment-response'));
  t.is(transaction, '');
  t.like(extra, { channelState: { chargedCumulativeAmount: String(3n * PRICE) } });
  t.like(await seller.account(id), { chargedMicroUsd: 3n * PRICE });
  t.is(seller.contract.asked.deposit, 1);
});

test('a correction has the state of the channel and the latest voucher', async (t) => {
  const seller = await openSeller(t, database);
  const buyer = createBuyer(seller);
  const { id } = buyer;
  await buyer.pay();
  await buyer.pay();
  await buyer.storage.set(id, { balance: String(MIN_DEPOSIT), chargedCumulativeAmount: '0' });
  const response = await send(seller, await buyer.sign());
  t.is(response.status, 402);
  t.is(response.headers.get('payment-response'), null);
  const { error, accepts } = requiredOf(response);
  t.is(error, 'invalid_batch_settlement_evm_cumulative_amount_mismatch');
  t.deepEqual(
    accepts.map(({ scheme }) => scheme),
    ['exact', 'batch-settlement'],
  );
  const { voucher } = await seller.account(id);
  t.like(accepts[1]?.extra, {
    withdrawDelay: 86_400,
    channelState: {
      channelId: id,
      balance: String(MIN_DEPOSIT),
      totalClaimed: '0',
      withdrawRequestedAt: 0,
      refundNonce: '0',
      chargedCumulativeAmount: String(2n * PRICE),
    },
    voucherState: { signedMaxClaimable: String(2n * PRICE), signature: voucher?.signature },
  });
  t.is(accepts[0]?.extra['channelState'], undefined);
});

test('nothing is shown to those who have a voucher from the chain', async (t) => {
  const seller = await openSeller(t, database);
  const buyer = createBuyer(seller);
  const { id } = buyer;
  const { balance } = seller.contract.change(id, { balance: String(MIN_DEPOSIT), totalClaimed: String(PRICE) });
  await seller.ledger.show(id, { balanceMicroUsd: MIN_DEPOSIT, claimedMicroUsd: PRICE });
  // The voucher shows a charge that is missing, and its call fails.
  seller.course.execute = () => Promise.reject(new AppError('UPSTREAM_FAILURE', 'a test'));
  await buyer.storage.set(id, { balance, chargedCumulativeAmount: String(2n * PRICE) });
  t.is((await send(seller, await buyer.sign())).status, 502);
  t.like(await seller.account(id), { chargedMicroUsd: 2n * PRICE, voucher: { cumulativeMicroUsd: 3n * PRICE } });
  const correctionOf = async (chargedMicroUsd: bigint) => {
    await buyer.storage.set(id, { balance, chargedCumulativeAmount: String(chargedMicroUsd) });
    return requiredOf(await send(seller, await buyer.sign()));
  };
  const shown = await correctionOf(0n);
  t.is(shown.error, 'invalid_batch_settlement_evm_cumulative_below_claimed');
  t.is(shown.accepts[1]?.extra?.['channelState'], undefined);
  t.is(shown.accepts[1]?.extra?.['voucherState'], undefined);
  // A payer who lost the state reads on the chain what was claimed, and signs more than that.
  t.like((await correctionOf(PRICE)).accepts[1]?.extra, { voucherState: { signedMaxClaimable: String(3n * PRICE) } });
});

/** The reason for which a payment is refused whose voucher is for another sum. */
async function reasonFor(seller: Seller, buyer: ReturnType<typeof createBuyer>, cumulativeMicroUsd: bigint) {
  const payment = await buyer.sign();
  const voucher = await signVoucher(buyer.wallet, buyer.id, String(cumulativeMicroUsd), seller.network);
  const response = await send(seller, { ...payment, payload: { ...payment.payload, voucher } });
  return response.status === 402 ? requiredOf(response).error : response.status;
}

test('a voucher for less than the price of its call is corrected', async (t) => {
  const seller = await openSeller(t, database);
  const buyer = createBuyer(seller);
  await buyer.pay();
  await buyer.pay();
  for (const cumulativeMicroUsd of [1n, PRICE - 1n]) {
    const reason = await reasonFor(seller, buyer, cumulativeMicroUsd);
    t.is(reason, 'invalid_batch_settlement_evm_cumulative_amount_mismatch');
  }
  await seller.ledger.show(buyer.id, { balanceMicroUsd: MIN_DEPOSIT, claimedMicroUsd: PRICE });
  t.is(await reasonFor(seller, buyer, PRICE - 1n), 'invalid_batch_settlement_evm_cumulative_below_claimed');
});

test('no deposit is made with a voucher for less than the price of its call', async (t) => {
  const seller = await openSeller(t, database);
  const reason = await reasonFor(seller, createBuyer(seller), 1n);
  t.is(reason, 'invalid_batch_settlement_evm_cumulative_amount_mismatch');
  t.is(seller.contract.asked.deposit, 0);
});
