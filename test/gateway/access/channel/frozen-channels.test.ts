import { decodePaymentRequiredHeader } from '@x402/core/http';
import type { PaymentPayload } from '@x402/core/types';
import test, { type ExecutionContext } from 'ava';
import { createLedgerDatabase } from '../../../services/ledger/store/store-fixture.ts';
import { createBuyer, openSeller, PRICE, type Seller, send } from './seller-fixture.ts';

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

/** A channel that paid for two calls. */
async function open(t: ExecutionContext) {
  const seller = await openSeller(t, database);
  const buyer = createBuyer(seller);
  await buyer.pay();
  await buyer.pay();
  return { seller, buyer, id: buyer.id, found: buyer.sent() };
}

/** What a stranger learns who sends a voucher with an offer of its own. */
async function answerOf(seller: Seller, { payload }: PaymentPayload): Promise<string> {
  const answer = await send(seller, { x402Version: 2, accepted: seller.offer(), payload }, { body: { html: 'mine' } });
  const header = answer.headers.get('payment-required');
  const reason = header === null ? await answer.text() : decodePaymentRequiredHeader(header).error;
  return `${answer.status} ${reason}`;
}

test('while calls are frozen, who has a voucher from the chain cannot see whether anything was charged since', async (t) => {
  const { seller, buyer, id, found } = await open(t);
  const { balance } = seller.contract.change(id, { totalClaimed: String(2n * PRICE) });
  await seller.ledger.show(id, { balanceMicroUsd: BigInt(balance), claimedMicroUsd: 2n * PRICE });
  seller.course.calls = 'frozen';
  const before = await answerOf(seller, found);
  seller.course.calls = 'open';
  t.is((await buyer.pay()).status, 200);
  seller.course.calls = 'frozen';
  t.is(await answerOf(seller, found), before);
});

test('while calls are frozen, a repeated call makes no deposit', async (t) => {
  const { seller, buyer, found } = await open(t);
  const [deposits, { balance }] = [seller.contract.asked.deposit, seller.contract.stateOf(buyer.id)];
  // The same voucher with a new deposit, as a wallet that is short of credit would add.
  const other = createBuyer(seller, { wallet: buyer.wallet });
  const fresh = await other.sign();
  const payload = { ...found.payload, type: 'deposit', deposit: fresh.payload['deposit'] };
  seller.course.calls = 'frozen';
  await send(seller, { ...found, payload });
  t.is(seller.contract.asked.deposit, deposits);
  t.is(seller.contract.stateOf(buyer.id).balance, balance);
});
