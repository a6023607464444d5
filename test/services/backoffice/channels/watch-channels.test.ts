import test from 'ava';
import { createVouchers } from '../../../../services/backoffice/channels/vouchers.ts';
import { createWatchChannels } from '../../../../services/backoffice/channels/watch-channels.ts';
import type { Ledger } from '../../../../services/ledger/contract/ledger.ts';
import { newChannel } from '../../ledger/channels/channel-fixture.ts';
import { newNetwork, openLedger } from '../../ledger/fixture.ts';
import { contractChannel, logger, PRICE, startChannelStores } from './channel-stores.ts';

const stores = await startChannelStores();
test.after.always(() => stores.stop());

test('a run that could not credit a deposit is repeated from the same block', async (t) => {
  const network = newNetwork();
  const channelId = newChannel();
  const deposit = contractChannel(channelId, { balance: `${5n * PRICE}`, blockNumber: 10n });
  const run = (ledger: Ledger) =>
    createWatchChannels({
      database: stores.database,
      network,
      vouchers: createVouchers(stores.database),
      ledger,
      channels: { watch: async (from) => ({ channels: from <= 10n ? [deposit] : [], nextBlock: 11n }) },
      logger,
    })(new AbortController().signal);
  const ledger = await openLedger(t, { url: stores.redisUrl, network });
  const away = await openLedger(t, { url: stores.redisUrl, network });
  await away.close();
  await t.throwsAsync(run(away));
  await run(ledger);
  t.like((await ledger.channels([channelId]))[0], { fundedMicroUsd: 5n * PRICE, balanceMicroUsd: 5n * PRICE });
});
