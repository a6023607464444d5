import { type Call, createAccess } from '../../../../gateway/access/access.ts';
import type { AccessReply } from '../../../../gateway/access/call/access-request.ts';
import { createExecute } from '../../../../gateway/access/call/execution.ts';
import { createFingerprints } from '../../../../gateway/access/call/fingerprints.ts';
import { createChallenger } from '../../../../gateway/access/challenge/challenge.ts';
import { createChannels } from '../../../../gateway/access/channels.ts';
import type { ChannelTerms } from '../../../../gateway/access/offer/channel-terms.ts';
import { createOfferSecrets } from '../../../../gateway/access/offer/offer-secret.ts';
import { createOffersByOrigin } from '../../../../gateway/access/offer/offers-by-origin.ts';
import { createExactPayment } from '../../../../gateway/access/payment/exact-payment.ts';
import { createPayment } from '../../../../gateway/access/payment-schemes.ts';
import { createTrial } from '../../../../gateway/access/trial/trial.ts';
import { createAdaptiveLimit } from '../../../../gateway/admission/adaptive-limit.ts';
import { createAdmission } from '../../../../gateway/admission/admission.ts';
import { AppError } from '../../../../gateway/errors/app-error.ts';
import type { CallFreeze } from '../../../../gateway/freeze/call-freeze.ts';
import type { Operation } from '../../../../gateway/operations/operation/operation.ts';
import type { LedgerClient } from '../../../../services/ledger/contract/client.ts';
import type { Terms } from '../../../../services/payments/payment/terms.ts';
import type { Host } from '../engine/host.ts';
import type { Handlers, Machine } from '../engine/machine.ts';
import type { Network } from '../engine/network.ts';
import { createChannelsCalls } from './channels.ts';
import { createBackofficeCalls, createPaymentsCalls } from './clients.ts';
import { logger } from './setting.ts';

/** The address of all clients. */
const CLIENT = '192.0.2.1';
/** More calls at a time than the clients of a world send. */
const ROOM_FOR_ALL = { targetMs: 60_000, least: 64, most: 64 };

/** What a client sees of an answer. */
export interface HttpAnswer {
  /** The status of HTTP, or the code of an error. */
  readonly outcome: number | string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type HttpRequest = Pick<Call, 'body' | 'paymentSignature' | 'signInWithX' | 'requestId'> & {
  /** Asks for the refund of a channel, and not for the operation. */
  readonly isRefund?: boolean;
};

export interface GatewayOptions {
  readonly operation: Operation;
  readonly terms: Terms;
  readonly ledger: LedgerClient;
  readonly backoffice: Machine;
  readonly payments: readonly [Machine, ...Machine[]];
  /** Absent: channels are not offered. */
  readonly channels?: ChannelTerms;
}

const KEY = Buffer.alloc(32, 7);
const ORIGIN = new URL('http://127.0.0.1:8402');
const operationServices = { content: { convertHtml: refuse }, maps: { geocode: refuse, reverseGeocode: refuse } };

function refuse(): never {
  throw new Error('operations of the simulation call no service');
}

/** Starts a gateway without its HTTP server: its answers go over the simulated network. */
export async function startGateway(
  { network, caip2 }: { readonly network: Network; readonly caip2: `eip155:${number}` },
  host: Host,
  options: GatewayOptions,
): Promise<Handlers> {
  const { operation, ledger, channels } = options;
  const backoffice = createBackofficeCalls(network, host, options.backoffice);
  const payments = createPaymentsCalls(network, host, options.payments);
  const chains = [caip2];
  const terms = { ...options.terms, chains, ...(channels && { channels }) };
  const { now } = ledger;
  const challenger = createChallenger({ keys: [KEY], deploymentId: caip2, chains, now });
  const secrets = createOfferSecrets({ keys: [KEY], deploymentId: caip2 });
  const fingerprints = createFingerprints(KEY);
  const execute = createExecute(operationServices);
  const monotonicMs = () => performance.now();
  const admission = createAdmission({
    limit: createAdaptiveLimit({ ...ROOM_FOR_ALL, monotonicMs, readLoopDelayMs: () => 0 }),
    targetMs: ROOM_FOR_ALL.targetMs,
    monotonicMs,
  });
  const freeze: CallFreeze = { state: () => 'open' };
  const shared = { ledger, backoffice, execute, admission, freeze, secrets, fingerprints, now, logger };
  const { payment: channel, refundAccess } = createChannels({
    ...shared,
    terms,
    publicUrls: [ORIGIN],
    channels: createChannelsCalls(network, host, options.payments[0]),
    monotonicMs,
  });
  const access = createAccess({
    findOffer: createOffersByOrigin({ operations: [operation], publicUrls: [ORIGIN], terms, secrets }),
    ledger,
    challenger,
    trial: createTrial({ ...shared, challenger }),
    payment: createPayment({ exact: createExactPayment({ ...shared, payments }), channel, freeze: shared.freeze }),
    freeze,
    arePaymentsTaken: async () => true,
    now,
    monotonicMs: now,
  });
  await ledger.check();
  return {
    http(message) {
      const { isRefund = false, ...request } = message as HttpRequest;
      const from = { host: ORIGIN.host, client: CLIENT };
      return answer(() =>
        isRefund
          ? refundAccess.handle({ ...from, ...request })
          : access.handle({ ...from, operation, search: '', clientNetwork: undefined, paymentV1: [], ...request }),
      );
    },
  };
}

async function answer(handle: () => Promise<AccessReply>): Promise<HttpAnswer> {
  try {
    const { status, headers, body } = await handle();
    return { outcome: status, headers, body: body.toString() };
  } catch (error) {
    // The HTTP server does the same.
    if (!(error instanceof AppError)) throw error;
    return { outcome: error.code, headers: { ...error.headers }, body: error.message };
  }
}
