import {
  PaymentsOperatorServiceClient,
  type RefundRequest,
  type ReleaseClaimRequest,
} from '../../../proto/gen/tollhouse/payments/v1/operator.ts';
import { type CallSettings, openChannels } from '../../platform/grpc/grpc-client.ts';
import type { GrpcTarget } from '../../platform/grpc/identity.ts';

export type PaymentsOperatorClient = ReturnType<typeof createPaymentsOperatorClient>;

/** Every method throws `CallError`. */
export function createPaymentsOperatorClient(target: GrpcTarget) {
  const channels = openChannels(PaymentsOperatorServiceClient, target);
  return {
    inspect: (claimId: string, settings: CallSettings) =>
      channels.call((client) => client.inspect, { claimId }, settings),
    release: (request: ReleaseClaimRequest, settings: CallSettings) =>
      channels.call((client) => client.releaseClaim, request, settings),
    refund: (request: RefundRequest, settings: CallSettings) =>
      channels.call((client) => client.refund, request, settings),
    reconcile: (settings: CallSettings) => channels.call((client) => client.reconcile, {}, settings),
    /** The account that pays for settlements. Undefined if no account of the service does. */
    readGas: async (settings: CallSettings) => (await channels.call((client) => client.readGas, {}, settings)).gas,
    readStanding: (settings: CallSettings) => channels.call((client) => client.readStanding, {}, settings),
    close: channels.close,
  };
}
