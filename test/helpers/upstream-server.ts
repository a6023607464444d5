import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';

export interface SeenRequest {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
}

export type Behaviour = (response: ServerResponse, request: IncomingMessage) => void;

export interface UpstreamServer {
  readonly baseUrl: URL;
  readonly seen: readonly SeenRequest[];
  /** What is done with every request from now on; in a list, with the next ones, the last of it with all further. */
  behave(...behaviours: readonly Behaviour[]): void;
  /** Resolves when so many requests have arrived. */
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

/** An HTTP server that lasts as long as the test. */
export async function startUpstream(t: ExecutionContext, ...first: readonly Behaviour[]): Promise<UpstreamServer> {
  const seen: SeenRequest[] = [];
  const waiting = new Set<() => void>();
  let behaviours: readonly Behaviour[] = first;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://upstream');
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
  const { port } = server.address() as AddressInfo;
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

/** Where nothing listens. */
export async function closedUrl(): Promise<URL> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return new URL(`http://127.0.0.1:${port}`);
}
