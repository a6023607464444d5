import test from 'ava';
import { sql } from 'kysely';
import { createVouchers } from '../../../../services/backoffice/channels/vouchers.ts';
import { createWatchChannels } from '../../../../services/backoffice/channels/watch-channels.ts';
import { newChannel } from '../../ledger/channel-fixture.ts';
import { newNetwork } from '../../ledger/fixture.ts';
import { createLedgerDatabase } from '../../ledger/store/store-fixture.ts';
import { contractChannel } from './channel-stores.ts';

const RESTORED = "CREATE OR REPLACE FUNCTION ledger.identity() RETURNS text LANGUAGE sql AS $$ SELECT 'another' $$";

const { database, stop } = await createLedgerDatabase();
test.after.always(stop);

test('a run that could not note what was claimed is repeated from the same block', async (t) => {
  const network = newNetwork();
  const asked: bigint[] = [];
  const watch = async (from: bigint) => {
    asked.push(from);
    return { channels: from <= 10n ? [contractChannel(newChannel())] : [], nextBlock: 11n, endTimeS: 1n };
  };
  const run = ({ noteClaimed } = createVouchers({ database, network })) =>
    createWatchChannels({ database, network, vouchers: { noteClaimed }, channels: { watch } })(
      new AbortController().signal,
    );
  const vouchers = createVouchers({ database, network });
  await t.throwsAsync(run({ ...vouchers, noteClaimed: () => Promise.reject(new Error('the database is away')) }));
  await run();
  await run();
  t.deepEqual(asked, [0n, 0n, 11n]);
});

test('a database that was restored during a run is read again from the place that it has', async (t) => {
  const { database: restored, stop: close } = await createLedgerDatabase();
  t.teardown(close);
  const network = newNetwork();
  const asked: bigint[] = [];
  const watch = async (from: bigint) => {
    asked.push(from);
    if (asked.length === 1) await sql.raw(RESTORED).execute(restored);
    return { channels: [], nextBlock: 11n, endTimeS: 1n };
  };
  const run = () =>
    createWatchChannels({
      database: restored,
      network,
      vouchers: createVouchers({ database: restored, network }),
      channels: { watch },
    })(new AbortController().signal);
  await run();
  await run();
  t.deepEqual(asked, [0n, 0n]);
});

test('the contract counts as read only once all its events are', async (t) => {
  const network = newNetwork();
  const watched: unknown[] = [];
  const watch = async (from: bigint) => {
    const [row] = await database.selectFrom('channel_watch').where('network', '=', network).selectAll().execute();
    watched.push(row?.watched_at.getTime());
    return { channels: [], nextBlock: from + 10n, endTimeS: from < 20n ? undefined : 1n };
  };
  await createWatchChannels({
    database,
    network,
    vouchers: createVouchers({ database, network }),
    channels: { watch },
  })(new AbortController().signal);
  t.deepEqual(watched, [undefined, 0, 0]);
  const { watched_at: at } = await database
    .selectFrom('channel_watch')
    .where('network', '=', network)
    .selectAll()
    .executeTakeFirstOrThrow();
  t.not(at.getTime(), 0);
});
