import { hash } from 'node:crypto';
import type { CallIdentifier } from '../../../services/ledger/contract/channels.ts';
import type { AccessRequest } from '../call/access-request.ts';
import { fingerprintOf } from '../call/body-digest.ts';
import type { OfferSecrets } from '../offer/offer-secret.ts';
import type { PresentedPayment } from '../payment/presented-payment.ts';
import type { ChannelPayload } from './channel-payload.ts';

/** A request with a verified voucher. */
export interface ChannelCall {
  readonly request: AccessRequest;
  readonly payload: ChannelPayload;
  /** SHA-256, in hex, of the request that the voucher pays. */
  readonly fingerprint: string;
  /** SHA-256, in hex, of the secret of the accepted offer; undefined if the payment does not have it. */
  readonly holder: string | undefined;
  readonly identifier: CallIdentifier | undefined;
}

export function toChannelCall(
  request: AccessRequest,
  payload: ChannelPayload,
  { presented, secrets }: { readonly presented: PresentedPayment; readonly secrets: OfferSecrets },
): ChannelCall {
  return {
    request,
    payload,
    fingerprint: fingerprintOf(request),
    holder: secrets.hashOf(presented.offerSecret)?.toString('hex'),
    identifier: identifierOf(presented, payload),
  };
}

const identifierOf = ({ identifier }: PresentedPayment, { config }: ChannelPayload): CallIdentifier | undefined =>
  identifier === undefined ? undefined : { signer: config.payerAuthorizer, hash: hash('sha256', identifier) };
