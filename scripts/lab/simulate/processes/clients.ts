import type { BackofficeClient } from '../../../../services/backoffice/contract/client.ts';
import type { PaymentsClient } from '../../../../services/payments/contract/client.ts';
import type { CallSettings } from '../../../../services/platform/grpc/grpc-client.ts';
import type { Host } from '../engine/host.ts';
import type { Machine } from '../engine/machine.ts';
import type { Network } from '../engine/network.ts';
import { callService } from './calls.ts';

const notSimulated = () => Promise.reject(new Error('this call is not simulated'));

/** The client of the back office in one process. */
export function createBackofficeCalls(network: Network, from: Host, to: Machine): BackofficeClient {
  const call = <Response>(method: string, request: unknown, settings: CallSettings) =>
    callService<Response>(network, from, { to, method, request }, settings);
  return {
    getRetained: (recordId, settings) => call('getRetained', { recordId }, settings),
    readCallFreeze: notSimulated,
    close: () => {},
  };
}

/** The client of the payments service in one process. It balances over the copies. */
export function createPaymentsCalls(
  network: Network,
  from: Host,
  copies: readonly [Machine, ...Machine[]],
): PaymentsClient {
  const call = <Response>(method: string, request: unknown, settings: CallSettings) =>
    callService<Response>(network, from, { to: from.world.random.pick(copies), method, request }, settings);
  return {
    begin: (request, settings) => call('begin', request, settings),
    settle: (request, settings) => call('settle', request, settings),
    async release(request, settings) {
      await call('release', request, settings);
    },
    getTerms: notSimulated,
    getAdmission: notSimulated,
    count: notSimulated,
    fund: notSimulated,
    readChain: notSimulated,
    close: () => {},
  };
}
