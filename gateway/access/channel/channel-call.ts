import type { CallIdentifier } from '../../../proto/gen/tollhouse/ledger/v1/ledger.ts';
import type { AccessRequest } from '../call/access-request.ts';
import type { Fingerprints } from '../call/fingerprints.ts';
import type { OfferSecrets } from '../offer/offer-secret.ts';
import type { PresentedPayment } from '../payment/presented-payment.ts';
import type { ChannelPayload } from './channel-payload.ts';

/** A request with a verified voucher. */
export interface ChannelCall {
  readonly request: AccessRequest;
  readonly payload: ChannelPayload;
  /** Of the request that the voucher pays. */
  readonly fingerprint: string;
  /** SHA-256 of the secret of the accepted offer; undefined if the payment does not have it. */
  readonly holder: Buffer | undefined;
  readonly identifier: CallIdentifier | undefined;
}

export function toChannelCall(
  request: AccessRequest,
  payload: ChannelPayload,
  presented: PresentedPayment,
  { secrets, fingerprints }: { readonly secrets: OfferSecrets; readonly fingerprints: Fingerprints },
): ChannelCall {
  const { identifier } = presented;
  return {
    request,
    payload,
    fingerprint: fingerprints.ofRequest(request),
    holder: secrets.hashOf(presented.offerSecret),
    identifier:
      identifier === undefined
        ? undefined
        : { signer: payload.config.payerAuthorizer, hash: fingerprints.ofIdentifier(identifier) },
  };
}
