import { decodePaymentResponseHeader } from '@x402/fetch';
import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { headerOf } from '../../../kit/client.ts';
import { createLedgerDatabase } from '../../../services/ledger/store/store-fixture.ts';
import { createBuyer, MIN_DEPOSIT, openSeller, PRICE, type Seller } from './seller-fixture.ts';

/** Nothing is served right after a restore. A look that is under way may not see that it was an hour ago. */
async function waitAnHour({ ledger, lookAtDatabase }: Seller): Promise<void> {
  await ledger.query("UPDATE ledger.epoch SET began_at = began_at - interval '1 hour'");
  await lookAtDatabase();
  await lookAtDatabase();
}

test('a deposit is told whose call cannot be charged, because the database was restored', async (t) => {
  const own = await createLedgerDatabase();
  t.teardown(() => own.stop());
  const seller = await openSeller(t, own);
  await seller.ledger.query("UPDATE ledger.epoch SET identity = 'another'");
  await seller.ledger.void(uuidv7(), 'cancelled');
  const answer = await createBuyer(seller).pay();
  t.is(answer.status, 503);
  t.true(answer.headers.has('payment-response'));
});

test('after a restore that lost calls, a client whose credit is used up can deposit again', async (t) => {
  const own = await createLedgerDatabase();
  t.teardown(() => own.stop());
  const seller = await openSeller(t, own);
  const { query, network } = seller.ledger;
  await query("UPDATE ledger.epoch SET identity = 'another'");
  await seller.ledger.void(uuidv7(), 'cancelled');
  await query(
    'INSERT INTO public.channel_watch (network, next_block, watched_at, epoch) SELECT $1, 1, ledger.clock(), max(number) FROM ledger.epoch',
    [network],
  );
  await waitAnHour(seller);
  const buyer = createBuyer(seller);
  const balance = String(MIN_DEPOSIT);
  // Ten calls used up the deposit. The database knows of none.
  seller.contract.change(buyer.id, { balance });
  await seller.ledger.show(buyer.id, { balanceMicroUsd: MIN_DEPOSIT });
  await buyer.storage.set(buyer.id, { balance, chargedCumulativeAmount: balance });
  const answers = [await buyer.pay(), await buyer.pay()];
  t.is(answers.at(-1)?.status, 200, `${await answers[0]?.text()}`);
  t.like(await seller.account(buyer.id), { chargedMicroUsd: MIN_DEPOSIT + 2n * PRICE });
});

test('after a failover, a call that was charged is answered by its own payment, and the next one goes on', async (t) => {
  const own = await createLedgerDatabase();
  t.teardown(() => own.stop());
  const seller = await openSeller(t, own);
  const { query, network } = seller.ledger;
  const buyer = createBuyer(seller);
  await buyer.pay();
  await query("UPDATE ledger.epoch SET identity = 'another'");
  await seller.ledger.void(uuidv7(), 'cancelled');
  await waitAnHour(seller);
  const repeated = await buyer.again();
  t.is(repeated.status, 200);
  const { extra } = decodePaymentResponseHeader(headerOf(repeated, 'payment-response'));
  t.like(extra, { channelState: { chargedCumulativeAmount: String(PRICE) } });
  t.is(seller.executed.length, 1);
  await query(
    'INSERT INTO public.channel_watch (network, next_block, watched_at, epoch) SELECT $1, 1, ledger.clock(), max(number) FROM ledger.epoch',
    [network],
  );
  t.is((await buyer.pay()).status, 200);
  t.like(await seller.account(buyer.id), { chargedMicroUsd: 2n * PRICE });
});
