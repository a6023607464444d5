import type { GetTermsResponse } from '../../../proto/gen/tollhouse/payments/v1/payments.ts';
import type { ChannelCorrection, ChannelTerms } from './channel-terms.ts';
import { OFFER_SECRET } from './offer-secret.ts';

export interface SellerTerms
  extends Pick<GetTermsResponse, 'network' | 'asset' | 'assetName' | 'assetVersion' | 'payTo' | 'maxTimeoutSeconds'> {
  /** Absent if there are no channels. */
  readonly channels?: ChannelTerms;
}

/** The schemes of the entries of `accepts`. */
export const schemesOf = ({ channels }: SellerTerms): readonly string[] =>
  channels?.offered ? ['exact', 'batch-settlement'] : ['exact'];

const commonOf = (terms: SellerTerms, amount: bigint) => ({
  network: terms.network,
  amount: String(amount),
  asset: terms.asset,
  payTo: terms.payTo,
  maxTimeoutSeconds: terms.maxTimeoutSeconds,
});

/** An entry of `accepts`: one payment on the chain for each call. */
export function exactEntry(terms: SellerTerms, amount: bigint, secret: string): object {
  return {
    scheme: 'exact',
    ...commonOf(terms, amount),
    extra: { name: terms.assetName, version: terms.assetVersion, [OFFER_SECRET]: secret },
  };
}

/** An entry of `accepts`: a voucher of a channel for each call. A client takes the channel from `extra`. */
export function channelEntry(
  terms: SellerTerms & { readonly channels: ChannelTerms },
  amount: bigint,
  { secret, correction }: { readonly secret: string; readonly correction?: ChannelCorrection | undefined },
): object {
  const { receiverAuthorizer, withdrawDelaySeconds, minDeposit } = terms.channels;
  const extra = {
    receiverAuthorizer,
    withdrawDelay: withdrawDelaySeconds,
    name: terms.assetName,
    version: terms.assetVersion,
    minDeposit,
    [OFFER_SECRET]: secret,
  };
  return { scheme: 'batch-settlement', ...commonOf(terms, amount), extra: { ...extra, ...correction } };
}
