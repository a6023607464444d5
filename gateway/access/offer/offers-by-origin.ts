import { defined } from '../../../workers/exact/defined.ts';
import type { Operation } from '../../operations/operation/operation.ts';
import { createOffer, type Offer, type OfferTerms } from './offer.ts';
import type { OfferSecrets } from './offer-secret.ts';

/** The offer of an operation at one public origin. */
export interface OriginOffer {
  /** Host of the origin: the `domain` of its challenges. */
  readonly domain: string;
  readonly offer: Offer;
}

/**
 * Finds the offer of an operation at the origin that a client called. `host` is the Host header. It only selects one of
 * the public origins; an unknown or missing host selects the first.
 */
export type FindOffer = (operation: Operation, host: string | undefined) => OriginOffer;

export interface OfferOptions {
  readonly operations: readonly Operation[];
  /** At least one. */
  readonly publicUrls: readonly URL[];
  readonly terms: OfferTerms;
  readonly secrets: OfferSecrets;
}

export function createOffersByOrigin({ operations, publicUrls, terms, secrets }: OfferOptions): FindOffer {
  const origins = publicUrls.map((origin) => ({
    domain: origin.host,
    offers: new Map(operations.map((operation) => [operation, createOffer({ operation, origin, terms, secrets })])),
  }));
  const firstOrigin = defined(origins[0]);
  const originByHost = new Map(origins.map((origin) => [origin.domain, origin]));
  return (operation, host) => {
    const { domain, offers } = (host === undefined ? undefined : originByHost.get(host.toLowerCase())) ?? firstOrigin;
    return { domain, offer: defined(offers.get(operation)) };
  };
}
