import { v7 as uuidv7 } from 'uuid';
import { createClaimChannels } from '../../../../services/backoffice/channels/claim-channels.ts';
import { createResolveRefunds } from '../../../../services/backoffice/channels/resolve-refunds.ts';
import { type ClaimLimits, createVouchers } from '../../../../services/backoffice/channels/vouchers.ts';
import { createWatchChannels } from '../../../../services/backoffice/channels/watch-channels.ts';
import { createPartitions } from '../../../../services/backoffice/retention/partitions.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { type OpenLedger, openTrialLedger, prepareLedger } from '../../ledger/store/store-fixture.ts';
import type { ChannelStack } from '../../payments/channels/channel-stack.ts';
import { NETWORK, PRICE, wireVoucher } from '../../payments/channels/channel-wire.ts';
import type { Channel } from '../../payments/sandbox/channel-chain.ts';
import { chargeCall, cipher, logger } from './channel-stores.ts';

const never = new AbortController().signal;

type Service = Awaited<ReturnType<ChannelStack['start']>>;

type HoldChanges = Partial<Parameters<OpenLedger['holdRefund']>[0]>;

/** A ledger for the channels of a payments service, and the work of the back office on them. */
export async function openChannelJobs(stack: ChannelStack, service: Service) {
  await prepareLedger(stack.sandbox.databaseUrl);
  await createPartitions(stack.database, Date.now());
  const closing: (() => unknown)[] = [];
  const ledger = openTrialLedger(
    { teardown: (close) => closing.push(close) },
    { url: stack.sandbox.databaseUrl, database: stack.database },
    { network: NETWORK },
  );
  const vouchers = createVouchers({ database: stack.database, network: NETWORK });
  const watch = ({ channels }: Pick<Service, 'channels'> = service) =>
    createWatchChannels({ ...stack, network: NETWORK, vouchers, channels })(never);
  /** Holds an amount of a channel, or all credit, for a refund of its payer. */
  async function hold(channel: Channel, charged: bigint, changes: HoldChanges = {}) {
    const refundId = uuidv7();
    const { signature } = await wireVoucher(channel, charged);
    const outcome = await ledger.holdRefund({
      reservationId: refundId,
      channelId: channel.id,
      cumulativeMicroUsd: charged,
      signature,
      deadlineMs: Date.now() + 30_000,
      ...changes,
    });
    return { refundId, outcome };
  }
  return {
    ledger,
    watch,
    hold,
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
    /** Holds an amount, which is there. @returns the request that sends it */
    async held(channel: Channel, charged: bigint, amountMicroUsd?: bigint) {
      const { refundId, outcome } = await hold(
        channel,
        charged,
        amountMicroUsd === undefined ? {} : { amountMicroUsd },
      );
      if (outcome.state !== 'reserved') throw new Error(outcome.state);
      const request = { refundId, channelId: channel.id, amount: `${outcome.amountMicroUsd}` };
      return { request, account: outcome.account };
    },
    /** Audits the ledger. */
    async close(): Promise<void> {
      for (const close of closing) await close();
    },
  };
}
