import test from 'ava';
import { createPartitions } from '../../../../services/backoffice/retention/partitions.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { openDatabase } from '../../../../services/store/database.ts';
import { findStandby, loseStandby } from '../../../helpers/lost-standby.ts';
import { adminUrlOf, connected } from '../../../helpers/owned-database.ts';
import { startTestPostgres } from '../../../helpers/servers.ts';
import { until } from '../../../helpers/until.ts';
import { throwsUnavailable } from '../fixture.ts';
import { newAnswer, newTrial, openTrialLedger, prepareLedger } from './store-fixture.ts';

test('while a synchronous standby is away, posts wait, and reserves, voids and sweeps go on', async (t) => {
  const server = await startTestPostgres();
  t.teardown(() => server.stop());
  const logger = createLogger({ name: 'test', level: 'silent' });
  const database = openDatabase({ url: server.url, connections: 1, logger });
  await prepareLedger(server.url);
  await createPartitions(database, Date.now());
  await database.destroy();
  const ledger = openTrialLedger(t, { url: server.url, database });
  const [early, posted, voided, beside] = [newTrial(), newTrial(), newTrial(), newTrial()];
  await Promise.all([early, posted, voided, beside].map(ledger.reserve));
  await ledger.post(newAnswer(early));

  await connected(adminUrlOf(server.url), async (admin) => {
    await loseStandby(server.url);
    const waiting = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND application_name = $1";
    const post = throwsUnavailable(t, ledger.post(newAnswer(posted)), 'uncertain');
    const pid = await until(async () => (await admin.query(waiting, [ledger.network])).rows[0]?.pid);

    t.is((await ledger.reserve(newTrial({ wallet: posted.wallet }))).state, 'reserved');
    // The first one is a batch of its own, and the others are one.
    const [first, known, other] = [voided, early, beside].map(({ reservationId }) =>
      ledger.void(reservationId, 'cancelled'),
    );
    t.is((await first)?.state, 'voided');
    t.is((await other)?.state, 'voided');
    t.is((await ledger.reserve(newTrial({ wallet: beside.wallet }))).state, 'reserved');
    t.is((await ledger.void(posted.reservationId, 'cancelled')).state, 'busy');
    t.deepEqual(await ledger.sweep({ graceMs: -3_600_000, limit: 10 }), { voided: 2, busy: 1 });

    // The server gives up waiting, commits locally, and only warns.
    await admin.query('SELECT pg_cancel_backend($1)', [pid]);
    await post;
    await findStandby(server.url);
    t.is((await known)?.state, 'posted');
  });
  t.is((await ledger.post(newAnswer(posted))).state, 'posted');
  t.deepEqual(await ledger.audit(), { wallets: 4, channels: 0, pending: 0, violations: [] });
});
