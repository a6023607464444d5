import {
  ChannelsServiceClient,
  type ClaimChannelsRequest,
  type DepositRequest,
  type ReadChannelsRequest,
  type RefundChannelRequest,
} from '../../../proto/gen/tollhouse/payments/v1/channels.ts';
import { type CallSettings, openChannels } from '../../platform/grpc/grpc-client.ts';
import type { GrpcTarget } from '../../platform/grpc/identity.ts';

export type ChannelsClient = ReturnType<typeof createChannelsClient>;

/** Payment channels of the x402 scheme `batch-settlement` on the chain. Every method throws `CallError`. */
export function createChannelsClient(target: GrpcTarget) {
  const connections = openChannels(ChannelsServiceClient, target);
  return {
    getTerms: (settings: CallSettings) => connections.call((client) => client.getChannelTerms, {}, settings),
    /** Idempotent: a deposit that was sent before is followed. */
    deposit: (request: DepositRequest, settings: CallSettings) =>
      connections.call((client) => client.deposit, request, settings),
    read: (request: ReadChannelsRequest, settings: CallSettings) =>
      connections.call((client) => client.readChannels, request, settings),
    claim: (request: ClaimChannelsRequest, settings: CallSettings) =>
      connections.call((client) => client.claimChannels, request, settings),
    /** Idempotent by its id. */
    refund: (request: RefundChannelRequest, settings: CallSettings) =>
      connections.call((client) => client.refundChannel, request, settings),
    /** What `claim` would do. Signs, stores and sends nothing. */
    estimateClaims: (request: ClaimChannelsRequest, settings: CallSettings) =>
      connections.call((client) => client.estimateClaims, request, settings),
    /** What `refund` would do. Signs, stores and sends nothing. */
    estimateRefund: (request: RefundChannelRequest, settings: CallSettings) =>
      connections.call((client) => client.estimateChannelRefund, request, settings),
    /** What became of a refund. One that is not known is refused from now on. */
    resolveRefund: (refundId: string, settings: CallSettings) =>
      connections.call((client) => client.resolveRefund, { refundId }, settings),
    /** Channels that changed since a block. 0: since the first that the service remembers. */
    watch: (fromBlock: bigint, settings: CallSettings) =>
      connections.call((client) => client.watchChannels, { fromBlock }, settings),
    close: connections.close,
  };
}
