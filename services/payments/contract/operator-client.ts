import {
  type GasBalance,
  type InspectResponse,
  PaymentsOperatorServiceClient,
  type ReadStandingResponse,
  type ReconcileResponse,
  type RefundRequest,
  type RefundResponse,
  type ReleaseClaimRequest,
  type ReleaseClaimResponse,
} from '../../../proto/gen/tollhouse/payments/v1/operator.ts';
import { type CallSettings, openChannels } from '../../platform/grpc/grpc-client.ts';
import type { GrpcTarget } from '../../platform/grpc/identity.ts';

/** Every method throws `CallError`. */
export interface PaymentsOperatorClient {
  inspect(claimId: string, settings: CallSettings): Promise<InspectResponse>;
  release(request: ReleaseClaimRequest, settings: CallSettings): Promise<ReleaseClaimResponse>;
  refund(request: RefundRequest, settings: CallSettings): Promise<RefundResponse>;
  reconcile(settings: CallSettings): Promise<ReconcileResponse>;
  /** The account that pays for settlements. Undefined if no account of the service does. */
  readGas(settings: CallSettings): Promise<GasBalance | undefined>;
  readStanding(settings: CallSettings): Promise<ReadStandingResponse>;
  close(): void;
}

export function createPaymentsOperatorClient(target: GrpcTarget): PaymentsOperatorClient {
  const channels = openChannels(PaymentsOperatorServiceClient, target);
  return {
    inspect: (claimId, settings) => channels.call((client) => client.inspect, { claimId }, settings),
    release: (request, settings) => channels.call((client) => client.releaseClaim, request, settings),
    refund: (request, settings) => channels.call((client) => client.refund, request, settings),
    reconcile: (settings) => channels.call((client) => client.reconcile, {}, settings),
    readGas: async (settings) => (await channels.call((client) => client.readGas, {}, settings)).gas,
    readStanding: (settings) => channels.call((client) => client.readStanding, {}, settings),
    close: channels.close,
  };
}
