import test from 'ava';
import { createPartitions } from '../../../../services/backoffice/retention/partitions.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { openDatabase } from '../../../../services/store/database.ts';
import { startSeededPostgres } from '../../../kit/seeded-postgres.ts';
import { startTestPostgres } from '../../../kit/servers.ts';
import { until } from '../../../kit/until.ts';
import { newReservation, throwsUnavailable } from '../fixture.ts';
import { openTrialLedger, prepareLedger } from '../store/store-fixture.ts';
import { answerFor, openClient, serveLedger } from './service-fixture.ts';

test('a database that is killed closes the ledger, and after its restart nothing that was posted is lost', async (t) => {
  const server = await startTestPostgres();
  const database = openDatabase({
    url: server.url,
    connections: 1,
    logger: createLogger({ name: 'test', level: 'silent' }),
  });
  await prepareLedger(server.url);
  await createPartitions(database, Date.now());
  await database.destroy();
  const ledger = openTrialLedger(t, { url: server.url, database }, { connections: 8 });
  ledger.notAudited();
  const { target } = await serveLedger(t, ledger);
  const client = await openClient(t, { target });
  const [posted, later] = [newReservation(), newReservation()];
  await client.reserve(posted);
  await client.post(answerFor(posted));
  await client.reserve(later);

  await server.kill();
  await until(() => !client.ready().ok);
  await throwsUnavailable(t, client.reserve(newReservation()), 'not_ready');
  const post = client.post(answerFor(later)).then(
    ({ state }) => state,
    () => 'failed',
  );
  const restarted = await startSeededPostgres(server.folder.place('postgres'));
  t.teardown(async () => {
    await restarted.stop();
    server.folder.remove();
  });
  await until(() => client.ready().ok);
  t.is((await client.post(answerFor(posted))).state, 'posted');
  // The crash may have lost the reservation, which was not durable. What a post answered is so.
  const [first, second] = [await post, (await client.post(answerFor(later))).state];
  t.true(first === second || first === 'failed');
  t.is((await client.reserve(newReservation())).state, 'reserved');
  t.like(await ledger.audit(), { violations: [] });
});
