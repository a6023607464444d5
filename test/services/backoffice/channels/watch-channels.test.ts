import test from 'ava';
import { createVouchers } from '../../../../services/backoffice/channels/vouchers.ts';
import { createWatchChannels } from '../../../../services/backoffice/channels/watch-channels.ts';
import { newChannel } from '../../ledger/channel-fixture.ts';
import { newNetwork } from '../../ledger/fixture.ts';
import { createLedgerDatabase } from '../../ledger/store/store-fixture.ts';
import { contractChannel } from './channel-stores.ts';

const { database, stop } = await createLedgerDatabase();
test.after.always(stop);

test('a run that could not note what was claimed is repeated from the same block', async (t) => {
  const network = newNetwork();
  const asked: bigint[] = [];
  const watch = async (from: bigint) => {
    asked.push(from);
    return { channels: from <= 10n ? [contractChannel(newChannel())] : [], nextBlock: 11n };
  };
  const run = ({ noteClaimed } = createVouchers({ database, network })) =>
    createWatchChannels({ database, network, vouchers: { noteClaimed }, channels: { watch } })(
      new AbortController().signal,
    );
  const vouchers = createVouchers({ database, network });
  await t.throwsAsync(run({ ...vouchers, noteClaimed: () => Promise.reject(new Error('the database is away')) }));
  await run();
  await run();
  t.deepEqual(asked, [0n, 0n, 11n, 11n]);
});
