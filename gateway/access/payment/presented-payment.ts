import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { parseStrictJson } from '../../../services/shared/strict-json.ts';
import { AppError } from '../../errors.ts';

/** Base64 characters; larger headers hold no payment. */
const MAX_HEADER_CHARACTERS = 12 * 1024;
/** What such a header can hold. */
const MAX_PAYLOAD_BYTES = 9 * 1024;
const CANONICAL_BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const IDENTIFIER = /^[a-zA-Z0-9_-]{16,128}$/;

/** An x402 `PaymentPayload` as it was sent, of whatever version. */
export interface PresentedPayment {
  /** JSON text of the payload. */
  readonly json: string;
  /** SHA-256 of what was sent: whoever sends that again holds the payment. */
  readonly hash: Buffer;
  readonly identifier: string | undefined;
  readonly version: unknown;
}

/**
 * The payment of a PAYMENT-SIGNATURE header; its hash is that of the raw header.
 * @throws {AppError} MALFORMED_PAYMENT
 */
export function readPaymentHeader(header: string): PresentedPayment {
  if (header.length === 0) throw malformed('the payment header is empty');
  if (header.length > MAX_HEADER_CHARACTERS) throw malformed('the payment header is larger than 12 KB');
  if (!CANONICAL_BASE64.test(header)) throw malformed('the payment header is not base64');
  const bytes = Buffer.from(header, 'base64');
  let payload: unknown;
  let json: string;
  try {
    json = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    payload = parseStrictJson(json);
  } catch (error) {
    throw malformed('the payment header does not hold JSON', error);
  }
  if (!isRecord(payload)) throw malformed('the payment header does not hold a JSON object');
  return present(payload, { json, sent: header });
}

/**
 * The payment of a message, where JSON is already read. Whoever hands messages on may write JSON anew, so its hash is
 * that of the canonical form (RFC 8785), which no raw header can have: that is base64.
 * @throws {AppError} MALFORMED_PAYMENT
 */
export function readPaymentPayload(payload: unknown): PresentedPayment {
  if (!isRecord(payload)) throw malformed('the payment is not a JSON object: send an x402 PaymentPayload, not base64');
  const json = JSON.stringify(payload);
  if (Buffer.byteLength(json) > MAX_PAYLOAD_BYTES) throw malformed('the payment is larger than 9 KB');
  return present(payload, { json, sent: canonicalize(payload) ?? json });
}

interface Sent {
  readonly json: string;
  readonly sent: string;
}

function present(payload: Readonly<Record<string, unknown>>, { json, sent }: Sent): PresentedPayment {
  const hash = createHash('sha256').update(sent).digest();
  return { json, hash, identifier: readIdentifier(payload), version: payload['x402Version'] };
}

function readIdentifier({ extensions }: Readonly<Record<string, unknown>>): string | undefined {
  if (!isRecord(extensions)) return undefined;
  const extension = extensions['payment-identifier'];
  const info = isRecord(extension) ? extension['info'] : undefined;
  const id = isRecord(info) ? info['id'] : undefined;
  if (id === undefined) return undefined;
  if (typeof id !== 'string' || !IDENTIFIER.test(id))
    throw malformed('payment-identifier: id is 16 to 128 of A-Z a-z 0-9 _ -');
  return id;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function malformed(message: string, cause?: unknown): AppError {
  return new AppError('MALFORMED_PAYMENT', message, { cause });
}
