import { decodePaymentRequiredHeader } from '@x402/core/http';
import test, { type ExecutionContext } from 'ava';
import { codeOf, headerOf, readAnswer } from '../../../kit/client.ts';
import { createLedgerDatabase } from '../../../services/ledger/store/store-fixture.ts';
import { createBuyer, MIN_DEPOSIT, openSeller, PRICE, send } from './seller-fixture.ts';

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

/** A channel with two calls, and without the key of RETENTION_KEYS with which its voucher was sealed. */
async function open(t: ExecutionContext) {
  const seller = await openSeller(t, database);
  const buyer = createBuyer(seller);
  await buyer.pay();
  await buyer.pay();
  await seller.ledger.query("UPDATE ledger.channel SET key_id = 'gone' WHERE id = $1", [buyer.id]);
  return { seller, buyer };
}

test('a refund needs no other voucher than that of its request', async (t) => {
  const { seller, buyer } = await open(t);
  t.like(await buyer.refund(), { amount: String(MIN_DEPOSIT - 2n * PRICE) });
  t.like(await seller.account(buyer.id), { reservedMicroUsd: 0n });
});

test('a voucher is corrected without the latest one if that cannot be decrypted', async (t) => {
  const { seller, buyer } = await open(t);
  await buyer.storage.set(buyer.id, { balance: String(MIN_DEPOSIT), chargedCumulativeAmount: '0' });
  const response = await send(seller, await buyer.sign());
  t.is(response.status, 402);
  const { accepts } = decodePaymentRequiredHeader(headerOf(response, 'payment-required'));
  t.like(accepts[1]?.extra, { channelState: { chargedCumulativeAmount: String(2n * PRICE) } });
  t.false('voucherState' in (accepts[1]?.extra ?? {}));
});

test('the latest charge is answered again without the key of its voucher', async (t) => {
  const { seller, buyer } = await open(t);
  t.is((await buyer.again()).status, 200);
  seller.course.calls = 'frozen';
  t.is((await buyer.again()).status, 200);
  t.is(codeOf(await readAnswer(await buyer.pay())), 'CALLS_FROZEN');
  t.is(seller.executed.length, 2);
});
