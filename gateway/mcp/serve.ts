import {
  createMcpHandler,
  INVALID_PARAMS,
  isLegacyRequest,
  isSpecType,
  METHOD_NOT_FOUND,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { createToolServer, type ToolExchange, type ToolSet } from './tool-server.ts';

type Message = Readonly<Record<string, unknown>>;

export interface ServedMessage<Context> {
  /** Only its headers are used: the message is already parsed. */
  readonly request: Request;
  readonly message: Message;
  readonly set: ToolSet<Context>;
  readonly exchange: ToolExchange<Context>;
}

/** Answers one message with one JSON text, through the SDK, in the revision of the protocol that the client uses. */
export async function serve<Context>({ request, message, set, exchange }: ServedMessage<Context>): Promise<Response> {
  const createServer = () => createToolServer(set, exchange);
  if (await isLegacyRequest(request, message)) return serveHandshaken(request, message, createServer());
  // It would open a stream for changes, and the lists never change.
  if (message['method'] === 'subscriptions/listen') {
    return refuse(message, { status: 404, code: METHOD_NOT_FOUND, text: 'Method not found' });
  }
  return createMcpHandler(createServer, { legacy: 'reject' }).fetch(request, { parsedBody: message });
}

/** Methods whose wrong parameters the SDK would report as its own fault. */
const CHECKED = new Map<unknown, (message: unknown) => boolean>([
  ['initialize', isSpecType.InitializeRequest],
  ['tools/list', isSpecType.ListToolsRequest],
]);

/** Answers revisions that begin with `initialize`. Nothing of the handshake is kept. */
async function serveHandshaken(request: Request, message: Message, server: Server): Promise<Response> {
  if ('id' in message && CHECKED.get(message['method'])?.(message) === false) {
    return refuse(message, { status: 200, code: INVALID_PARAMS, text: 'Invalid params' });
  }
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: message });
  } finally {
    await server.close();
  }
}

interface Refusal {
  readonly status: number;
  readonly code: number;
  readonly text: string;
}

function refuse({ id }: Message, { status, code, text }: Refusal): Response {
  return Response.json({ jsonrpc: '2.0', id, error: { code, message: text } }, { status });
}
