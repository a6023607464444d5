import { channel } from 'node:diagnostics_channel';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { isAddress, isAddressEqual } from 'viem';
import { createBoundedFetch } from '../../platform/upstream/bounded-fetch.ts';
import { type Payment, toPayload } from '../payment/payment.ts';
import { type Facilitator, FacilitatorError, readHash, type SettlementClaim, safeReason } from './facilitator.ts';

const step = channel('tollhouse:step');

/** Failures after which no byte of a request has left. */
const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Answers take less than 1 KB. */
const MAX_ANSWER_BYTES = 64 * 1024;

const Text = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const VerifyAnswer = Compile(Type.Object({ isValid: Type.Boolean(), invalidReason: Text, payer: Text }));
const Settled = Type.Object({
  success: Type.Boolean(),
  transaction: Type.String(),
  network: Type.String(),
  errorReason: Text,
  payer: Text,
});
const SettleAnswer = Compile(Settled);
/** What comes with an error status. Facilitators leave out what they do not know. */
const SettleRefusal = Compile(Type.Object({ success: Type.Literal(false), transaction: Text, errorReason: Text }));

interface Answer {
  readonly status: number;
  /** undefined: the body is not JSON. */
  readonly json: unknown;
}

/** An x402 facilitator over HTTP. It may be slow, broken or hostile: its answers are bounded in size and time. */
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
      // Any other status, a redirect for example, is not the facilitator's verdict.
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
        const { code } = (error as { cause?: { code?: unknown } }).cause ?? {};
        return { kind: typeof code === 'string' && NOT_CONNECTED.has(code) ? 'unsent' : 'unknown' };
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

const isPayer = (payer: string | null | undefined, payment: Payment) =>
  payer === undefined ||
  payer === null ||
  (isAddress(payer, { strict: false }) && isAddressEqual(payer, payment.payer));

function readSettlement({ status, json }: Answer, payment: Payment): SettlementClaim {
  if (!isOk(status)) return readRefusedSettlement(status, json);
  return SettleAnswer.Check(json) ? readVerdict(json, payment) : { kind: 'unknown' };
}

function readVerdict(answer: Static<typeof Settled>, payment: Payment): SettlementClaim {
  const transaction = readHash(answer.transaction);
  const found = transaction && { transaction };
  if (!answer.success) {
    // With a transaction it may still come: `settlement_pending`, or a hash that the facilitator gave up waiting for.
    if (transaction || answer.errorReason === 'settlement_pending') return { kind: 'unknown', ...found };
    return { kind: 'refused', reason: safeReason(answer.errorReason ?? undefined, 'settlement_failed') };
  }
  const sane = transaction && answer.network === payment.offer.network && isPayer(answer.payer, payment);
  return sane ? { kind: 'settled', transaction } : { kind: 'unknown', ...found };
}

/** Statuses (key, path, size, quota) that come before any work. Others may come after it: 408 and 499 are time-outs. */
const BEFORE_WORK = new Set([
  ...[400, 401, 402, 403, 404, 405, 406, 407],
  ...[410, 411, 412, 413, 414, 415, 416, 417, 421, 422, 429],
]);

function readRefusedSettlement(status: number, json: unknown): SettlementClaim {
  if (isRefusal(status) && SettleRefusal.Check(json)) {
    const transaction = readHash(json.transaction ?? undefined);
    if (transaction || json.errorReason === 'settlement_pending')
      return { kind: 'unknown', ...(transaction && { transaction }) };
    return { kind: 'refused', reason: safeReason(json.errorReason ?? undefined, 'settlement_failed') };
  }
  // A body that speaks of a settlement was written by the facilitator, after work.
  const isVerdict = typeof json === 'object' && json !== null && 'success' in json;
  return { kind: BEFORE_WORK.has(status) && !isVerdict ? 'unsent' : 'unknown' };
}
