import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from '@x402/core/http';
import { decodePaymentResponseHeader } from '@x402/fetch';
import test, { type ExecutionContext } from 'ava';
import { AppError } from '../../../../gateway/errors/app-error.ts';
import { createLedgerDatabase } from '../../../services/ledger/store/store-fixture.ts';
import { createBuyer, MIN_DEPOSIT, openSeller, PRICE, send, URL_OF_REFUND } from './seller-fixture.ts';

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

async function answerOf(response: Response) {
  const header = response.headers.get('payment-required');
  const settled = response.headers.get('payment-response');
  return {
    status: response.status,
    error: header === null ? undefined : decodePaymentRequiredHeader(header).error,
    settled: settled === null ? undefined : decodePaymentResponseHeader(settled),
  };
}

/** A channel with two calls, and its first payment, whose voucher was claimed. */
async function open(t: ExecutionContext) {
  const seller = await openSeller(t, database);
  const buyer = createBuyer(seller);
  await buyer.pay();
  const { payload, ...payment } = buyer.sent();
  await buyer.pay();
  const { balance } = seller.contract.change(buyer.id, { totalClaimed: String(PRICE) });
  await seller.ledger.show(buyer.id, { balanceMicroUsd: BigInt(balance), claimedMicroUsd: PRICE });
  const { channelConfig, voucher } = payload;
  const found = (type: 'voucher' | 'refund') => ({ ...payment, payload: { type, channelConfig, voucher } });
  return { seller, buyer, found, first: { ...payment, payload } };
}

test('who has a voucher from the chain cannot see that calls of its payer failed', async (t) => {
  const { seller, buyer, found } = await open(t);
  const stranger = async () => answerOf(await send(seller, found('voucher')));
  const before = await stranger();
  seller.course.execute = () => Promise.reject(new AppError('INVALID_REQUEST', 'a test'));
  for (let count = 0; count < 5; count += 1) await send(seller, await buyer.sign());
  t.is((await send(seller, await buyer.sign())).status, 429);
  t.deepEqual(await stranger(), before);
  t.like(await seller.account(buyer.id), { reservedMicroUsd: 0n });
});

test('who has a voucher from the chain cannot see that refunds of its channel were asked for', async (t) => {
  const { seller, buyer, found } = await open(t);
  const headers = { 'payment-signature': encodePaymentSignatureHeader(found('refund')) };
  const stranger = async () => answerOf(await seller.fetch(URL_OF_REFUND, { headers }));
  const before = await stranger();
  // The chain refuses them, so it does not show them.
  seller.contract.fault.refund = async () => ({ outcome: { $case: 'refused', value: 'a test' } });
  for (let count = 0; count < 5; count += 1) await t.throwsAsync(buyer.refund(1n));
  await t.throwsAsync(buyer.refund(1n), { message: /429|too many refunds/ });
  t.deepEqual(await stranger(), before);
  t.like(await seller.account(buyer.id), { reservedMicroUsd: 0n });
});

test('who has a deposit and a voucher from the chain does not learn what was charged during a withdrawal', async (t) => {
  const { seller, buyer, first } = await open(t);
  t.is(first.payload['type'], 'deposit');
  // The payer starts a withdrawal of all the rest, which is not claimed yet.
  const channel = seller.contract.change(buyer.id, {
    withdrawAmount: String(MIN_DEPOSIT - PRICE),
    withdrawRequestedAtS: 1n,
  });
  const withdrawMicroUsd = MIN_DEPOSIT - PRICE;
  await seller.ledger.show(buyer.id, { balanceMicroUsd: MIN_DEPOSIT, claimedMicroUsd: PRICE, withdrawMicroUsd });
  // The payments service knows this deposit, and answers it with what the contract shows now.
  const value = { transaction: '0x1', amount: String(MIN_DEPOSIT), channel };
  seller.contract.fault.deposit = async () => ({ outcome: { $case: 'deposited', value } });
  const { settled } = await answerOf(await send(seller, first));
  t.deepEqual(Object.keys(settled?.extra ?? {}), ['channelState']);
  t.false('chargedCumulativeAmount' in Object(settled?.extra?.['channelState']));
});

test('nothing is deposited for a signer whose calls failed too often, and nothing is told of the channel', async (t) => {
  const { seller, buyer } = await open(t);
  seller.course.execute = () => Promise.reject(new AppError('INVALID_REQUEST', 'a test'));
  for (let count = 0; count < 5; count += 1) await send(seller, await buyer.sign());
  const another = createBuyer(seller, { wallet: buyer.wallet });
  t.deepEqual(await answerOf(await another.pay()), { status: 429, error: undefined, settled: undefined });
  t.is(seller.contract.asked.deposit, 1);
});
