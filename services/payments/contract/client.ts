import {
  type BeginRequest,
  type BeginResponse,
  type CountPaymentsResponse,
  type FundResponse,
  type GetAdmissionResponse,
  type GetTermsResponse,
  PaymentsServiceClient,
  type ReadChainRequest,
  type ReadChainResponse,
  type ReleaseRequest,
  type SettleRequest,
  type SettleResponse,
} from '../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { type CallSettings, openChannels } from '../../platform/grpc/grpc-client.ts';
import type { GrpcTarget } from '../../platform/grpc/identity.ts';

/** Every method throws `CallError`. */
export interface PaymentsClient {
  getTerms(settings: CallSettings): Promise<GetTermsResponse>;
  begin(request: BeginRequest, settings: CallSettings): Promise<BeginResponse>;
  settle(request: SettleRequest, settings: CallSettings): Promise<SettleResponse>;
  release(request: ReleaseRequest, settings: CallSettings): Promise<void>;
  /** Finds the outcome of a claim that was never reported. */
  /** Whether the store of claims accepts new payments. */
  getAdmission(settings: CallSettings): Promise<GetAdmissionResponse>;
  count(settings: CallSettings): Promise<CountPaymentsResponse>;
  fund(address: string, settings: CallSettings): Promise<FundResponse>;
  /** Reads the chain of the sandbox. */
  readChain(request: ReadChainRequest, settings: CallSettings): Promise<ReadChainResponse>;
  close(): void;
}

export function createPaymentsClient(target: GrpcTarget): PaymentsClient {
  const channels = openChannels(PaymentsServiceClient, target);
  return {
    getTerms: (settings) => channels.call((client) => client.getTerms, {}, settings),
    begin: (request, settings) => channels.call((client) => client.begin, request, settings),
    settle: (request, settings) => channels.call((client) => client.settle, request, settings),
    async release(request, settings) {
      await channels.call((client) => client.release, request, settings);
    },
    getAdmission: (settings) => channels.call((client) => client.getAdmission, {}, settings),
    count: (settings) => channels.call((client) => client.countPayments, {}, settings),
    fund: (address, settings) => channels.call((client) => client.fund, { address }, settings),
    readChain: (request, settings) => channels.call((client) => client.readChain, request, settings),
    close: channels.close,
  };
}
