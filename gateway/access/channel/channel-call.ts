import { hash } from 'node:crypto';
import type { AccessRequest } from '../call/access-request.ts';
import { digestBody } from '../call/body-digest.ts';
import type { OfferSecrets } from '../offer/offer-secret.ts';
import type { PresentedPayment } from '../payment/presented-payment.ts';
import type { ChannelPayload } from './channel-payload.ts';

/** A request with a verified voucher. */
export interface ChannelCall {
  readonly request: AccessRequest;
  readonly payload: ChannelPayload;
  /** SHA-256, in hex, of the request that the voucher pays. */
  readonly fingerprint: string;
  /** SHA-256, in hex, of what only the payer knows; undefined if the payment has nothing of the kind. */
  readonly holder: string | undefined;
}

export function toChannelCall(
  request: AccessRequest,
  payload: ChannelPayload,
  { presented, secrets }: { readonly presented: PresentedPayment; readonly secrets: OfferSecrets },
): ChannelCall {
  const { operation, body } = request;
  const fingerprint = hash('sha256', `POST ${operation.path} ${digestBody(body)}`);
  return { request, payload, fingerprint, holder: holderOf(presented, secrets) };
}

/**
 * The payer's own identifier comes first: a client that lost the answer asks for a new offer, with a new secret, and then
 * sends the same voucher with the same identifier.
 */
function holderOf({ identifier, offerSecret }: PresentedPayment, secrets: OfferSecrets): string | undefined {
  return identifier === undefined ? secrets.hashOf(offerSecret)?.toString('hex') : hash('sha256', identifier);
}
