import { Type } from 'typebox';

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
    Type.Object({}, { additionalProperties: true, description: 'Of tools/call: content, structuredContent, isError' }),
  ),
  error: Type.Optional(Fault),
});

const FAILURES = {
  400: 'The body is not a JSON-RPC message, or its revision of the protocol is not spoken here',
  401: 'No API key, or one that is unknown or revoked',
  403: 'A page of another origin, or another host than the public ones',
  413: 'The body is larger than 8 MiB',
  415: 'The body is not application/json',
  429: 'Too many unsigned or failed requests',
  503: 'Not available now',
  504: 'It took too long',
} as const;

const HEADERS = { 'x-request-id': Type.String({ description: 'Id of this request' }) };

interface Description {
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly security: readonly object[];
}

/** The route of a tool endpoint, as the OpenAPI document shows it. */
export function describeMcp({ operationId, tag, summary, security }: Description): object {
  const failures = Object.entries(FAILURES).filter(([status]) => status !== '401' || security.length > 0);
  const json = (example: object) => ({ 'application/json': { schema: { ...Reply, examples: [example] } } });
  return {
    operationId,
    tags: [tag],
    summary,
    description:
      'Streamable HTTP (revisions 2025-06-18, 2025-11-25 and 2026-07-28), without sessions: one JSON-RPC message, one JSON answer. Refusals of a tool are results with isError; their text is the error envelope, with what to do.',
    security,
    headers: Type.Object({
      'MCP-Protocol-Version': Type.Optional(Type.String({ description: 'The revision that was agreed on' })),
    }),
    body: { ...Message, examples: [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }] },
    response: {
      200: {
        description: 'The answer',
        headers: HEADERS,
        content: json({ jsonrpc: '2.0', id: 1, result: { tools: [] } }),
      },
      202: { description: 'A notification was taken', headers: HEADERS, type: 'null' },
      ...Object.fromEntries(
        failures.map(([status, description]) => [
          status,
          {
            description,
            headers: HEADERS,
            content: json({ jsonrpc: '2.0', id: null, error: { code: -32_000, message: description } }),
          },
        ]),
      ),
    },
  };
}
