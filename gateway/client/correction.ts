import { signVoucher } from './channel.ts';
import type { ChannelPayment } from './channel-record.ts';
import type { Signer } from './connection.ts';
import type { Answer } from './http.ts';
import { type CallFailure, stopped } from './outcome.ts';
import { entryOf } from './payment.ts';
import { fromBase64, isText, membersOf, toSum } from './values.ts';

/** Of the two numbers of a signature. What follows them has several forms. */
const SIGNATURE_LENGTH = '0x'.length + 128;

/**
 * The sum of charges that a 402 corrects a voucher to. Undefined if it has no correction. A sum above the confirmed
 * charges needs a voucher of the wallet for as much. Wallets sign the same twice with the same bytes (RFC 6979), so its
 * signature is compared with a new one, which is sent to nobody.
 * @throws the error of the wallet
 */
export async function correctedSum(
  answer: Answer,
  { channelId, network }: Pick<ChannelPayment, 'channelId' | 'network'>,
  chargedMicroUsd: bigint,
  signer: Signer,
): Promise<bigint | CallFailure | undefined> {
  const entry = entryOf(fromBase64(answer.headers.get('payment-required')), 'batch-settlement');
  const { channelState, voucherState } = membersOf(entry?.['extra']);
  if (channelState === undefined) return undefined;
  const { channelId: corrected, chargedCumulativeAmount } = membersOf(channelState);
  const sum = toSum(chargedCumulativeAmount);
  if (corrected !== channelId || sum === undefined) return wrong();
  if (sum <= chargedMicroUsd) return sum;
  const { signedMaxClaimable, signature } = membersOf(voucherState);
  const signed = toSum(signedMaxClaimable);
  if (signed === undefined || signed < sum || !isText(signature, /^0x[0-9a-fA-F]{128,}$/)) return wrong();
  const own = await signVoucher(signer, network, channelId, signed);
  return numbersOf(own.signature) === numbersOf(signature) ? sum : wrong();
}

const numbersOf = (signature: string) => signature.slice(0, SIGNATURE_LENGTH).toLowerCase();

const wrong = (): CallFailure =>
  stopped('WRONG_CORRECTION', 'the wallet has not signed for the charges that the server names');
