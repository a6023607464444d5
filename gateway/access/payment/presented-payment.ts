import { isRecord } from '../../../services/platform/is-record.ts';
import { parseStrictJson } from '../../../workers/exact/strict-json.ts';
import { AppError } from '../../errors/app-error.ts';
import { OFFER_SECRET } from '../offer/offer-secret.ts';

/** Most base64 characters of a payment header: a signature of 4 KiB takes 11 KiB of them. */
const MAX_HEADER_CHARACTERS = 16 * 1024;
/** Most bytes that such a header can hold. */
const MAX_PAYLOAD_BYTES = 12 * 1024;
const CANONICAL_BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const IDENTIFIER = /^[a-zA-Z0-9_-]{16,128}$/;

/** An x402 `PaymentPayload` of any version, without the secret of the offer that it accepts. */
export interface PresentedPayment {
  /** Nothing behind the gateway needs the secret. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** The secret that the client echoes. Not checked: it may have any type. */
  readonly offerSecret: unknown;
  readonly identifier: string | undefined;
  readonly version: unknown;
}

/**
 * The payment of a PAYMENT-SIGNATURE header.
 * @throws {AppError} MALFORMED_PAYMENT
 */
export function readPaymentHeader(header: string): PresentedPayment {
  if (header.length === 0) throw malformed('the payment header is empty');
  if (header.length > MAX_HEADER_CHARACTERS) throw malformed('the payment header is larger than 16 KB');
  if (!CANONICAL_BASE64.test(header)) throw malformed('the payment header is not base64');
  const bytes = Buffer.from(header, 'base64');
  let payload: unknown;
  try {
    payload = parseStrictJson(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch (error) {
    throw malformed('the payment header does not hold JSON', error);
  }
  if (!isRecord(payload)) throw malformed('the payment header does not hold a JSON object');
  return present(payload);
}

/**
 * The payment of a message whose JSON is already parsed.
 * @throws {AppError} MALFORMED_PAYMENT
 */
export function readPaymentPayload(payload: unknown): PresentedPayment {
  if (!isRecord(payload)) throw malformed('the payment is not a JSON object: send an x402 PaymentPayload, not base64');
  if (Buffer.byteLength(JSON.stringify(payload)) > MAX_PAYLOAD_BYTES)
    throw malformed('the payment is larger than 12 KB');
  return present(payload);
}

function present(payload: Readonly<Record<string, unknown>>): PresentedPayment {
  const { offerSecret, rest } = takeSecret(payload);
  return {
    payload: rest,
    offerSecret,
    identifier: readIdentifier(payload),
    version: payload['x402Version'],
  };
}

function takeSecret(payload: Readonly<Record<string, unknown>>) {
  const { accepted } = payload;
  const extra = isRecord(accepted) ? accepted['extra'] : undefined;
  if (!isRecord(accepted) || !isRecord(extra)) return { offerSecret: undefined, rest: payload };
  const { [OFFER_SECRET]: offerSecret, ...others } = extra;
  return { offerSecret, rest: { ...payload, accepted: { ...accepted, extra: others } } };
}

function readIdentifier({ extensions }: Readonly<Record<string, unknown>>): string | undefined {
  if (!isRecord(extensions)) return undefined;
  const extension = extensions['payment-identifier'];
  const info = isRecord(extension) ? extension['info'] : undefined;
  const id = isRecord(info) ? info['id'] : undefined;
  if (id === undefined || id === null) return undefined;
  if (typeof id !== 'string' || !IDENTIFIER.test(id))
    throw malformed('payment-identifier: id is 16 to 128 of A-Z a-z 0-9 _ -');
  return id;
}

function malformed(message: string, cause?: unknown): AppError {
  return new AppError('MALFORMED_PAYMENT', message, { cause });
}
