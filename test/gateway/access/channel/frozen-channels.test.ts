import { decodePaymentRequiredHeader } from '@x402/core/http';
import type { PaymentPayload } from '@x402/core/types';
import test, { type ExecutionContext } from 'ava';
import { AppError } from '../../../../gateway/errors/app-error.ts';
import { codeOf, readAnswer } from '../../../kit/client.ts';
import { createLedgerDatabase } from '../../../services/ledger/store/store-fixture.ts';
import { createBuyer, MIN_DEPOSIT, openSeller, PRICE, type Seller, send } from './seller-fixture.ts';

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

async function openNew(t: ExecutionContext) {
  const seller = await openSeller(t, database);
  const buyer = createBuyer(seller);
  return { seller, buyer, id: buyer.id };
}

/** A channel that paid for two calls. */
async function open(t: ExecutionContext) {
  const { seller, buyer, id } = await openNew(t);
  await buyer.pay();
  await buyer.pay();
  return { seller, buyer, id, found: buyer.sent() };
}

const errorCodeOf = async (response: Response) => codeOf(await readAnswer(response));

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

test('while calls are frozen, no deposit is made and nothing is charged, and the last answer is given again', async (t) => {
  const { seller, buyer, id } = await openNew(t);
  seller.course.calls = 'frozen';
  t.deepEqual([await errorCodeOf(await buyer.pay()), seller.contract.asked.deposit], ['CALLS_FROZEN', 0]);
  seller.course.calls = 'open';
  await buyer.pay();
  seller.course.calls = 'frozen';
  t.is((await buyer.again()).status, 200);
  t.is(await errorCodeOf(await buyer.pay()), 'CALLS_FROZEN');
  seller.course.calls = 'unknown';
  t.is(await errorCodeOf(await buyer.pay()), 'SERVICE_UNAVAILABLE');
  seller.course.calls = 'open';
  t.is((await buyer.pay()).status, 200);
  t.like(await seller.account(id), { chargedMicroUsd: 2n * PRICE });
});

test('a gateway that cannot know a call again asks for no other voucher', async (t) => {
  const { seller, buyer } = await open(t);
  seller.course.calls = 'other_key';
  for (const send of [buyer.again, buyer.pay]) t.is(await errorCodeOf(await send()), 'SERVICE_UNAVAILABLE');
  seller.course.calls = 'open';
  t.is((await buyer.again()).status, 200);
});

test('while calls are frozen, a voucher whose call was voided is not charged', async (t) => {
  const { seller, buyer, id } = await openNew(t);
  seller.contract.change(id, { balance: String(MIN_DEPOSIT), totalClaimed: String(PRICE) });
  await seller.ledger.show(id, { balanceMicroUsd: MIN_DEPOSIT, claimedMicroUsd: PRICE });
  await buyer.storage.set(id, { balance: String(MIN_DEPOSIT), chargedCumulativeAmount: String(PRICE) });
  // It settles the channel, so the ledger keeps it.
  seller.course.execute = () => Promise.reject(new AppError('UPSTREAM_FAILURE', 'no'));
  const payment = await buyer.sign();
  t.is(await errorCodeOf(await send(seller, payment)), 'UPSTREAM_FAILURE');
  t.like(await seller.account(id), { chargedMicroUsd: PRICE, voucher: { cumulativeMicroUsd: 2n * PRICE } });
  seller.course.calls = 'frozen';
  t.is(await errorCodeOf(await send(seller, payment)), 'CALLS_FROZEN');
  t.is(seller.executed.length, 1);
});
