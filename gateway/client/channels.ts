import { signVoucher } from './channel.ts';
import {
  type ChannelOutcome,
  type ChannelTerms,
  findChannel,
  notSigned,
  type OfferedChannel,
  resumeCall,
} from './channel-call.ts';
import { type ChannelRecord, keepRecord } from './channel-record.ts';
import { correctedSum } from './correction.ts';
import { type Answer, createRequest, faultOf, isFaultOfRequest, retryAfterMs, send } from './http.ts';
import { type CallFailure, notCharged, type RefundResult, stopped } from './outcome.ts';
import { encodePayment, isTransaction } from './payment.ts';
import { fromBase64, membersOf, toPrice } from './values.ts';

const REFUND_PATH = '/api/v1/channels/refund';

/** Sends every open call of the wallet's channels again. A channel has one at most. */
export async function resumeCalls(
  terms: ChannelTerms,
  records: readonly ChannelRecord[],
): Promise<readonly ChannelOutcome[]> {
  const outcomes: ChannelOutcome[] = [];
  for (const record of records) {
    const outcome = await resumeCall(record, terms);
    if (outcome !== undefined) outcomes.push(outcome);
  }
  return outcomes;
}

/** Forgets the open calls. Undefined if the store does so too. */
export async function giveUp(
  { store }: ChannelTerms,
  records: readonly ChannelRecord[],
): Promise<CallFailure | undefined> {
  try {
    for (const { open, ...ended } of records) if (open !== undefined) await keepRecord(store, ended);
    return undefined;
  } catch (cause) {
    return notKept(cause);
  }
}

const notKept = (cause: unknown): CallFailure => stopped('STORE_FAILED', 'the channel was not kept', cause);

/** Returns an amount, or all that is left, to the wallet. A correction of the server is followed once. */
export async function refund(
  terms: ChannelTerms,
  records: readonly ChannelRecord[],
  amountMicroUsd?: bigint,
): Promise<RefundResult | CallFailure> {
  const channel = await findChannel(await createRequest(terms.origin, 'geocode', {}), terms, records);
  if ('ok' in channel) return channel;
  const { channelId, offer, record } = channel;
  const answer = await sendRefund(terms, channel, amountMicroUsd).catch(notSigned);
  if (answer instanceof Error || 'ok' in answer || answer.status !== 402) return readRefund(answer, channel);
  const { network } = offer;
  const corrected = await correctedSum(answer, { channelId, network }, record.chargedMicroUsd, terms.signer).catch(
    notSigned,
  );
  if (corrected === undefined) return readRefund(answer, channel);
  if (typeof corrected === 'object') return corrected;
  const current = { ...channel, record: { ...record, chargedMicroUsd: corrected } };
  try {
    await keepRecord(terms.store, current.record);
  } catch (cause) {
    return notKept(cause);
  }
  return readRefund(await sendRefund(terms, current, amountMicroUsd).catch(notSigned), channel);
}

/** @throws the error of the wallet */
async function sendRefund(
  terms: ChannelTerms,
  { offer, channelId, record }: OfferedChannel,
  amountMicroUsd: bigint | undefined,
): Promise<Answer | Error> {
  const voucher = await signVoucher(terms.signer, offer.network, channelId, record.chargedMicroUsd);
  const amount = amountMicroUsd === undefined ? {} : { amount: `${amountMicroUsd}` };
  const payload = { type: 'refund', channelConfig: record.config, voucher, ...amount };
  const request = { url: new URL(REFUND_PATH, terms.origin), body: '{}' };
  return send(terms, request, { 'payment-signature': encodePayment(offer, payload) });
}

function readRefund(answer: Answer | Error | CallFailure, { channelId, offer }: OfferedChannel) {
  if ('ok' in answer) return answer;
  const fault = faultOf(answer);
  const again = { how: 'again', afterMs: retryAfterMs(answer) } as const;
  if (answer instanceof Error) return notCharged(fault, again);
  if (answer.status !== 200)
    return notCharged(fault, isFaultOfRequest(answer) || answer.status === 402 ? { how: 'change' } : again);
  const { success, network, transaction, amount, extra } = fromBase64(answer.headers.get('payment-response'));
  const amountMicroUsd = toPrice(amount);
  const isOfChannel = membersOf(membersOf(extra)['channelState'])['channelId'] === channelId;
  if (success !== true || network !== offer.network || !isOfChannel || !isTransaction(transaction) || !amountMicroUsd)
    return notCharged({ ...fault, code: 'UNCONFIRMED', message: 'the refund is not confirmed' }, again);
  return { ok: true, amountMicroUsd, transaction } as const;
}
