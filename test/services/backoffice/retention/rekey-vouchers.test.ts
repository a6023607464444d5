import { randomBytes } from 'node:crypto';
import test from 'ava';
import { rekeyBodies } from '../../../../services/backoffice/retention/rekey.ts';
import { recordKeys } from '../../../../services/backoffice/retention/retention-keys.ts';
import { createVoucherCipher } from '../../../../services/ledger/store/voucher-cipher.ts';
import type { NamedKeys } from '../../../../services/platform/process/named-keys.ts';
import { newChannel, newSignature } from '../../ledger/channel-fixture.ts';
import { createLedgerDatabase, openTrialLedger } from '../../ledger/store/store-fixture.ts';
import { chargeCall, owe, PRICE } from '../channels/channel-stores.ts';

const stores = await createLedgerDatabase();
const { database } = stores;
test.after.always(() => stores.stop());

const SECOND = { id: 'k2', secret: randomBytes(32) };
const BY = { operator: 'ada', reason: 'a new key' };

test('the vouchers of a channel are encrypted again, and one that does not decrypt is named', async (t) => {
  const ledger = openTrialLedger(t, stores);
  const [channelId, broken, signature] = [newChannel(), newChannel(), newSignature()];
  await owe(ledger, channelId, { signature });
  await ledger.show(broken, { balanceMicroUsd: PRICE });
  await chargeCall(ledger, broken);
  await ledger.query("UPDATE ledger.channel SET signature = '\\x00' WHERE id = $1", [broken]);
  // The key of the ledgers of tests is the earlier one. No bodies of these tests are sealed.
  await database.deleteFrom('retained_body').execute();
  ledger.notAudited();
  const keys: NamedKeys = [SECOND, { id: 'k1', secret: Buffer.alloc(32, 1) }];
  await recordKeys(database, keys);
  const result = await rekeyBodies({ database, keys }, BY);
  t.deepEqual(result, {
    keyId: 'k2',
    rekeyed: 0,
    rekeyedVouchers: 2,
    unreadable: [broken],
    left: [{ keyId: 'k1', rows: 1 }],
    unused: [],
  });
  const [row] = await ledger.query(
    'SELECT claimable_signature AS sealed, key_id, claimable_key_id FROM ledger.channel WHERE id = $1',
    [channelId],
  );
  const sealed = row?.['sealed'];
  if (!Buffer.isBuffer(sealed)) throw new Error('no signature');
  t.deepEqual([row?.['key_id'], row?.['claimable_key_id']], ['k2', 'k2']);
  t.is(createVoucherCipher([SECOND]).open(channelId, { sealed, keyId: 'k2' }), signature);
});
