import test, { type ExecutionContext } from 'ava';
import type { ClaimChannelsRequest } from '../../../../proto/gen/tollhouse/payments/v1/channels.ts';
import { BATCH, createClaimChannels } from '../../../../services/backoffice/channels/claim-channels.ts';
import { createVouchers } from '../../../../services/backoffice/channels/vouchers.ts';
import { newChannel, newSignature } from '../../ledger/channel-fixture.ts';
import { createLedgerDatabase, type OpenLedger, openTrialLedger } from '../../ledger/store/store-fixture.ts';
import { chargeCall, cipher, contractChannel, logger, owe, PRICE } from './channel-stores.ts';

/** Old vouchers are due, whatever their amount. */
const OLD = { afterSeconds: 60, aboveMicroUsd: 1_000_000_000n };
const DEPOSIT = { balanceMicroUsd: 100n * PRICE };

const stores = await createLedgerDatabase();
test.after.always(() => stores.stop());

/** A ledger, and claims of it on a contract that holds as much as given. */
function open(
  t: ExecutionContext,
  { balance = 100n * PRICE, during = async (_ledger: OpenLedger): Promise<void> => {} } = {},
) {
  const ledger = openTrialLedger(t, stores);
  const asked: ClaimChannelsRequest[] = [];
  const channels = {
    async claim({ claims }: Pick<ClaimChannelsRequest, 'claims'>) {
      asked.push({ claims });
      if (asked.length === 1) await during(ledger);
      const after = claims.map(({ voucher, totalClaimed }) => {
        const channelId = String(voucher?.channelId);
        const total = BigInt(totalClaimed) < balance ? totalClaimed : `${balance}`;
        return contractChannel(channelId, { balance: `${balance}`, totalClaimed: total });
      });
      // The payments service stores what it reads.
      for (const { channelId, totalClaimed } of after)
        await ledger.show(channelId, { balanceMicroUsd: balance, claimedMicroUsd: BigInt(totalClaimed) });
      return { transactions: [], channels: after, refusedIds: [] };
    },
  };
  const vouchers = createVouchers({ database: stores.database, network: ledger.network });
  const run = createClaimChannels({ vouchers, cipher, channels, limits: OLD, logger });
  return {
    ledger,
    asked,
    claim: () => run(new AbortController().signal),
    due: async () => (await vouchers.due(OLD)).vouchers.map(({ channelId }) => channelId),
  };
}

test('the voucher before the latest is claimed', async (t) => {
  const { ledger, asked, claim } = open(t);
  const [channelId, signature] = [newChannel(), newSignature()];
  await owe(ledger, channelId, { amountMicroUsd: 2n * PRICE, signature });
  await claim();
  const voucher = { channelId, maxClaimableAmount: `${2n * PRICE}`, signature };
  t.deepEqual(asked, [{ claims: [{ voucher, totalClaimed: `${2n * PRICE}` }] }]);
});

test('all that was charged is claimed once a withdrawal would take some of it', async (t) => {
  const { ledger, asked, claim } = open(t);
  const [channelId, signature] = [newChannel(), newSignature()];
  await ledger.show(channelId, DEPOSIT);
  await chargeCall(ledger, channelId, { signature });
  await ledger.show(channelId, { ...DEPOSIT, withdrawMicroUsd: 100n * PRICE });
  await claim();
  const voucher = { channelId, maxClaimableAmount: `${PRICE}`, signature };
  t.deepEqual(asked, [{ claims: [{ voucher, totalClaimed: `${PRICE}` }] }]);
});

test('a withdrawal that starts while many channels are claimed is claimed next, not after all of them', async (t) => {
  const leaving = newChannel();
  const withdrawal = { ...DEPOSIT, withdrawMicroUsd: 100n * PRICE };
  const { ledger, asked, claim } = open(t, { during: (of) => of.show(leaving, withdrawal) });
  const ids = Array.from({ length: 2 * BATCH }, newChannel);
  for (const id of ids) await owe(ledger, id);
  await ledger.show(leaving, DEPOSIT);
  await chargeCall(ledger, leaving);
  await claim();
  // Each transaction is waited for up to a minute, and a run may have a hundred. A withdrawal may end after 15 minutes.
  const at = asked.findIndex(({ claims }) => claims.some(({ voucher }) => voucher?.channelId === leaving));
  t.is(at, 1, `of ${asked.length} requests`);
});
