import type { ChannelCharge } from '../../../proto/gen/tollhouse/backoffice/v1/backoffice.ts';
import { voucherText } from '../../ledger/contract/voucher-text.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import type { ReservedTrial, RetainedVoucher } from './retained-call.ts';

const CHANNEL = /^0x[0-9a-f]{64}$/;
const SIGNATURE_BYTES = 65;
const HASH_BYTES = 32;

/** What a call of a channel reserved, and the voucher that pays for it. @throws {ServiceError} INVALID_ARGUMENT */
export function readChannelCharge(charge: ChannelCharge | undefined): {
  readonly reserved: ReservedTrial;
  readonly voucher: RetainedVoucher;
} {
  if (charge === undefined) throw invalid('is missing');
  const { channelId, cumulativeMicroUsd, amountMicroUsd, signature, fingerprint, holder } = charge;
  if (!CHANNEL.test(channelId)) throw invalid('has no channel');
  if (amountMicroUsd === 0n || cumulativeMicroUsd < amountMicroUsd) throw invalid('has no amount');
  if (signature.length !== SIGNATURE_BYTES) throw invalid('has no signature');
  if (fingerprint.length !== HASH_BYTES || (holder.length !== 0 && holder.length !== HASH_BYTES)) {
    throw invalid('has a hash of another length');
  }
  const nonce = voucherText({
    cumulativeMicroUsd,
    signature: `0x${signature.toString('hex')}`,
    fingerprint: fingerprint.toString('hex'),
    holder: holder.length === 0 ? undefined : holder.toString('hex'),
  });
  return {
    reserved: { wallet: channelId, nonce, amountMicroUsd },
    voucher: { channelId, cumulativeMicroUsd, signature },
  };
}

const invalid = (fault: string) => new ServiceError('INVALID_ARGUMENT', `channel_charge ${fault}`);
