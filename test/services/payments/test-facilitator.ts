import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { PaymentPayload } from '../../kit/chain.ts';
import { portOf } from '../../kit/port-of.ts';

export interface Asked {
  readonly path: string | undefined;
  readonly body: { readonly paymentPayload: PaymentPayload };
}
export type Behaviour = (response: ServerResponse, asked: Asked) => unknown;

/** Answers so, whatever it is asked. */
export const saying =
  (body: unknown, status = 200) =>
  (response: ServerResponse): unknown =>
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(typeof body === 'string' ? body : JSON.stringify(body));

export interface TestFacilitator {
  readonly url: string;
  /** What it was asked about payments. */
  readonly asked: readonly Asked[];
  /** Answers a request before anything else does, and returns whether it did. */
  guard: (request: IncomingMessage, response: ServerResponse) => Promise<boolean> | boolean;
  stop(): void;
}

const KINDS = ['eip155:31337', 'eip155:84532'].map((network) => ({ x402Version: 2, scheme: 'exact', network }));

/** Starts an HTTP facilitator that answers what it is asked about payments so, and lists what it supports. */
export async function startFacilitator(behaviour: Behaviour): Promise<TestFacilitator> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    if (await facilitator.guard(request, response)) return;
    const body = await text(request);
    const one: Asked = { path: request.url, body: body === '' ? undefined : JSON.parse(body) };
    if (request.url === '/supported') return void saying({ kinds: KINDS })(response);
    asked.push(one);
    await behaviour(response, one);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const facilitator: TestFacilitator = {
    url: `http://127.0.0.1:${portOf(server)}`,
    asked,
    guard: () => false,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
  return facilitator;
}
