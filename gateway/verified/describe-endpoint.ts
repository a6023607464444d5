import { Type } from 'typebox';
import { IDEMPOTENCY_KEY } from '../../services/verification/contract/arguments.ts';
import { defined } from '../../workers/exact/defined.ts';
import {
  type DescribedFailure,
  REQUEST_ID,
  RETRY_AFTER,
  TRANSPORT_FAILURES,
  WWW_AUTHENTICATE,
} from '../errors/transport-failures.ts';
import type { Endpoint } from './endpoint.ts';

const FAILURES: Readonly<Record<number, DescribedFailure>> = {
  ...TRANSPORT_FAILURES,
  400: { description: 'The body is not JSON, or a header is missing or malformed' },
  401: {
    description: 'No API key, or one that is unknown or revoked',
    headers: { ...REQUEST_ID, ...WWW_AUTHENTICATE },
  },
  403: { description: 'The role of the key does not allow this, or the record belongs to another key' },
  404: { description: 'There is no such record. Other tenants’ records return 404' },
  409: { description: 'The state of the records does not allow this' },
  413: { description: 'The body is larger than 8 MiB (a table: 16 MiB)' },
  415: { description: 'The body is not application/json (a table: application/jsonl)' },
  422: { description: 'A value of the body is invalid: the message begins with a JSON pointer' },
  423: { description: 'Writes that move money are stopped' },
  429: {
    description: 'Too many failed requests of this API key, or of this address without a valid key',
    headers: { ...REQUEST_ID, ...RETRY_AFTER },
  },
  502: { description: 'A service behind the gateway failed' },
  503: {
    description:
      'Not available now: SERVICE_UNAVAILABLE (the store or the service) or OVERLOADED; the same request with the same idempotency key may be sent again',
    headers: { ...REQUEST_ID, ...RETRY_AFTER },
  },
  504: { description: 'It took too long' },
};

const FAILURES_OF_READS = [400, 404, 405, 408, 429, 431, 500, 502, 503, 504];

/** The route of an endpoint in the OpenAPI document. */
export function describeEndpoint(endpoint: Endpoint): object {
  const { method, answer, status, request, isPublic = false } = endpoint;
  const common = Object.entries(FAILURES).filter(([code]) => {
    if (code === '401' || code === '403') return !isPublic;
    return method !== 'GET' || FAILURES_OF_READS.includes(Number(code));
  });
  const own = Object.entries(endpoint.failures ?? {}).map(([code, description]) => [code, { description }] as const);
  const failures: readonly (readonly [string, DescribedFailure])[] = [...common, ...own];
  const type = answer.type ?? 'application/json';
  return {
    operationId: endpoint.operationId,
    tags: ['verified execution'],
    summary: endpoint.summary,
    description: endpoint.description,
    security: isPublic ? [] : [{ apiKey: [] }],
    ...paramsOf(endpoint),
    ...headersOf(endpoint),
    ...(request === undefined ? {} : { body: bodyOf(request) }),
    response: {
      [status]: {
        description: 'The answer',
        headers: {
          ...REQUEST_ID,
          ...(endpoint.idempotencyKey === undefined
            ? {}
            : {
                'idempotency-replayed': Type.Literal('true', { description: 'Set if this is the first answer again' }),
              }),
        },
        content: {
          [type]: { schema: { ...answer.schema, examples: [answer.example] } },
          ...(answer.isMarkdownToo ? { 'text/markdown': { schema: Type.String() } } : {}),
        },
      },
      ...Object.fromEntries(
        failures.map(([code, { description, headers = REQUEST_ID }]) => [
          code,
          { ...Type.Ref('Error'), description, headers },
        ]),
      ),
    },
  };
}

/** The schema of the body, or of the text of another media type. */
function bodyOf({ schema, examples, type }: NonNullable<Endpoint['request']>): object {
  const described = { ...schema, examples };
  return type === undefined ? described : { content: { [type]: { schema: described } } };
}

function paramsOf({ path, query, optionalQuery }: Endpoint): object {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => defined(name));
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
    description: 'A text of your choice. The same key and request are applied once and get the same answer',
  });
  return {
    headers: Type.Object({ 'Idempotency-Key': idempotencyKey === 'required' ? key : Type.Optional(key) }),
  };
}
