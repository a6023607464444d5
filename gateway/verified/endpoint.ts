import type { TSchema } from 'typebox';
import type { Caller } from '../../proto/gen/tollhouse/verification/v1/verification.ts';
import type { CallSettings } from '../../services/platform/grpc/grpc-client.ts';
import type { VerifiedClients } from '../clients/verified-clients.ts';

/** What an endpoint is called with. */
export interface EndpointCall {
  readonly caller: Caller;
  /** Ids and numbers of path and query, as they were sent. */
  readonly params: Readonly<Record<string, string>>;
  /** The body as it was sent: the service reads it. */
  readonly body: string;
  /** Empty where none was sent. */
  readonly idempotencyKey: string;
  /** Whether the caller would rather not wait (RFC 7240). */
  readonly wantsJob: boolean;
  readonly clients: VerifiedClients;
  readonly settings: CallSettings;
}

export interface EndpointAnswer {
  /** The endpoint's own unless given. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON by default. */
  readonly type?: string;
  readonly body: string | Buffer;
  /** What was found, by check, where it was worked out for this answer. */
  readonly verdicts?: Readonly<Record<string, string>>;
}

/** An endpoint of verified execution: route, OpenAPI and examples come from it. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** As OpenAPI has it, parameters in braces. */
  readonly path: `/api/v1/${string}`;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** Whether anyone may call it. */
  readonly isPublic?: boolean;
  /** A write that is applied once: whether its key must be sent. */
  readonly idempotencyKey?: 'required' | 'optional';
  /** Query parameters that are required, and what each is. */
  readonly query?: Readonly<Record<string, string>>;
  /** Query parameters that may be left out. Where an endpoint has such, one that it does not know is refused. */
  readonly optionalQuery?: Readonly<Record<string, TSchema>>;
  /** What it may be refused with besides what every endpoint of its method may. */
  readonly failures?: Readonly<Record<number, string>>;
  readonly request?: { readonly schema: TSchema; readonly examples: readonly unknown[] };
  readonly status: 200 | 201;
  readonly answer: { readonly schema: TSchema; readonly example: unknown; readonly type?: string };
  readonly timeoutMs: number;
  /** @throws {AppError} */
  readonly call: (call: EndpointCall) => Promise<EndpointAnswer>;
}
