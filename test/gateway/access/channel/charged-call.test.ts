import { decodePaymentResponseHeader } from '@x402/fetch';
import test from 'ava';
import { AppError } from '../../../../gateway/errors/app-error.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { codeOf, headerOf, readAnswer } from '../../../helpers/client.ts';
import { createLedgerDatabase, newAnswer } from '../../../services/ledger/store/store-fixture.ts';
import { createBuyer, MIN_DEPOSIT, openSeller, PRICE } from './seller-fixture.ts';

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

test('a failed call with a deposit says that it is free only if the ledger says so', async (t) => {
  const seller = await openSeller(t, database);
  const buyer = createBuyer(seller);
  // The ledger does not answer any more, so the charge may stand, or not.
  seller.course.execute = async () => {
    await seller.stopLedger();
    seller.hurry();
    throw new AppError('UPSTREAM_FAILURE', 'no');
  };
  const failed = await buyer.pay();
  t.is(await codeOf(await readAnswer(failed)), 'UPSTREAM_FAILURE');
  t.is(failed.headers.get('payment-response'), null);
});

test('a failed call with a deposit that was charged all the same does not say that it is free', async (t) => {
  const seller = await openSeller(t, database);
  const buyer = createBuyer(seller);
  seller.course.execute = async () => {
    const [open] = await seller.ledger.overdue({ graceMs: -3_600_000, limit: 1, of: 'calls' });
    await seller.ledger.post(newAnswer(defined(open)));
    throw new AppError('UPSTREAM_FAILURE', 'no');
  };
  const failed = await buyer.pay();
  t.is(failed.status, 502);
  t.is(failed.headers.get('payment-response'), null);
  t.like(await seller.account(buyer.id), { reservedMicroUsd: 0n, chargedMicroUsd: PRICE });
  // The client learns of the charge with its next attempt, and deposits nothing again.
  seller.course.execute = undefined;
  const paid = decodePaymentResponseHeader(headerOf(await buyer.pay(), 'payment-response'));
  t.like(paid.extra, { chargedAmount: String(PRICE), channelState: { balance: String(MIN_DEPOSIT) } });
  t.is(seller.contract.asked.deposit, 1);
});
