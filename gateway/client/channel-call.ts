import { channelIdOf, configOf, signDeposit, signVoucher } from './channel.ts';
import {
  type ChannelPayment,
  type ChannelRecord,
  isOpenFor,
  keepRecord,
  readChannelPayment,
} from './channel-record.ts';
import type { Connection, Hex, Signer } from './connection.ts';
import { correctedSum } from './correction.ts';
import { type Answer, faultOf, isFaultOfRequest, type Request, retryAfterMs, send } from './http.ts';
import {
  type CallFailure,
  type ChannelResult,
  type Fault,
  maybeCharged,
  notCharged,
  samePayment,
  stopped,
} from './outcome.ts';
import { FREE_CODES, tooHigh, untilExpiryMs } from './paid-call.ts';
import { encodePayment, isTransaction, type Offer, readOffer } from './payment.ts';
import type { Store } from './store.ts';
import { refusedUnsigned } from './trial-call.ts';
import { fromBase64, membersOf } from './values.ts';

export interface ChannelTerms extends Connection {
  readonly signer: Signer;
  readonly store: Store;
  /** The beginning of the names of the wallet's channels. */
  readonly channelPrefix: string;
  readonly salt: Hex;
}

export type ChannelOutcome = ChannelResult<object> | CallFailure;

/** The channel of the wallet on the terms that are offered now. */
export interface OfferedChannel {
  readonly offer: Offer;
  readonly channelId: Hex;
  readonly record: ChannelRecord;
}

/** What an answer to a voucher means. */
interface Judged {
  readonly outcome: ChannelOutcome;
  /** The charges to go on from, if the call has ended. */
  readonly chargedMicroUsd?: bigint;
  /** Whether the server refused the voucher for the wrong sum, and showed a right one. */
  readonly isCorrected?: boolean;
}

/** Pays for a call by a voucher, with a deposit if one is given. A correction of the server is followed once. */
export async function payByVoucher(
  request: Request,
  terms: ChannelTerms & { readonly maxPrice: bigint },
  records: readonly ChannelRecord[],
  depositMicroUsd?: bigint,
): Promise<ChannelOutcome> {
  const channel = await findChannel(request, terms, records);
  if ('ok' in channel) return channel;
  const { offer, record, channelId } = channel;
  if (offer.amountMicroUsd > terms.maxPrice) return notCharged(tooHigh(offer.amountMicroUsd), { how: 'change' });
  let deposit: object | undefined;
  try {
    if (depositMicroUsd !== undefined) deposit = await signDeposit(terms.signer, offer, channelId, depositMicroUsd);
  } catch (cause) {
    return notSigned(cause);
  }
  // The corrected payment repeats the authorization of the deposit, which can be used once.
  const first = await signAndSend(request, terms, channel, deposit);
  if (!first.isCorrected || first.chargedMicroUsd === undefined) return first.outcome;
  const corrected = { ...record, chargedMicroUsd: first.chargedMicroUsd };
  return (await signAndSend(request, terms, { ...channel, record: corrected }, deposit)).outcome;
}

/** Asks for the offer of a request, and finds the channel for it. */
export async function findChannel(
  request: Pick<Request, 'url' | 'body'>,
  terms: ChannelTerms,
  records: readonly ChannelRecord[],
): Promise<OfferedChannel | CallFailure> {
  const asked = await send(terms, request);
  if (asked instanceof Error || asked.status !== 402) return refusedUnsigned(asked);
  const offer = readOffer(fromBase64(asked.headers.get('payment-required')), 'batch-settlement');
  const config = offer && configOf(offer, terms.signer.address, terms.salt);
  if (offer === undefined || config === undefined) return stopped('WRONG_OFFER', 'no channel of USDC is offered');
  const channelId = channelIdOf(config, offer.network);
  const name = terms.channelPrefix + channelId.slice(2);
  const kept = records.find((record) => record.name === name);
  // If the store knows nothing of the channel, the server corrects the first voucher.
  const record = { name, config, chargedMicroUsd: kept?.chargedMicroUsd ?? 0n };
  if (kept?.open === undefined) return { offer, channelId, record };
  const message = 'an earlier call is open: make it again, or use channels.resume or channels.giveUp';
  return stopped('CHANNEL_OPEN', message);
}

/** Sends the open call of a channel again, as it was. */
export async function resumeCall(record: ChannelRecord, terms: ChannelTerms): Promise<ChannelOutcome | undefined> {
  return record.open && (await sendVoucher(terms, record, record.open, true)).outcome;
}

/** Sends the open call of this request again, and returns its outcome. Undefined if there is none. */
export async function resumeVoucher(
  request: Request,
  terms: ChannelTerms & { readonly maxPrice: bigint },
  records: readonly ChannelRecord[],
): Promise<ChannelOutcome | undefined> {
  const record = records.find(isOpenFor(request));
  if (record?.open === undefined) return undefined;
  const { priceMicroUsd } = record.open.payment;
  if (priceMicroUsd <= terms.maxPrice) return resumeCall(record, terms);
  return maybeCharged(tooHigh(priceMicroUsd), samePayment(record.name));
}

export const notSigned = (cause: unknown): CallFailure => stopped('NOT_SIGNED', 'the wallet did not sign', cause);

async function signAndSend(
  request: Request,
  terms: ChannelTerms,
  { offer, channelId, record }: OfferedChannel,
  deposit: object | undefined,
): Promise<Judged> {
  let payment: ChannelPayment | undefined;
  try {
    const sum = record.chargedMicroUsd + offer.amountMicroUsd;
    const voucher = await signVoucher(terms.signer, offer.network, channelId, sum);
    const common = { channelConfig: record.config, voucher };
    const payload = deposit ? { type: 'deposit', ...common, deposit } : { type: 'voucher', ...common };
    payment = readChannelPayment(encodePayment(offer, payload));
  } catch (cause) {
    return { outcome: notSigned(cause) };
  }
  if (payment === undefined) return { outcome: notSigned(new TypeError('the wallet has no address')) };
  const open = { request, payment };
  try {
    await keepRecord(terms.store, { ...record, open });
  } catch (cause) {
    const message = 'the voucher was not kept, nor sent';
    return { outcome: stopped('STORE_FAILED', message, cause) };
  }
  return sendVoucher(terms, record, open, false);
}

async function sendVoucher(
  terms: ChannelTerms,
  { open: _, ...record }: ChannelRecord,
  { request, payment }: NonNullable<ChannelRecord['open']>,
  isResumed: boolean,
): Promise<Judged> {
  const answer = await send(terms, request, { 'payment-signature': payment.header });
  const judged = await judge(answer, { record, payment, isResumed, signer: terms.signer });
  const { chargedMicroUsd, outcome } = judged;
  if (chargedMicroUsd === undefined) return judged;
  try {
    await keepRecord(terms.store, { ...record, chargedMicroUsd });
  } catch (cause) {
    const fault: Fault = { code: 'STORE_FAILED', message: 'the call has ended, but the store still keeps it', cause };
    const retry = samePayment(record.name);
    return { outcome: maybeCharged(fault, retry, outcome.ok ? 'yes' : 'unknown') };
  }
  return judged;
}

interface Sent {
  readonly record: ChannelRecord;
  readonly payment: ChannelPayment;
  /** Whether it may have been sent before, so that a refusal does not say whether it was charged. */
  readonly isResumed: boolean;
  readonly signer: Signer;
}

async function judge(answer: Answer | Error, sent: Sent): Promise<Judged> {
  const { record, isResumed } = sent;
  const fault = faultOf(answer);
  const again = (afterMs: number) => samePayment(record.name, afterMs);
  if (answer instanceof Error) return { outcome: maybeCharged(fault, again(0)) };
  const { status } = answer;
  if (status === 200) return readResult(answer, fault, sent);
  if (status === 402) return judgeRefusal(answer, describeDeposit(answer, fault), sent);
  if (status === 409) return { outcome: maybeCharged(fault, { how: 'never', payment: record.name }) };
  if (isResumed || !(isFaultOfRequest(answer) || FREE_CODES.includes(fault.code)))
    return { outcome: maybeCharged(fault, again(retryAfterMs(answer))) };
  const { chargedMicroUsd } = record;
  return { outcome: notCharged(describeDeposit(answer, fault), { how: 'change' }), chargedMicroUsd };
}

/** A call that failed may have made its deposit. */
function describeDeposit({ headers }: Answer, fault: Fault): Fault {
  const { success, transaction, amount } = fromBase64(headers.get('payment-response'));
  if (success !== true || !isTransaction(transaction)) return fault;
  return { ...fault, message: `${fault.message}; ${amount} micro-USD were deposited in ${transaction}` };
}

async function judgeRefusal(answer: Answer, fault: Fault, sent: Sent): Promise<Judged> {
  const { record, payment, isResumed, signer } = sent;
  const { chargedMicroUsd } = record;
  const corrected = await correctedSum(answer, payment, chargedMicroUsd, signer).catch(notSigned);
  if (typeof corrected === 'object') return { outcome: corrected, ...(!isResumed && { chargedMicroUsd }) };
  const isMoved = corrected !== undefined && corrected >= payment.sumMicroUsd;
  // The channel went on after this voucher, or another one for its sum: only the latest call is answered again.
  if (isResumed && isMoved)
    return { outcome: maybeCharged(fault, { how: 'never', payment: undefined }), chargedMicroUsd: corrected };
  const outcome = notCharged(fault, { how: 'again', afterMs: retryAfterMs(answer) });
  if (corrected !== undefined) return { outcome, chargedMicroUsd: corrected, isCorrected: !isResumed };
  const { validBefore } = payment;
  if (isResumed && (validBefore === undefined || untilExpiryMs(answer.headers, validBefore) > 0)) {
    const retry = samePayment(record.name, retryAfterMs(answer));
    return { outcome: maybeCharged({ ...fault, code: 'NOT_SETTLED' }, retry) };
  }
  const isBusy = fault.code.endsWith('_channel_busy');
  return { outcome: isResumed || isBusy ? outcome : notCharged(fault, { how: 'change' }), chargedMicroUsd };
}

function readResult({ headers, json }: Answer, fault: Fault, { record, payment }: Sent): Judged {
  const { payer, network, channelId, priceMicroUsd, sumMicroUsd } = payment;
  const response = fromBase64(headers.get('payment-response'));
  const { chargedAmount, channelState } = membersOf(response['extra']);
  const state = membersOf(channelState);
  const { transaction } = response;
  const isConfirmed =
    response['success'] === true &&
    response['network'] === network &&
    String(response['payer']).toLowerCase() === payer.toLowerCase() &&
    state['channelId'] === channelId &&
    state['chargedCumulativeAmount'] === `${sumMicroUsd}` &&
    chargedAmount === `${priceMicroUsd}` &&
    (transaction === '' || isTransaction(transaction)) &&
    !headers.has('x-access-mode') &&
    !headers.has('x-trial-status');
  const again = samePayment(record.name);
  if (!isConfirmed)
    return { outcome: maybeCharged({ ...fault, code: 'UNCONFIRMED', message: 'the charge is not confirmed' }, again) };
  if (json === undefined)
    return { outcome: maybeCharged({ ...fault, message: 'the result is not JSON' }, again, 'yes') };
  const deposit = transaction === '' ? undefined : String(transaction);
  const about = { priceMicroUsd, network, channelId, chargedMicroUsd: sumMicroUsd, deposit };
  return { outcome: { ok: true, paidBy: 'channel', result: json, ...about }, chargedMicroUsd: sumMicroUsd };
}
