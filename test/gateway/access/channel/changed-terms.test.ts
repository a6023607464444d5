import { decodePaymentRequiredHeader } from '@x402/core/http';
import { decodePaymentResponseHeader } from '@x402/fetch';
import test from 'ava';
import { headerOf } from '../../../kit/client.ts';
import { createLedgerDatabase } from '../../../services/ledger/store/store-fixture.ts';
import { createBuyer, openSeller, PRICE, send } from './seller-fixture.ts';

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

const reasonOf = (response: Response) => decodePaymentRequiredHeader(headerOf(response, 'payment-required')).error;

test('after a change of the price, a call that was charged before is answered again', async (t) => {
  const seller = await openSeller(t, database);
  const buyer = createBuyer(seller);
  await buyer.pay();
  seller.course.priceMicroUsd = PRICE + 1n;
  const repeated = await buyer.again();
  t.is(repeated.status, 200);
  t.like(decodePaymentResponseHeader(headerOf(repeated, 'payment-response')).extra, {
    chargedAmount: String(PRICE),
    channelState: { chargedCumulativeAmount: String(PRICE) },
  });
  t.is(seller.executed.length, 1);
  t.is(seller.contract.asked.deposit, 1);
});

test('after a change of the price, nothing else is paid at the earlier one', async (t) => {
  const seller = await openSeller(t, database);
  const buyer = createBuyer(seller);
  await buyer.pay();
  const charged = buyer.sent();
  seller.course.priceMicroUsd = PRICE + 1n;
  const refused = `invalid_payment_requirements: accepted.amount must be ${PRICE + 1n}`;
  t.is(reasonOf(await send(seller, await buyer.sign())), refused);
  t.is(reasonOf(await send(seller, charged, { body: { html: 'another request' } })), refused);
  for (const amount of ['', '0', '-1', '3e3', '1'.repeat(40)]) {
    t.is(reasonOf(await send(seller, { ...charged, accepted: { ...charged.accepted, amount } })), refused);
  }
  const { channelConfig, voucher } = charged.payload;
  const refund = { ...charged, payload: { type: 'refund', channelConfig, voucher } };
  t.is(reasonOf(await send(seller, refund)), refused);
  t.is(seller.executed.length, 1);
  t.like(await seller.account(buyer.id), { chargedMicroUsd: PRICE, reservedMicroUsd: 0n });
});
