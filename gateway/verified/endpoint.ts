import type { TSchema } from 'typebox';
import type { Caller } from '../../proto/gen/tollhouse/verification/v1/verification.ts';
import type { CallSettings } from '../../services/platform/grpc/grpc-client.ts';
import type { VerifiedClients } from '../clients/verified-clients.ts';

/** A path as OpenAPI writes it: parameters in braces. */
export type ApiPath = `/api/v1/${string}`;

/** A request to an endpoint, over HTTP or as a tool. */
export interface EndpointRequest {
  readonly caller: Caller;
  /** Parameters of the path and the query, as they were sent. */
  readonly params: Readonly<Record<string, string>>;
  /** The text of the body, as it was sent. The service parses it. */
  readonly body: string;
  /** Empty if none was sent, as protobuf writes an absent string. */
  readonly idempotencyKey: string;
  /** Whether the caller prefers a job to waiting (RFC 7240, `respond-async`). */
  readonly wantsJob: boolean;
  /** Whether the caller prefers Markdown to JSON (`Accept`). */
  readonly wantsMarkdown: boolean;
  readonly clients: VerifiedClients;
  readonly settings: CallSettings;
}

export interface EndpointResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Media type of the body. */
  readonly type: string;
  readonly body: string | Buffer;
  /** Verdicts that were computed for this response, by check. */
  readonly verdicts: Readonly<Record<string, string>>;
}

/** What every endpoint declares for documents and routing. */
export interface EndpointText {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** Whether the endpoint needs no API key. */
  readonly isPublic?: boolean;
  /** Whether a write, which is applied once per key, requires its idempotency key. */
  readonly idempotencyKey?: 'required' | 'optional';
  /** Required query parameters, with their descriptions. */
  readonly query?: Readonly<Record<string, string>>;
  /** Optional query parameters. An endpoint that has any refuses unknown ones. */
  readonly optionalQuery?: Readonly<Record<string, TSchema>>;
  /** Failures by HTTP status, beside those of every endpoint with the same method. */
  readonly failures?: Readonly<Record<number, string>>;
  readonly request?: {
    readonly schema: TSchema;
    readonly examples: readonly unknown[];
    /** Media type, if the body is not JSON. */
    readonly type?: string;
    /** Largest body, if it is not that of all endpoints. */
    readonly maxBytes?: number;
  };
  readonly timeoutMs: number;
}

/** An endpoint of verified execution: its route, its OpenAPI description and its tool are derived from it. */
export interface Endpoint extends EndpointText {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: ApiPath;
  readonly status: 200 | 201;
  readonly answer: {
    readonly schema: TSchema;
    readonly example: unknown;
    readonly type?: string;
    /** Whether `Accept: text/markdown` gets Markdown instead. */
    readonly isMarkdownToo?: boolean;
  };
  /** @throws {AppError} */
  readonly call: (request: EndpointRequest) => Promise<EndpointResponse>;
}
