import {
  type BeginRequest,
  PaymentsServiceClient,
  type ReadChainRequest,
  type ReleaseRequest,
  type SettleRequest,
} from '../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { type CallSettings, openChannels } from '../../platform/grpc/grpc-client.ts';
import type { GrpcTarget } from '../../platform/grpc/identity.ts';

export type PaymentsClient = ReturnType<typeof createPaymentsClient>;

/** Every method throws `CallError`. */
export function createPaymentsClient(target: GrpcTarget) {
  const channels = openChannels(PaymentsServiceClient, target);
  return {
    getTerms: (settings: CallSettings) => channels.call((client) => client.getTerms, {}, settings),
    begin: (request: BeginRequest, settings: CallSettings) =>
      channels.call((client) => client.begin, request, settings),
    settle: (request: SettleRequest, settings: CallSettings) =>
      channels.call((client) => client.settle, request, settings),
    async release(request: ReleaseRequest, settings: CallSettings) {
      await channels.call((client) => client.release, request, settings);
    },
    /** Whether the store of claims accepts new payments. */
    getAdmission: (settings: CallSettings) => channels.call((client) => client.getAdmission, {}, settings),
    count: (settings: CallSettings) => channels.call((client) => client.countPayments, {}, settings),
    fund: (address: string, settings: CallSettings) => channels.call((client) => client.fund, { address }, settings),
    /** Reads the chain of the sandbox. */
    readChain: (request: ReadChainRequest, settings: CallSettings) =>
      channels.call((client) => client.readChain, request, settings),
    close: channels.close,
  };
}
