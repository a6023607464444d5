import { createHash } from 'node:crypto';
import { parseStrictJson } from '../../../services/shared/strict-json.ts';
import { AppError } from '../../errors.ts';

/** Base64 characters; larger headers hold no payment. */
const MAX_HEADER_CHARACTERS = 12 * 1024;
const CANONICAL_BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const IDENTIFIER = /^[a-zA-Z0-9_-]{16,128}$/;

export interface PaymentHeader {
  /** JSON text of the payload. */
  readonly json: string;
  /** SHA-256 of the raw header. */
  readonly hash: Buffer;
  readonly identifier: string | undefined;
  readonly version: unknown;
}

/** @throws {AppError} MALFORMED_PAYMENT */
export function readPaymentHeader(header: string): PaymentHeader {
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
  const hash = createHash('sha256').update(header).digest();
  return { json, hash, identifier: readIdentifier(payload), version: payload['x402Version'] };
}

function readIdentifier(payload: Record<string, unknown>): string | undefined {
  const { extensions } = payload;
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
