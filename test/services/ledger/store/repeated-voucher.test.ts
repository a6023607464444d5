import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { adminUrlOf, connected } from '../../../kit/owned-database.ts';
import { until } from '../../../kit/until.ts';
import { newChannel, newCharge } from '../channel-fixture.ts';
import { fundedCall, paidCall } from './ledger-steps.ts';
import { callOfPost, createLedgerDatabase, openTrialLedger } from './store-fixture.ts';

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

/** A reservation whose transaction does not end makes others with its id wait. */
const RESERVE = `INSERT INTO ledger.reservation
  (id, network, account, kind, amount, operation, reserved_at, deadline, signed, signature, key_id)
  VALUES ($1, $2, $3, 'channel', 1, 'geocode', now(), now(), 1, '', 'k1')`;

test('a repeated voucher finds the answer of its own call while the next call is posted', async (t) => {
  const ledger = openTrialLedger(t, database);
  const { network } = ledger;
  const [first, ahead, slow] = [await paidCall(ledger), await fundedCall(ledger), await fundedCall(ledger)];
  const next = newCharge({ channelId: first.channelId, cumulativeMicroUsd: 28_000n });
  await ledger.charge(next);
  await connected(adminUrlOf(database.url), async (admin) => {
    await admin.query('BEGIN');
    await admin.query(RESERVE, [slow.reservationId, network, newChannel()]);
    await connected(database.url, async (poster) => {
      await poster.query('BEGIN');
      await poster.query(...callOfPost(network, next.reservationId));
      // The second batch has both others.
      const [, repeated] = [ahead, { ...first, reservationId: uuidv7() }, slow].map((ask) => ledger.charge(ask));
      const waiting = "SELECT FROM pg_stat_activity WHERE application_name = $1 AND wait_event = 'transactionid'";
      await until(async () => (await admin.query(waiting, [network])).rowCount === 1);
      await poster.query('COMMIT');
      await admin.query('ROLLBACK');
      t.like(await repeated, { state: 'repeated', repeatedId: first.reservationId });
    });
  });
  t.is((await ledger.void(slow.reservationId, 'cancelled')).state, 'voided');
});
