import { Type } from 'typebox';
import {
  type DescribedFailure,
  REQUEST_ID,
  RETRY_AFTER,
  TRANSPORT_FAILURES,
  WWW_AUTHENTICATE,
} from '../errors/transport-failures.ts';

const Id = Type.Union([Type.String(), Type.Integer()]);
const Version = Type.Literal('2.0');

const Message = Type.Object({
  jsonrpc: Version,
  id: Type.Optional(Id),
  method: Type.String({ description: 'initialize, ping, tools/list, tools/call, or a notification' }),
  params: Type.Optional(Type.Object({}, { additionalProperties: true })),
});

const Fault = Type.Object({
  code: Type.Integer(),
  message: Type.String(),
  data: Type.Optional(Type.Unknown()),
});

const Reply = Type.Object({
  jsonrpc: Version,
  id: Type.Union([Id, Type.Null()]),
  result: Type.Optional(
    Type.Object({}, { additionalProperties: true, description: 'For tools/call: content, structuredContent, isError' }),
  ),
  error: Type.Optional(Fault),
});

const FAILURES: Readonly<Record<number, DescribedFailure>> = {
  ...TRANSPORT_FAILURES,
  400: { description: 'The body is not a JSON-RPC message, or its revision of the protocol is not supported' },
  401: {
    description: 'No API key, or one that is unknown or revoked',
    headers: { ...REQUEST_ID, ...WWW_AUTHENTICATE },
  },
  403: { description: 'A page of another origin, or another host than the public ones' },
  404: { description: 'The method of the message does not exist' },
  413: { description: 'The body is larger than 8 MiB' },
  415: { description: 'The body is not application/json' },
  429: { description: 'Too many unsigned or failed requests', headers: { ...REQUEST_ID, ...RETRY_AFTER } },
  502: { description: 'A service behind the gateway failed' },
  503: { description: 'Not available now', headers: { ...REQUEST_ID, ...RETRY_AFTER } },
  504: { description: 'It took too long' },
};

/** Node refuses these requests before any route, so their body is the envelope. */
const UNROUTED = ['408', '431'];

interface Description {
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly security: readonly object[];
}

/** The route of a tool endpoint in the OpenAPI document. */
export function describeMcp({ operationId, tag, summary, security }: Description): object {
  const failures = Object.entries(FAILURES).filter(([status]) => status !== '401' || security.length > 0);
  const json = (example: object) => ({ 'application/json': { schema: { ...Reply, examples: [example] } } });
  return {
    operationId,
    tags: [tag],
    summary,
    description:
      'Streamable HTTP (revisions 2025-06-18, 2025-11-25 and 2026-07-28), without sessions: one JSON-RPC message, one JSON answer. Errors of a tool are results with isError; their text is the error envelope with a remedy.',
    security,
    headers: Type.Object({
      'MCP-Protocol-Version': Type.Optional(Type.String({ description: 'The negotiated revision' })),
    }),
    body: { ...Message, examples: [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }] },
    response: {
      200: {
        description: 'The answer',
        headers: REQUEST_ID,
        content: json({ jsonrpc: '2.0', id: 1, result: { tools: [] } }),
      },
      202: { description: 'A notification was accepted', headers: REQUEST_ID, type: 'null' },
      ...Object.fromEntries(
        failures.map(([status, { description, headers = REQUEST_ID }]) => {
          const refusal = json({ jsonrpc: '2.0', id: null, error: { code: -32_000, message: description } });
          if (UNROUTED.includes(status)) return [status, { ...Type.Ref('Error'), description, headers }];
          return [status, { description, headers, content: refusal }];
        }),
      ),
    },
  };
}
