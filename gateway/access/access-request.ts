import type { Operation } from '../operations/operation.ts';
import type { Offer } from './offer/offer.ts';

/** A request for an operation, as far as access to it goes. */
export interface AccessRequest {
  readonly operation: Operation;
  readonly offer: Offer;
  /** Host of the public origin: what a challenge's `domain` says. */
  readonly domain: string;
  /** Parsed JSON, valid for the operation. */
  readonly body: unknown;
  readonly requestId: string;
  /** Address prefix that bounds new grants, where they are bounded. */
  readonly grantScope: string | undefined;
}

export interface AccessReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string | Buffer;
}
