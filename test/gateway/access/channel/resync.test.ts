import { decodePaymentRequiredHeader } from '@x402/core/http';
import test from 'ava';
import { headerOf } from '../../../kit/client.ts';
import { until } from '../../../kit/until.ts';
import { createLedgerDatabase } from '../../../services/ledger/store/store-fixture.ts';
import { createBuyer, MIN_DEPOSIT, openSeller, send } from './seller-fixture.ts';

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

test('at most four channels are read from the contract at the same time, and others later', async (t) => {
  const seller = await openSeller(t, database);
  const { asked, fault } = seller.contract;
  const held = Promise.withResolvers<never>();
  const away = new Error('away');
  fault.read = () => (asked.read <= 4 ? held.promise : Promise.reject(away));
  /** Pays with a new channel that does not exist, from an address of its own. */
  const pay = async (from: string) => {
    const buyer = createBuyer(seller);
    await buyer.storage.set(buyer.id, { balance: String(MIN_DEPOSIT), chargedCumulativeAmount: '0' });
    const response = await send(seller, await buyer.sign(), { from });
    return decodePaymentRequiredHeader(headerOf(response, 'payment-required')).error;
  };
  const notFound = 'invalid_batch_settlement_evm_channel_not_found';
  const waiting = Array.from({ length: 4 }, (_, index) => pay(`192.0.2.${index}`));
  await until(() => asked.read === 4);
  t.is(await pay('192.0.2.4'), notFound);
  t.is(asked.read, 4);
  held.reject(away);
  t.deepEqual(await Promise.all(waiting), Array(4).fill(notFound));
  await pay('192.0.2.5');
  t.is(asked.read, 5);
});
