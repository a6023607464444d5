import { Type } from 'typebox';
import { IDEMPOTENCY_KEY } from '../../services/shared/verification/arguments.ts';
import type { Endpoint } from './endpoint.ts';

const HEADERS = { 'x-request-id': Type.String({ description: 'Id of this request' }) };

const FAILURES = {
  400: 'The body is not JSON, or a header is missing or malformed',
  401: 'No API key, or one that is unknown or revoked',
  403: 'The role of the key does not allow it',
  404: 'There is no such record; another tenant’s is none',
  409: 'The state of the records does not allow it',
  413: 'The body is larger than 8 MiB',
  415: 'The body is not application/json',
  422: 'The body is JSON, and means nothing here: the message begins with a JSON pointer',
  423: 'Writes that move money are stopped',
  429: 'Too many failed requests',
  503: 'Not available now; the same request with the same idempotency key may be sent again',
  504: 'It took too long',
} as const;

const FAILURES_OF_READS = [400, 404, 429, 503, 504];

/** The route of an endpoint, as the OpenAPI document shows it. */
export function describeEndpoint(endpoint: Endpoint): object {
  const { method, answer, status, request, isPublic = false } = endpoint;
  const common = Object.entries(FAILURES).filter(([code]) => {
    if (code === '401' || code === '403') return !isPublic;
    return method !== 'GET' || FAILURES_OF_READS.includes(Number(code));
  });
  const failures = [...common, ...Object.entries(endpoint.failures ?? {})];
  const type = answer.type ?? 'application/json';
  return {
    operationId: endpoint.operationId,
    tags: ['verified execution'],
    summary: endpoint.summary,
    description: endpoint.description,
    ...(isPublic ? {} : { security: [{ apiKey: [] }] }),
    ...paramsOf(endpoint),
    ...headersOf(endpoint),
    ...(request === undefined ? {} : { body: { ...request.schema, examples: request.examples } }),
    response: {
      [status]: {
        description: 'The answer',
        headers: {
          ...HEADERS,
          ...(endpoint.idempotencyKey === undefined
            ? {}
            : { 'idempotency-replayed': Type.Literal('true', { description: 'Set when it was answered before' }) }),
        },
        content: { [type]: { schema: { ...answer.schema, examples: [answer.example] } } },
      },
      ...Object.fromEntries(
        failures.map(([code, description]) => [code, { ...Type.Ref('Error'), description, headers: HEADERS }]),
      ),
    },
  };
}

function paramsOf({ path, query, optionalQuery }: Endpoint): object {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const properties = names.map((name) => [name, Type.String({ description: 'An id' })]);
  const wanted = [
    ...Object.entries(query ?? {}).map(([name, description]) => [name, Type.String({ description })]),
    ...Object.entries(optionalQuery ?? {}).map(([name, schema]) => [name, Type.Optional(schema)]),
  ];
  return {
    ...(properties.length === 0 ? {} : { params: Type.Object(Object.fromEntries(properties)) }),
    ...(wanted.length === 0 ? {} : { querystring: Type.Object(Object.fromEntries(wanted)) }),
  };
}

function headersOf({ idempotencyKey }: Endpoint): object {
  if (idempotencyKey === undefined) return {};
  const key = Type.String({
    pattern: IDEMPOTENCY_KEY,
    description: 'Of your choice: the same key and request are applied once, and answered alike',
  });
  return {
    headers: Type.Object({ 'Idempotency-Key': idempotencyKey === 'required' ? key : Type.Optional(key) }),
  };
}
