import { Type } from 'typebox';

/** A failure in the OpenAPI document. */
export interface DescribedFailure {
  readonly description: string;
  /** Headers of the answer, if they differ from those of the other failures. */
  readonly headers?: object;
}

/** Header of every answer. */
export const REQUEST_ID = { 'x-request-id': Type.String({ description: 'Id of this request' }) };

export const RETRY_AFTER = {
  'retry-after': Type.String({ pattern: '^[0-9]+$', description: 'Seconds to wait before the next request' }),
};

export const WWW_AUTHENTICATE = {
  'www-authenticate': Type.String({ description: 'How to send the API key (RFC 6750)' }),
};

/** Failures before a route sees the request, and faults of a route: the same on every route. */
export const TRANSPORT_FAILURES = {
  405: {
    description: 'This path does not have that method',
    headers: { ...REQUEST_ID, allow: Type.String({ description: 'The methods that it has' }) },
  },
  408: { description: 'The request did not arrive within 30 seconds', headers: REQUEST_ID },
  417: { description: 'Expect is not 100-continue', headers: REQUEST_ID },
  431: { description: 'The request headers are larger than 32 KB', headers: REQUEST_ID },
  500: { description: 'A fault of the service' },
} as const satisfies Readonly<Record<number, DescribedFailure>>;
