import type { Operation } from '../../operations/operation/operation.ts';
import { createOffer, type Offer, type OfferTerms } from './offer.ts';
import type { OfferSecrets } from './offer-secret.ts';

/** Where an operation is offered. */
export interface Place {
  /** Host of the public origin: what a challenge's `domain` says. */
  readonly domain: string;
  readonly offer: Offer;
}

/** `host` is the Host header: it only selects one of the public URLs. */
export type FindPlace = (operation: Operation, host: string | undefined) => Place;

export interface PlaceOptions {
  readonly operations: readonly Operation[];
  readonly publicUrls: readonly URL[];
  readonly terms: OfferTerms;
  readonly secrets: OfferSecrets;
}

export function createPlaces({ operations, publicUrls, terms, secrets }: PlaceOptions): FindPlace {
  const places = publicUrls.map((origin) => ({
    domain: origin.host,
    offers: new Map(operations.map((operation) => [operation, createOffer({ operation, origin, terms, secrets })])),
  }));
  const placeByHost = new Map(places.map((place) => [place.domain, place]));
  return (operation, host = '') => {
    const place = placeByHost.get(host.toLowerCase()) ?? places[0];
    const offer = place?.offers.get(operation);
    if (place === undefined || offer === undefined) throw new Error(`no offer for ${operation.name}`);
    return { domain: place.domain, offer };
  };
}
