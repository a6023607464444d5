import type { status } from '@grpc/grpc-js';

/** One error code of the API, of a service, or of both. */
export interface ErrorEntry {
  /** HTTP status. Present if the API can answer with this code. */
  readonly http?: number;
  /** gRPC status. Present if a service can answer with this code. */
  readonly grpc?: keyof typeof status;
  /** Present if the gateway passes a service's code and message on to the caller unchanged. */
  readonly forwarded?: true;
  /** Present if the caller may send exactly the same request again, payment and idempotency key included. A trial never is. */
  readonly repeat?: true;
  /** One sentence: what happened. */
  readonly meaning: string;
  /** What the caller does next. Tools return it with the error. */
  readonly remedy: string;
  /** What the caller does instead if the call was a trial. Present if a trial can get this code and `remedy` is not for it. */
  readonly trial?: string;
}
