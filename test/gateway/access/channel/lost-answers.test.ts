import test, { type ExecutionContext } from 'ava';
import { LedgerUnavailableError } from '../../../../services/ledger/contract/ledger.ts';
import { codeOf, readAnswer } from '../../../kit/client.ts';
import { until } from '../../../kit/until.ts';
import { createLedgerDatabase } from '../../../services/ledger/store/store-fixture.ts';
import { createBuyer, MIN_DEPOSIT, openSeller, PRICE } from './seller-fixture.ts';

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

/** A channel that paid for one call. */
async function open(t: ExecutionContext) {
  const seller = await openSeller(t, database);
  const buyer = createBuyer(seller);
  t.is((await buyer.pay()).status, 200);
  /** Does the work, and breaks the connection before its answer. */
  const lose = async <Outcome>(work: () => Promise<Outcome>): Promise<Outcome> => {
    const outcome = await work();
    seller.cut();
    return outcome;
  };
  /** Whether all credit that was not charged is free. */
  const isFree = async () => {
    const account = await seller.account(buyer.id);
    return account.reservedMicroUsd === 0n && account.balanceMicroUsd === MIN_DEPOSIT - PRICE;
  };
  const voided: string[] = [];
  seller.course.void = async (work) => {
    const outcome = await work();
    voided.push(JSON.stringify(outcome));
    return outcome;
  };
  return { seller, buyer, lose, isFree, voided };
}

test('a charge whose answer is lost is returned at once, and nothing is executed', async (t) => {
  const { seller, buyer, lose, isFree, voided } = await open(t);
  seller.course.charge = lose;
  t.is(codeOf(await readAnswer(await buyer.pay())), 'PAYMENT_UNAVAILABLE');
  await until(() => voided.length > 0);
  t.true(await isFree());
  t.is(seller.executed.length, 1);
});

test('a hold of a refund whose answer is lost is returned at once, and nothing is sent', async (t) => {
  const { seller, buyer, lose, isFree, voided } = await open(t);
  seller.course.holdRefund = lose;
  await t.throwsAsync(buyer.refund());
  await until(() => voided.length > 0);
  t.true(await isFree());
  t.is(seller.contract.asked.refund, 0);
});

test('a call whose charge is uncertain and was made answers the same payment with the stored result', async (t) => {
  const { seller, buyer, voided } = await open(t);
  seller.course.post = async (work) => {
    await work();
    seller.hurry();
    throw new LedgerUnavailableError('uncertain', 'lost');
  };
  const lost = await buyer.pay();
  t.is(codeOf(await readAnswer(lost)), 'SETTLEMENT_PENDING');
  t.is(lost.headers.get('payment-response'), null);
  await until(() => voided.length > 0);
  t.regex(String(voided[0]), /posted/);
  seller.course.post = undefined;
  t.is((await buyer.again()).status, 200);
  t.is(seller.executed.length, 2);
  t.like(await seller.account(buyer.id), { reservedMicroUsd: 0n, chargedMicroUsd: 2n * PRICE });
});

test('a call whose charge is uncertain and was not made leaves the channel free', async (t) => {
  const { seller, buyer, isFree, voided } = await open(t);
  seller.course.post = async () => {
    seller.hurry();
    throw new LedgerUnavailableError('uncertain', 'lost');
  };
  t.is(codeOf(await readAnswer(await buyer.pay())), 'SETTLEMENT_PENDING');
  await until(() => voided.length > 0);
  t.true(await isFree());
  seller.course.post = undefined;
  t.is((await buyer.again()).status, 200);
  t.is(seller.executed.length, 3);
});
