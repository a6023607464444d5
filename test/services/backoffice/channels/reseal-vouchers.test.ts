import { randomBytes } from 'node:crypto';
import test from 'ava';
import { resealVouchers } from '../../../../services/backoffice/channels/reseal-vouchers.ts';
import { takeKeys } from '../../../../services/backoffice/retention/retention-keys.ts';
import { createVoucherCipher } from '../../../../services/ledger/store/voucher-cipher.ts';
import type { NamedKeys } from '../../../../services/platform/process/named-keys.ts';
import { listActs } from '../../../../services/store/operator-acts.ts';
import { newChannel, newCharge, newSignature } from '../../ledger/channel-fixture.ts';
import { createLedgerDatabase, newAnswer, openTrialLedger } from '../../ledger/store/store-fixture.ts';
import { chargeCall, owe, PRICE } from './channel-stores.ts';

const stores = await createLedgerDatabase();
const { database } = stores;
test.after.always(() => stores.stop());

const FIRST = { id: 'k1', secret: Buffer.alloc(32, 1) };
const SECOND = { id: 'k2', secret: randomBytes(32) };
/** The key of the ledgers of tests is the earlier one. */
const KEYS: NamedKeys = [SECOND, FIRST];
const BY = { operator: 'ada', reason: 'a new key' };

test.serial('vouchers are not sealed with a key that no back office has', async (t) => {
  const refused = { code: 'RETENTION_KEY_MISSING', message: /^no back office has started with this key/ };
  await t.throwsAsync(resealVouchers({ database, keys: KEYS }, BY), refused as never);
  await takeKeys(database, KEYS);
  const another: NamedKeys = [{ ...FIRST, id: 'k2' }, FIRST];
  await t.throwsAsync(resealVouchers({ database, keys: another }, BY), refused as never);
  t.deepEqual(await listActs(database, { subject: 'k2', limit: 1 }), []);
});

test.serial('the vouchers of a channel are sealed anew, and one that does not decrypt is named', async (t) => {
  const ledger = openTrialLedger(t, stores);
  const [channelId, broken, signature] = [newChannel(), newChannel(), newSignature()];
  await owe(ledger, channelId, { signature });
  await ledger.show(broken, { balanceMicroUsd: PRICE });
  await chargeCall(ledger, broken);
  const open = newCharge({ channelId, cumulativeMicroUsd: 3n * PRICE });
  await ledger.charge(open);
  await ledger.query("UPDATE ledger.channel SET signature = '\\x00' WHERE id = $1", [broken]);
  ledger.notAudited();
  const result = await resealVouchers({ database, keys: KEYS }, BY);
  t.deepEqual(result, { resealed: 2, unreadable: [broken] });
  const [row] = await ledger.query(
    'SELECT claimable_signature AS sealed, key_id, claimable_key_id FROM ledger.channel WHERE id = $1',
    [channelId],
  );
  const sealed = row?.['sealed'];
  if (!Buffer.isBuffer(sealed)) throw new Error('no signature');
  t.deepEqual([row?.['key_id'], row?.['claimable_key_id']], ['k2', 'k2']);
  t.is(createVoucherCipher([SECOND]).open(channelId, { sealed, keyId: 'k2' }), signature);
  await ledger.post(newAnswer(open));
  t.like(await resealVouchers({ database, keys: KEYS }, BY), { resealed: 1 }, 'that of the call that was open');
  t.like(await listActs(database, { subject: 'k2', limit: 9 }), { length: 2, 0: { ...BY, action: 'channels.reseal' } });
});
