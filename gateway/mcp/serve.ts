import {
  createMcpHandler,
  isLegacyRequest,
  METHOD_NOT_FOUND,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { createToolServer, type ToolExchange, type ToolSet } from './tool-server.ts';

export interface ServedMessage<Context> {
  /** Headers alone: the message has been read. */
  readonly request: Request;
  readonly message: Readonly<Record<string, unknown>>;
  readonly set: ToolSet<Context>;
  readonly exchange: ToolExchange<Context>;
}

/** Has the protocol's SDK answer one message: with one JSON text, by whichever revision it was sent in. */
export async function serve<Context>({ request, message, set, exchange }: ServedMessage<Context>): Promise<Response> {
  const createServer = () => createToolServer(set, exchange);
  if (await isLegacyRequest(request, message)) return serveHandshaken(request, message, createServer());
  // A stream that stays open, of changes to lists that do not change.
  if (message['method'] === 'subscriptions/listen') return refuseMethod(message);
  return createMcpHandler(createServer, { legacy: 'reject' }).fetch(request, { parsedBody: message });
}

/** Revisions that begin with `initialize`; there is nothing to keep of it. */
async function serveHandshaken(request: Request, message: object, server: Server): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: message });
  } finally {
    await server.close();
  }
}

function refuseMethod({ id }: ServedMessage<unknown>['message']): Response {
  const error = { code: METHOD_NOT_FOUND, message: 'Method not found' };
  return Response.json({ jsonrpc: '2.0', id, error }, { status: 404 });
}
