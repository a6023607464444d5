import { MAX_MICRO_USD } from '../../../services/ledger/contract/channels.ts';
import { createChannelHasher } from '../../../services/payments/contract/channel-ids.ts';
import { recoverSigner } from '../../../services/platform/ethereum/recover-address.ts';
import type { SellerTerms } from '../offer/accepts.ts';
import type { ChannelTerms } from '../offer/channel-terms.ts';
import type { ChannelPayload } from './channel-payload.ts';
import { type ChannelReason, reasonOf } from './channel-reason.ts';

/** The price of what is paid for. A refund has none. */
export type Price = bigint | undefined;

/** Why a payment cannot be accepted; undefined if its configuration is the offered one and its voucher is signed. */
export type VerifyVoucher = (payload: ChannelPayload, price: Price) => ChannelReason | OfferFault | undefined;

type OfferFault = `invalid_payment_requirements: accepted.${string}`;

const otherThan = (member: string, offered: string | number | bigint): OfferFault =>
  `invalid_payment_requirements: accepted.${member} must be ${offered}`;

/** Whether a payment may be for a price or a delay that was offered earlier. */
export const isOfOtherTerms = (reason: string): boolean =>
  reason === reasonOf('withdraw_delay_mismatch') || reason.startsWith(otherThan('amount', ''));

const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;
/** The bounds of the contract. */
const MIN_WITHDRAW_DELAY_S = 900;
const MAX_WITHDRAW_DELAY_S = 2_592_000;

/** Creates a function that verifies vouchers locally: without the chain, and without any other service. */
export function createVoucherVerifier(terms: SellerTerms, channels: ChannelTerms): VerifyVoucher {
  const hasher = createChannelHasher(channels);
  const [payTo, asset] = [terms.payTo.toLowerCase(), terms.asset.toLowerCase()];
  const receiverAuthorizer = channels.receiverAuthorizer.toLowerCase();

  function findOfferFault({ accepted }: ChannelPayload, price: Price) {
    if (accepted.network !== terms.network) return reasonOf('network_mismatch');
    if (price !== undefined && accepted.amount !== String(price)) return otherThan('amount', price);
    if (accepted.asset.toLowerCase() !== asset) return otherThan('asset', terms.asset);
    if (accepted.payTo.toLowerCase() !== payTo) return otherThan('payTo', terms.payTo);
    const { maxTimeoutSeconds } = terms;
    return accepted.maxTimeoutSeconds === maxTimeoutSeconds
      ? undefined
      : otherThan('maxTimeoutSeconds', maxTimeoutSeconds);
  }

  function findConfigFault({ config, channelId }: ChannelPayload, price: Price) {
    if (config.receiver !== payTo) return reasonOf('receiver_mismatch');
    if (config.receiverAuthorizer !== receiverAuthorizer) return reasonOf('receiver_authorizer_mismatch');
    if (config.token !== asset) return reasonOf('token_mismatch');
    const delayS = config.withdrawDelaySeconds;
    if (delayS < MIN_WITHDRAW_DELAY_S || delayS > MAX_WITHDRAW_DELAY_S) return reasonOf('withdraw_delay_out_of_range');
    // A channel keeps the delay with which it was opened, and has its refunds.
    if (price !== undefined && delayS !== channels.withdrawDelaySeconds) return reasonOf('withdraw_delay_mismatch');
    // Without an authorizer, the payer's contract would have to be asked about every voucher.
    if (config.payerAuthorizer === ZERO_ADDRESS) return reasonOf('authorizer_address_mismatch');
    return hasher.idOf(config) === channelId ? undefined : reasonOf('channel_id_mismatch');
  }

  // Only a signature that the contract accepts: a charge for any other voucher could never be claimed.
  function isSigned({ config, channelId, cumulativeMicroUsd, signature }: ChannelPayload): boolean {
    const digest = hasher.voucherDigest(channelId, cumulativeMicroUsd);
    return recoverSigner(digest, signature)?.toLowerCase() === config.payerAuthorizer;
  }

  function findVoucherFault(payload: ChannelPayload) {
    if (!isSigned(payload)) return reasonOf('voucher_signature');
    // No channel has so much, and the ledger cannot count it.
    return payload.cumulativeMicroUsd > MAX_MICRO_USD ? reasonOf('cumulative_exceeds_balance') : undefined;
  }

  return (payload, price) =>
    findOfferFault(payload, price) ?? findConfigFault(payload, price) ?? findVoucherFault(payload);
}
