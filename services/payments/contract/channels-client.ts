import {
  ChannelsServiceClient,
  type ClaimChannelsRequest,
  type ClaimChannelsResponse,
  type DepositRequest,
  type DepositResponse,
  type EstimateChannelRefundResponse,
  type EstimateClaimsResponse,
  type GetChannelTermsResponse,
  type ReadChannelsRequest,
  type ReadChannelsResponse,
  type RefundChannelRequest,
  type RefundChannelResponse,
  type WatchChannelsResponse,
} from '../../../proto/gen/tollhouse/payments/v1/channels.ts';
import { type CallSettings, openChannels } from '../../platform/grpc/grpc-client.ts';
import type { GrpcTarget } from '../../platform/grpc/identity.ts';

/** Payment channels of the x402 scheme `batch-settlement` on the chain. Every method throws `CallError`. */
export interface ChannelsClient {
  getTerms(settings: CallSettings): Promise<GetChannelTermsResponse>;
  /** Idempotent: a deposit that was sent before is followed. */
  deposit(request: DepositRequest, settings: CallSettings): Promise<DepositResponse>;
  read(request: ReadChannelsRequest, settings: CallSettings): Promise<ReadChannelsResponse>;
  claim(request: ClaimChannelsRequest, settings: CallSettings): Promise<ClaimChannelsResponse>;
  /** Idempotent by its id. */
  refund(request: RefundChannelRequest, settings: CallSettings): Promise<RefundChannelResponse>;
  /** What `claim` would do. Signs, stores and sends nothing. */
  estimateClaims(request: ClaimChannelsRequest, settings: CallSettings): Promise<EstimateClaimsResponse>;
  /** What `refund` would do. Signs, stores and sends nothing. */
  estimateRefund(request: RefundChannelRequest, settings: CallSettings): Promise<EstimateChannelRefundResponse>;
  /** What became of a refund. One that is not known is refused from now on. */
  resolveRefund(refundId: string, settings: CallSettings): Promise<RefundChannelResponse>;
  /** Channels that changed since a block. 0: since the first that the service remembers. */
  watch(fromBlock: bigint, settings: CallSettings): Promise<WatchChannelsResponse>;
  close(): void;
}

export function createChannelsClient(target: GrpcTarget): ChannelsClient {
  const connections = openChannels(ChannelsServiceClient, target);
  return {
    getTerms: (settings) => connections.call((client) => client.getChannelTerms, {}, settings),
    deposit: (request, settings) => connections.call((client) => client.deposit, request, settings),
    read: (request, settings) => connections.call((client) => client.readChannels, request, settings),
    claim: (request, settings) => connections.call((client) => client.claimChannels, request, settings),
    refund: (request, settings) => connections.call((client) => client.refundChannel, request, settings),
    estimateClaims: (request, settings) => connections.call((client) => client.estimateClaims, request, settings),
    estimateRefund: (request, settings) =>
      connections.call((client) => client.estimateChannelRefund, request, settings),
    resolveRefund: (refundId, settings) => connections.call((client) => client.resolveRefund, { refundId }, settings),
    watch: (fromBlock, settings) => connections.call((client) => client.watchChannels, { fromBlock }, settings),
    close: connections.close,
  };
}
