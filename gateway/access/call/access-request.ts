import { AppError } from '../../errors/app-error.ts';
import type { Operation } from '../../operations/operation/operation.ts';
import type { Offer } from '../offer/offer.ts';

/** A request for an operation, with everything that decides about access to it. */
export interface AccessRequest {
  readonly operation: Operation;
  readonly offer: Offer;
  /** The URL of the offer with the query of the request, for which a challenge is. */
  readonly uri: string;
  /** Host of the public origin: the `domain` of its challenges. */
  readonly domain: string;
  /** Parsed JSON. */
  readonly body: unknown;
  readonly requestId: string;
  /** Who calls, as calls are shared between clients: an IPv4 address or an IPv6 /64. */
  readonly client: string;
  /** Address prefix whose new grants and deposits are limited; undefined if they are not. */
  readonly clientNetwork: string | undefined;
}

export interface AccessReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string | Buffer;
  /** Whether this very request was paid for: by a new charge, and not by one that it repeats. */
  readonly isPaid?: boolean;
}

/** @throws {AppError} INVALID_REQUEST */
export function assertValid({ operation, body }: AccessRequest): void {
  const fault = operation.validate(body);
  if (fault !== undefined) throw new AppError('INVALID_REQUEST', fault);
}

/** Whether the body is missing or `{}`: such a request only asks for the price. */
export function isEmptyBody(body: unknown): boolean {
  if (body === undefined) return true;
  return typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0;
}
