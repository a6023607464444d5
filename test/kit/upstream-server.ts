import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { ExecutionContext } from 'ava';
import { defined } from '../../workers/exact/defined.ts';
import { portOf } from './port-of.ts';

export interface SeenRequest {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
}

export type Behaviour = (response: ServerResponse, request: IncomingMessage) => void;

export interface UpstreamServer {
  readonly baseUrl: URL;
  readonly seen: readonly SeenRequest[];
  /** Sets what happens to the next requests, one behavior for each. The last behavior applies to all further requests. */
  behave(...behaviours: readonly Behaviour[]): void;
  /** Resolves when `count` requests have arrived. */
  arrived(count: number): Promise<void>;
}

export const answering =
  (body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Behaviour =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

export const silent: Behaviour = () => {};

/** Stops in the middle of the body. */
export const hangingBody: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('[{"lat":');
};

export const resetting: Behaviour = (response) => {
  response.socket?.resetAndDestroy();
};

/** Starts an HTTP server that ends with the test. */
export async function startUpstream(t: ExecutionContext, ...first: readonly Behaviour[]): Promise<UpstreamServer> {
  const seen: SeenRequest[] = [];
  const waiting = new Set<() => void>();
  let behaviours: readonly Behaviour[] = first;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(defined(request.url), 'http://upstream');
    seen.push({ path: pathname, query: Object.fromEntries(searchParams), headers: request.headers });
    const [behaviour = silent, ...rest] = behaviours;
    if (rest.length > 0) behaviours = rest;
    behaviour(response, request);
    for (const check of waiting) check();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const port = portOf(server);
  return {
    baseUrl: new URL(`http://127.0.0.1:${port}`),
    seen,
    behave(...next) {
      behaviours = next;
    },
    arrived: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (seen.length >= count) resolve();
        };
        waiting.add(check);
        check();
      }),
  };
}

/** A URL at which nothing listens. */
export async function closedUrl(): Promise<URL> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return new URL(`http://127.0.0.1:${port}`);
}
