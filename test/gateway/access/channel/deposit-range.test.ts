import test from 'ava';
import { createLedgerDatabase } from '../../../services/ledger/store/store-fixture.ts';
import { createBuyer, openSeller } from './seller-fixture.ts';

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

test('a deposit names the network of its client as a hash with a key, where networks are bounded', async (t) => {
  for (const clientNetwork of ['192.0.2.0/24', undefined]) {
    const seller = await openSeller(t, database);
    if (clientNetwork !== undefined) seller.course.clientNetwork = clientNetwork;
    await createBuyer(seller).pay();
    t.deepEqual(seller.contract.ranges, [clientNetwork && seller.fingerprints.ofNetwork(clientNetwork)]);
  }
});
