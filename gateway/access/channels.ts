import type { BackofficeClient } from '../../services/backoffice/contract/client.ts';
import type { LedgerClient } from '../../services/ledger/contract/client.ts';
import type { ChannelsClient } from '../../services/payments/contract/channels-client.ts';
import type { Logger } from '../../services/platform/process/logger.ts';
import type { Admission } from '../admission/admission.ts';
import type { CallFreeze } from '../freeze/call-freeze.ts';
import type { Execute } from './call/execution.ts';
import type { Fingerprints } from './call/fingerprints.ts';
import { type ChannelPayment, createChannelPayment } from './channel/channel.ts';
import { createContractReader } from './channel/read-contract.ts';
import { createRefund } from './channel/refund.ts';
import { createResync } from './channel/resync.ts';
import { createVoucherVerifier } from './channel/verify-voucher.ts';
import type { SellerTerms } from './offer/accepts.ts';
import type { OfferSecrets } from './offer/offer-secret.ts';
import { createRefundOffers } from './offer/refund-offer.ts';
import { createRefundAccess, type RefundAccess } from './refund-access.ts';

export interface ChannelsDeps {
  readonly terms: SellerTerms;
  readonly publicUrls: readonly URL[];
  readonly ledger: Pick<LedgerClient, 'charge' | 'holdRefund' | 'post' | 'void' | 'channels'>;
  readonly channels: ChannelsClient;
  readonly backoffice: Pick<BackofficeClient, 'getRetained'>;
  readonly execute: Execute;
  readonly admission: Pick<Admission, 'run' | 'hasRoom'>;
  readonly freeze: CallFreeze;
  readonly secrets: OfferSecrets;
  readonly fingerprints: Fingerprints;
  /** The clock of the ledger. */
  readonly now: () => number;
  readonly monotonicMs: () => number;
  readonly logger: Logger;
}

export interface Channels {
  /** Undefined if there are no channels. */
  readonly payment: ChannelPayment | undefined;
  readonly refundAccess: RefundAccess;
}

/** Everything about payment channels, which share what is known of them. */
export function createChannels({ terms, publicUrls, ...deps }: ChannelsDeps): Channels {
  const { channels, network } = terms;
  if (channels === undefined) return { payment: undefined, refundAccess: createRefundAccess(undefined) };
  const readContract = createContractReader(deps.channels);
  const resync = createResync({ ...deps, readContract });
  const verify = createVoucherVerifier(terms, channels);
  const shared = { ...deps, network, readContract, resync, verify };
  const findOffer = createRefundOffers({ publicUrls, terms: { ...terms, channels }, secrets: deps.secrets });
  return {
    payment: createChannelPayment(shared),
    refundAccess: createRefundAccess({ findOffer, refund: createRefund(shared) }),
  };
}
