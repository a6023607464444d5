import { channel } from 'node:diagnostics_channel';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { isAddress, isAddressEqual } from 'viem';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { createBoundedFetch } from '../../platform/upstream/bounded-fetch.ts';
import { causeCodeOf } from '../../platform/upstream/cause-code.ts';
import { parseJson } from '../payment/parse-json.ts';
import { type Payment, toPayload } from '../payment/payment.ts';
import { type Credentials, HeadersFileError } from './credentials.ts';
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
const Kind = Type.Object({ x402Version: Type.Unknown(), scheme: Type.Unknown(), network: Type.Unknown() });
const SupportedAnswer = Compile(Type.Object({ kinds: Type.Array(Kind) }));

const UNSENT = { kind: 'unsent' } as const satisfies SettlementReport;

interface Answer {
  readonly status: number;
  /** The body; undefined if it is not JSON. */
  readonly json: unknown;
}

export interface RemoteFacilitatorOptions {
  readonly url: string;
  readonly credentials: Credentials;
  /** CAIP-2. */
  readonly network: string;
  readonly timeoutMs: number;
  readonly now: () => number;
}

/** Its requests may be billed or limited. */
const CHECK_EVERY_MS = 2000;
/** Below the time that a check of readiness may take. */
const CHECK_TIMEOUT_MS = 3000;

/** Calls an x402 facilitator over HTTP. It may be slow, broken or hostile: its answers are bounded in size and time. */
export function createRemoteFacilitator(options: RemoteFacilitatorOptions) {
  const { credentials, network, timeoutMs, now } = options;
  const baseUrl = options.url.replace(/\/+$/, '');
  const boundedFetch = createBoundedFetch(MAX_ANSWER_BYTES);
  let closedBecause: string | undefined;
  let mustAsk = true;
  let nextCheckMs = Number.NEGATIVE_INFINITY;

  /** @throws {ServiceError} PAYMENT_UNAVAILABLE while it is known to refuse us */
  function admit(): void {
    if (closedBecause === undefined) return;
    throw new ServiceError('PAYMENT_UNAVAILABLE', `payments are not available: ${closedBecause}`);
  }

  function close(reason: string): void {
    closedBecause = reason;
    mustAsk = true;
  }

  async function send(path: '/supported' | '/verify' | '/settle', payment?: Payment): Promise<Answer> {
    const url = `${baseUrl}${path}`;
    const method = payment === undefined ? 'GET' : 'POST';
    const own = await credentials({ method, url }).catch((error: unknown) => {
      close(`the credentials of the facilitator cannot be used: ${error instanceof Error ? error.message : 'unknown'}`);
      throw error;
    });
    const response = await boundedFetch(url, {
      method,
      headers: { ...own, ...(payment && { 'content-type': 'application/json' }) },
      ...(payment && { body: bodyOf(payment) }),
      signal: AbortSignal.timeout(payment === undefined ? Math.min(timeoutMs, CHECK_TIMEOUT_MS) : timeoutMs),
    });
    const { status } = response;
    if (isStranger(status)) close(`the facilitator refused the credentials of this service (status ${status})`);
    return { status, json: parseJson(await response.text()) };
  }

  /**
   * Whether it takes our payments; undefined if it does not say. Its refusal of our credentials is what `admit` then throws.
   * @throws {Error} if it does not answer
   */
  async function readSupport(): Promise<boolean | undefined> {
    const { status, json } = await send('/supported');
    if (!isOk(status) || !SupportedAnswer.Check(json)) return undefined;
    return json.kinds.some((kind) => kind.x402Version === 2 && kind.scheme === 'exact' && kind.network === network);
  }

  const facilitator: Facilitator = {
    async verify(payment) {
      const { status, json } = await send('/verify', payment).catch((cause: unknown) => {
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
        const answer = await send('/settle', payment);
        step.publish('settle.sent');
        return readSettlement(answer, payment);
      } catch (error) {
        const code = causeCodeOf(error);
        const isUnsent = error instanceof HeadersFileError || (code !== undefined && NOT_CONNECTED.has(code));
        return isUnsent ? UNSENT : { kind: 'unknown' };
      }
    },
  };
  return {
    ...facilitator,
    admit,
    readSupport,
    /**
     * Asks whether the facilitator knows us and takes our payments: once, and again after it refused our credentials.
     * @throws {ServiceError} PAYMENT_UNAVAILABLE if not
     */
    async check(): Promise<void> {
      if (mustAsk && now() >= nextCheckMs) {
        nextCheckMs = now() + CHECK_EVERY_MS;
        // Without an answer, payments stay as open as they were.
        const isSupported = await readSupport().catch(() => undefined);
        if (isSupported === false) close(`the facilitator does not list exact payments on ${network} as supported`);
        if (isSupported === true) closedBecause = undefined;
        mustAsk = closedBecause !== undefined;
      }
      admit();
    },
  };
}

const isOk = (status: number) => status >= 200 && status < 300;
/** Whether the request was refused because of who sent it. */
const isStranger = (status: number) => status === 401 || status === 403;
const isRefusal = (status: number) => status >= 400 && status < 500 && !isStranger(status);

function bodyOf(payment: Payment): string {
  const paymentPayload = toPayload(payment);
  const { x402Version } = paymentPayload;
  return JSON.stringify({ x402Version, paymentPayload, paymentRequirements: payment.offer });
}

type Text = string | null | undefined;

const isPayer = (payer: Text, payment: Payment) =>
  !payer || (isAddress(payer, { strict: false }) && isAddressEqual(payer, payment.payer));
const isNetwork = (network: Text, { offer }: Payment) => !network || network === offer.network;

function readSettlement({ status, json }: Answer, payment: Payment): SettlementReport {
  if (SettleAnswer.Check(json)) {
    if (isOk(status)) return readSettleAnswer(json, payment);
    const refusal = readRefusal(json);
    if (isRefusal(status) && !json.success) return refusal;
    // It refused who sent it, unless it says that it worked all the same.
    if (isStranger(status) && !json.success) return refusal.kind === 'refused' ? UNSENT : refusal;
  }
  // Only the facilitator itself, after work, writes a body with a settlement.
  const hasSettlement = typeof json === 'object' && json !== null && 'success' in json;
  return BEFORE_WORK.has(status) && !hasSettlement ? UNSENT : { kind: 'unknown' };
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
