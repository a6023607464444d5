import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { createLedgerDatabase } from '../../../services/ledger/store/store-fixture.ts';
import { createBuyer, MIN_DEPOSIT, openSeller, PRICE } from './seller-fixture.ts';

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
  // Nothing is served right after a restore. A look that is under way may not see that it was an hour ago.
  await query("UPDATE ledger.epoch SET began_at = began_at - interval '1 hour'");
  await seller.lookAtDatabase();
  await seller.lookAtDatabase();
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
