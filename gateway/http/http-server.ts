import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { AppError } from '../errors/app-error.ts';
import { type ConnectionLimits, limitConnections } from './connection-limits.ts';
import type { Exchanges } from './exchanges.ts';

const MAX_HEADER_BYTES = 32 * 1024;
/** More than the two minutes that proxies keep an idle connection: it is they who close it. */
const KEEP_ALIVE_MS = 125_000;
const TIMEOUT_CHECK_MS = 2000;

export interface HttpServerOptions {
  readonly connections: ConnectionLimits;
  readonly requestTimeoutMs: number;
  readonly exchanges: Exchanges;
  /** Answers a request in place of the handler. @returns whether it did */
  readonly refuse: (request: IncomingMessage, response: ServerResponse) => boolean;
  readonly onError: (error: Error) => void;
}

/** Node's HTTP server with limits. It never writes the answers that Node writes by default. */
export function createHttpServer(handler: RequestListener, options: HttpServerOptions): Server {
  const { exchanges, refuse } = options;
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      requestTimeout: options.requestTimeoutMs,
      // Node enforces neither time-out while the one for headers is longer.
      headersTimeout: options.requestTimeoutMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: Math.min(TIMEOUT_CHECK_MS, options.requestTimeoutMs),
      // Checked by `checkRequests`, which answers in the envelope.
      requireHostHeader: false,
    },
    (request, response) => {
      exchanges.follow(request, response);
      // While the gateway stops, the framework has every answer close its connection.
      if (exchanges.isDraining() || !refuse(request, response)) handler(request, response);
    },
  );
  // Node drops headers over this number in silence. The limit of bytes is enough.
  server.maxHeadersCount = 0;
  // A client may end its side after its last request (RFC 9112, 9.6). By default, Node would drop the answer.
  Object.assign(server, { httpAllowHalfOpen: true });
  // `checkRequests` refuses these as well.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', (_request, socket: Duplex) => {
    const error = new AppError('METHOD_NOT_ALLOWED', 'this is not a proxy', { headers: { Allow: 'GET, HEAD, POST' } });
    if (socket instanceof Socket) exchanges.refuse(error, socket);
    else socket.destroy();
  });
  // Such as a failure to accept a connection. Without a listener it would end the process.
  server.on('error', options.onError);
  server.on('connection', exchanges.open);
  // Node and the framework would close idle connections together with the server. `drain` does it when it is time.
  server.closeIdleConnections = () => {};
  limitConnections(server, options.connections);
  return server;
}
