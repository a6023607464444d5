import { channel } from 'node:diagnostics_channel';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { isAddress, isAddressEqual } from 'viem';
import { createBoundedFetch } from '../../platform/upstream/bounded-fetch.ts';
import { causeCodeOf } from '../../platform/upstream/cause-code.ts';
import { type Payment, toPayload } from '../payment/payment.ts';
import { type Facilitator, FacilitatorError, readHash, type SettlementReport, safeReason } from './facilitator.ts';

const step = channel('tollhouse:step');

/** Failures before any byte of a request was sent. */
const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Answers of facilitators have less than 1 KB. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** Facilitators leave out what they do not know, or send null or an empty text for it. */
const Text = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const VerifyAnswer = Compile(Type.Object({ isValid: Type.Boolean(), invalidReason: Text, payer: Text }));
const Settled = Type.Object({
  success: Type.Boolean(),
  transaction: Text,
  network: Text,
  errorReason: Text,
  payer: Text,
});
const SettleAnswer = Compile(Settled);

interface Answer {
  readonly status: number;
  /** The body; undefined if it is not JSON. */
  readonly json: unknown;
}

/** Calls an x402 facilitator over HTTP. It may be slow, broken or hostile: its answers are bounded in size and time. */
export function createRemoteFacilitator(options: { readonly url: string; readonly timeoutMs: number }): Facilitator {
  const baseUrl = options.url.replace(/\/+$/, '');
  const boundedFetch = createBoundedFetch(MAX_ANSWER_BYTES);

  async function post(path: '/verify' | '/settle', payment: Payment): Promise<Answer> {
    const paymentPayload = toPayload(payment);
    const { x402Version } = paymentPayload;
    const response = await boundedFetch(`${baseUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ x402Version, paymentPayload, paymentRequirements: payment.offer }),
      signal: AbortSignal.timeout(options.timeoutMs),
    });
    return { status: response.status, json: parse(await response.text()) };
  }

  return {
    async verify(payment) {
      const { status, json } = await post('/verify', payment).catch((cause: unknown) => {
        throw new FacilitatorError('the facilitator did not verify', { cause });
      });
      // Any other status, such as a redirect, does not say whether the payment is valid.
      if (!(isOk(status) || isRefusal(status)) || !VerifyAnswer.Check(json)) {
        throw new FacilitatorError(`the facilitator did not verify: status ${status}`);
      }
      if (!isOk(status) || !json.isValid) {
        return { ok: false, reason: safeReason(json.invalidReason ?? undefined, 'verification_failed') };
      }
      if (!isPayer(json.payer, payment)) throw new FacilitatorError('the facilitator verified another payer');
      return { ok: true };
    },
    async settle(payment) {
      try {
        const answer = await post('/settle', payment);
        step.publish('settle.sent');
        return readSettlement(answer, payment);
      } catch (error) {
        const code = causeCodeOf(error);
        return { kind: code !== undefined && NOT_CONNECTED.has(code) ? 'unsent' : 'unknown' };
      }
    },
  };
}

const isOk = (status: number) => status >= 200 && status < 300;
const isRefusal = (status: number) => status >= 400 && status < 500;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Text = string | null | undefined;

const isPayer = (payer: Text, payment: Payment) =>
  !payer || (isAddress(payer, { strict: false }) && isAddressEqual(payer, payment.payer));
const isNetwork = (network: Text, { offer }: Payment) => !network || network === offer.network;

function readSettlement({ status, json }: Answer, payment: Payment): SettlementReport {
  if (SettleAnswer.Check(json)) {
    if (isOk(status)) return readSettleAnswer(json, payment);
    if (isRefusal(status) && !json.success) return readRefusal(json);
  }
  // Only the facilitator itself, after work, writes a body with a settlement.
  const hasSettlement = typeof json === 'object' && json !== null && 'success' in json;
  return { kind: BEFORE_WORK.has(status) && !hasSettlement ? 'unsent' : 'unknown' };
}

type Settled = Static<typeof Settled>;

function readSettleAnswer(answer: Settled, payment: Payment): SettlementReport {
  if (!answer.success) return readRefusal(answer);
  const transaction = readHash(answer.transaction ?? undefined);
  if (transaction === undefined) return { kind: 'unknown' };
  const isOurs = isNetwork(answer.network, payment) && isPayer(answer.payer, payment);
  return { kind: isOurs ? 'settled' : 'unknown', transaction };
}

/** With a transaction it may still be mined: `settlement_pending`, or a hash that the facilitator stopped waiting for. */
function readRefusal({ transaction: text, errorReason }: Settled): SettlementReport {
  const transaction = readHash(text ?? undefined);
  if (transaction) return { kind: 'unknown', transaction };
  if (errorReason === 'settlement_pending') return { kind: 'unknown' };
  return { kind: 'refused', reason: safeReason(errorReason ?? undefined, 'settlement_failed') };
}

/** Statuses (key, path, size, quota) of requests that were refused before any work. Others, such as 408, may follow work. */
const BEFORE_WORK = new Set([
  ...[400, 401, 402, 403, 404, 405, 406, 407],
  ...[410, 411, 412, 413, 414, 415, 416, 417, 421, 422, 429],
]);
