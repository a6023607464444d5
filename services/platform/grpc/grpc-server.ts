import { unlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  type Deadline,
  experimental,
  type handleBidiStreamingCall,
  type handleUnaryCall,
  type Metadata,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServiceDefinition,
  type UntypedHandleCall,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { HealthImplementation } from 'grpc-health-check';
import { v7 as uuidv7 } from 'uuid';
import { defined } from '../../../workers/exact/defined.ts';
import type { Logger } from '../process/logger.ts';
import { hasCode } from '../process/system-error.ts';
import { type CallableService, createCallerCheck } from './callers.ts';
import { limitGrpcTimeouts } from './grpc-timeouts.ts';
import { type Identity, isSocket } from './identity.ts';
import { addProcessFacts } from './process-facts.ts';
import { addReflection } from './reflection.ts';
import { toGrpcError } from './service-error.ts';
import { MAX_MESSAGE_BYTES } from './size-limits.ts';

const PROTO_ROOT = fileURLToPath(new URL('../../../proto/', import.meta.url));
const MAX_CONNECTION_AGE_MS = 10 * 60_000;
/** A stream that is as old as its connection has the time to end (`batch-client.ts`). */
const CONNECTION_GRACE_MS = 60_000;
const DRAIN_MS = 30_000;
/** Until the connection of a dead client is looked for; it then has the 20 s that are the default. */
const KEEPALIVE_MS = 60_000;

limitGrpcTimeouts();

export interface ServedService extends CallableService {
  readonly implementation: UntypedServiceImplementation;
}

export interface GrpcServerOptions extends ServedService {
  /** `host:port` or `unix:path`. */
  readonly listen: string;
  /** More services on the same address; none by default. */
  readonly besides?: readonly ServedService[];
  /** For TLS, unless it listens on a Unix socket. Then a service without `callers` cannot be called. */
  readonly identity?: Identity | undefined;
  readonly logger: Logger;
}

export interface GrpcServer {
  /** The address it listens on. For port 0, it has the port that the system chose. */
  readonly address: string;
  setReady(ready: boolean): void;
  /** Refuses new calls, ends streams, waits for running calls, and closes. Running calls are aborted after 30 s. */
  close(): Promise<void>;
}

/** Serves services with health and reflection. Their health is NOT_SERVING until `setReady(true)`. */
export async function startGrpcServer(options: GrpcServerOptions): Promise<GrpcServer> {
  const server = new Server({
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
    'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
    // Clients cannot force a reconnect. They find new copies because old connections are closed.
    'grpc.max_connection_age_ms': MAX_CONNECTION_AGE_MS,
    'grpc.max_connection_age_grace_ms': CONNECTION_GRACE_MS,
    'grpc.keepalive_time_ms': KEEPALIVE_MS,
  });
  const { besides = [] } = options;
  const served: readonly ServedService[] = [options, ...besides];
  const streams = new Set<AnyStream>();
  for (const one of served) server.addService(one.service, withOpenStreams(one, streams));
  const services = served.map(({ service }) => nameOf(service));
  const names = ['', ...services];
  const health = new HealthImplementation(Object.fromEntries(names.map((name) => [name, 'NOT_SERVING'])));
  health.addToServer({
    addService: (definition, implementation) => server.addService(definition, addProcessFacts(implementation)),
  });
  addReflection(server, PROTO_ROOT, services);

  // The socket file of a dead server would cause EADDRINUSE.
  if (isSocket(options.listen)) removeSocket(options.listen.slice('unix:'.length));
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(options.listen, credentialsOf(options, served), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  const address = isSocket(options.listen) ? options.listen : options.listen.replace(/:\d+$/, `:${port}`);
  options.logger.info({ address }, 'listening');

  const setReady = (ready: boolean) => {
    const status = ready ? 'SERVING' : 'NOT_SERVING';
    for (const name of names) health.setStatus(name, status);
  };
  const close = async () => {
    setReady(false);
    const force = setTimeout(() => server.forceShutdown(), DRAIN_MS);
    const closed = new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
    for (const stream of streams) stream.emit(SERVER_CLOSES);
    await closed;
    clearTimeout(force);
  };
  return { address, setReady, close };
}

/** The qualified name of a service, such as tollhouse.content.v1.ContentService: each path is /NAME/METHOD. */
const nameOf = (service: ServiceDefinition): string => defined(Object.values(service)[0]?.path.split('/')[1]);

/** Event of a stream that is open when its server closes. Its handler must end it. */
export const SERVER_CLOSES = 'server-closes';

type AnyStream = ServerDuplexStream<unknown, unknown>;

/** Keeps the open streams of a service in `streams`. */
function withOpenStreams({ service, implementation }: ServedService, streams: Set<AnyStream>) {
  const wrap = (name: string, handler: UntypedHandleCall): UntypedHandleCall => {
    const { requestStream = false, responseStream = false } = service[name] ?? {};
    if (!requestStream || !responseStream) return handler;
    return (stream: AnyStream) => {
      streams.add(stream);
      stream.once('close', () => streams.delete(stream));
      (handler as handleBidiStreamingCall<unknown, unknown>)(stream);
    };
  };
  return Object.fromEntries(Object.entries(implementation).map(([name, handler]) => [name, wrap(name, handler)]));
}

function credentialsOf(
  { listen, identity, logger }: GrpcServerOptions,
  served: readonly ServedService[],
): ServerCredentials {
  // A service that listens on a socket may call others with it.
  identity?.watch(logger);
  if (identity === undefined || isSocket(listen)) return ServerCredentials.createInsecure();
  const { provider } = identity;
  return experimental.createServerCredentialsWithInterceptors(
    experimental.createCertificateProviderServerCredentials(provider, provider, true),
    [createCallerCheck(served, logger)],
  );
}

function removeSocket(path: string): void {
  try {
    unlinkSync(path.replace(/^\/\//, ''));
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
}

/** Context of a call, for its handler. */
export interface CallContext {
  /** Aborts when the caller cancels or its deadline passes, and only while the call runs. */
  readonly signal: AbortSignal;
  /** When the caller stops waiting, in milliseconds since the epoch; Infinity without a deadline. */
  readonly deadlineMs: number;
  readonly requestId: string;
  /** The metadata `authorization`, if the caller sent it once. */
  readonly authorization: string | undefined;
}

type Handler<Request, Response> = (request: Request, context: CallContext) => Promise<Response>;

/** Wraps an async function as a unary method, with typed errors, cancellation, and a log line for unexpected errors. */
export function unary<Request, Response>(
  logger: Logger,
  handler: Handler<Request, Response>,
): handleUnaryCall<Request, Response> {
  return (call, callback) => {
    const { context, finish } = openCall(call);
    handler(call.request, context).then(
      (response) => {
        finish();
        callback(null, response);
      },
      (error: unknown) => {
        finish();
        const answer = toGrpcError(error);
        if (answer.details === 'internal error')
          logger.error({ err: error, requestId: context.requestId }, 'call failed');
        callback(answer);
      },
    );
  };
}

interface AnyCall {
  on(event: 'cancelled', listener: () => void): unknown;
  getDeadline(): Deadline;
  readonly metadata: Metadata;
}

/** Creates the context of a call. The flag is needed because grpc-js emits `cancelled` after normal completion too. */
export function openCall(call: AnyCall): { readonly context: CallContext; readonly finish: () => void } {
  const controller = new AbortController();
  let finished = false;
  call.on('cancelled', () => {
    if (!finished) controller.abort();
  });
  const deadline = call.getDeadline();
  const given = call.metadata.get('x-request-id')[0];
  const requestId = typeof given === 'string' && given.length <= 64 ? given : uuidv7();
  const context: CallContext = {
    signal: controller.signal,
    deadlineMs: deadline instanceof Date ? deadline.getTime() : deadline,
    requestId,
    authorization: readAuthorization(call.metadata),
  };
  return {
    context,
    finish: () => {
      finished = true;
    },
  };
}

function readAuthorization(metadata: Metadata): string | undefined {
  const values = metadata.get('authorization');
  const [value] = values;
  return values.length === 1 && typeof value === 'string' ? value : undefined;
}
