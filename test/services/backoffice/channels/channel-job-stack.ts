import { createClaimChannels } from '../../../../services/backoffice/channels/claim-channels.ts';
import { createResolveRefunds } from '../../../../services/backoffice/channels/resolve-refunds.ts';
import { type ClaimLimits, createVouchers } from '../../../../services/backoffice/channels/vouchers.ts';
import { createWatchChannels } from '../../../../services/backoffice/channels/watch-channels.ts';
import { createPartitions } from '../../../../services/backoffice/retention/partitions.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { openTrialLedger, prepareLedger } from '../../ledger/store/store-fixture.ts';
import { type ChannelStack, NETWORK, PRICE, wireVoucher } from '../../payments/channels/channel-stack.ts';
import type { Channel } from '../../payments/sandbox/channel-chain.ts';
import { chargeCall, cipher, logger } from './channel-stores.ts';

const never = new AbortController().signal;

/** Starts the payments service on a chain, with a ledger and the work of the back office on channels. */
export async function startChannelJobs(stack: ChannelStack) {
  let service = await stack.start();
  await prepareLedger(stack.sandbox.databaseUrl);
  await createPartitions(stack.database, Date.now());
  const closing: (() => unknown)[] = [];
  const ledger = openTrialLedger(
    { teardown: (close) => closing.push(close) },
    { url: stack.sandbox.databaseUrl, database: stack.database },
    { network: NETWORK },
  );
  const vouchers = createVouchers({ database: stack.database, network: NETWORK });
  const watch = () => createWatchChannels({ ...stack, network: NETWORK, vouchers, channels: service.channels })(never);
  return {
    ledger,
    service: () => service,
    watch,
    claim: (limits: ClaimLimits) =>
      stack.whileMining(() =>
        createClaimChannels({ vouchers, cipher, channels: service.channels, limits, logger })(never),
      ),
    resolveRefunds: () => createResolveRefunds({ ledger, channels: service.channels, logger })(never),
    accountOf: async ({ id }: Channel) => defined((await ledger.channels([id]))[0]),
    /** A channel whose deposit is final and credited. */
    async open(): Promise<Channel> {
      const channel = await stack.open(service.channels);
      await watch();
      return channel;
    },
    /** Charges a channel for a call. */
    async call(channel: Channel, cumulativeMicroUsd: bigint): Promise<void> {
      const { signature } = await wireVoucher(channel, cumulativeMicroUsd);
      await chargeCall(ledger, channel.id, { chargedMicroUsd: cumulativeMicroUsd - PRICE, signature });
    },
    async restart(): Promise<void> {
      await service.stop();
      service = await stack.start();
    },
    async stop(): Promise<void> {
      for (const close of closing) await close();
      await service.stop();
      await stack.stop();
    },
  };
}
