import { defined } from '../../../workers/exact/defined.ts';
import { channelEntry, type SellerTerms } from './accepts.ts';
import type { ChannelTerms } from './channel-terms.ts';
import type { OfferSecrets } from './offer-secret.ts';
import { describeRequired, type PaymentRequired, toPaymentRequired } from './payment-required.ts';

export const REFUND_PATH = '/api/v1/channels/refund';

/** The 402 answers of the refund endpoint. The offer says which channel is meant; there is no price. */
export interface RefundOffer {
  payment(error: string, correction?: Parameters<typeof channelEntry>[2]['correction']): PaymentRequired;
}

/** `host` is the Host header. It only selects one of the public origins. */
export type FindRefundOffer = (host: string | undefined) => RefundOffer;

export interface RefundOfferOptions {
  readonly publicUrls: readonly URL[];
  readonly terms: SellerTerms & { readonly channels: ChannelTerms };
  readonly secrets: OfferSecrets;
}

export function createRefundOffers({ publicUrls, terms, secrets }: RefundOfferOptions): FindRefundOffer {
  const offerOf = (origin: URL): RefundOffer => ({
    payment(error, correction) {
      const required = describeRequired({
        error,
        url: new URL(REFUND_PATH, origin).href,
        description: 'Return the rest of a channel to its payer',
        accepts: [channelEntry(terms, 0n, { secret: secrets.create(), correction })],
        extensions: {},
      });
      return toPaymentRequired(required);
    },
  });
  const offers = publicUrls.map((origin) => [origin.host, offerOf(origin)] as const);
  const byHost = new Map(offers);
  const [, first] = defined(offers[0]);
  return (host) => (host === undefined ? undefined : byHost.get(host.toLowerCase())) ?? first;
}
