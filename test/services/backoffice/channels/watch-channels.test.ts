import test from 'ava';
import { sql } from 'kysely';
import { createVouchers } from '../../../../services/backoffice/channels/vouchers.ts';
import { createWatchChannels } from '../../../../services/backoffice/channels/watch-channels.ts';
import { newChannel } from '../../ledger/channel-fixture.ts';
import { newNetwork } from '../../ledger/fixture.ts';
import { createLedgerDatabase } from '../../ledger/store/store-fixture.ts';
import { contractChannel } from './channel-stores.ts';

const RESTORED = "CREATE OR REPLACE FUNCTION ledger.identity() RETURNS text LANGUAGE sql AS $$ SELECT 'another' $$";
type Watch = Parameters<typeof createWatchChannels>[0]['channels']['watch'];

const { database, stop } = await createLedgerDatabase();
test.after.always(stop);

/** Runs of a new network, and the blocks from which they asked. */
function open(watch: (from: bigint, network: string) => ReturnType<Watch>, of = database) {
  const network = newNetwork();
  const asked: bigint[] = [];
  const vouchers = createVouchers({ database: of, network });
  const channels = {
    watch: (from: bigint) => {
      asked.push(from);
      return watch(from, network);
    },
  };
  const run = ({ noteClaimed } = vouchers) =>
    createWatchChannels({ database: of, network, vouchers: { noteClaimed }, channels })(new AbortController().signal);
  return { network, asked, vouchers, run };
}

test('a run that could not note what was claimed is repeated from the same block', async (t) => {
  const { asked, vouchers, run } = open(async (from) => ({
    channels: from <= 10n ? [contractChannel(newChannel())] : [],
    nextBlock: 11n,
    endTimeS: 1n,
  }));
  await t.throwsAsync(run({ ...vouchers, noteClaimed: () => Promise.reject(new Error('the database is away')) }));
  await run();
  await run();
  t.deepEqual(asked, [0n, 0n, 11n]);
});

test('a database that was restored during a run is read again from the place that it has', async (t) => {
  const { database: restored, stop: close } = await createLedgerDatabase();
  t.teardown(close);
  const { asked, run } = open(async () => {
    if (asked.length === 1) await sql.raw(RESTORED).execute(restored);
    return { channels: [], nextBlock: 11n, endTimeS: 1n };
  }, restored);
  await run();
  await run();
  t.deepEqual(asked, [0n, 0n]);
});

test('the contract counts as read only once all its events are', async (t) => {
  const read = async (network: string) => {
    const [row] = await database.selectFrom('channel_watch').where('network', '=', network).selectAll().execute();
    return row?.watched_at.getTime();
  };
  const watched: unknown[] = [];
  const { network, run } = open(async (from, of) => {
    watched.push(await read(of));
    return { channels: [], nextBlock: from + 10n, endTimeS: from < 20n ? undefined : 1n };
  });
  await run();
  t.deepEqual(watched, [undefined, 0, 0]);
  t.true(Number(await read(network)) > 0);
});
