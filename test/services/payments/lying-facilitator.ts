import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { PaymentPayload, TestChain } from '../../helpers/chain.ts';

export type Behaviour = (payment: PaymentPayload, response: ServerResponse) => Promise<void> | void;

export interface TestFacilitator {
  readonly url: string;
  /** How many times a payment was sent to /settle, by its nonce. */
  readonly settleCalls: Map<string, number>;
  /** What /settle does with the payment of this nonce. */
  readonly behaviours: Map<string, Behaviour>;
  readonly verifies: Map<string, Behaviour>;
  stop(): Promise<void>;
}

export function answer(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

export const payerOf = ({ payload }: PaymentPayload) => payload.authorization.from;

/** A facilitator over HTTP that verifies everything and settles as each test wants it. */
export async function startFacilitator(chain: TestChain): Promise<TestFacilitator> {
  const behaviours = new Map<string, Behaviour>();
  const verifies = new Map<string, Behaviour>();
  const settleCalls = new Map<string, number>();
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const { paymentPayload: payment } = JSON.parse(text) as { paymentPayload: PaymentPayload };
    const { nonce } = payment.payload.authorization;
    if (request.url === '/verify') {
      const verify = verifies.get(nonce) ?? ((_, to) => answer(to, { isValid: true, payer: payerOf(payment) }));
      return verify(payment, response);
    }
    settleCalls.set(nonce, (settleCalls.get(nonce) ?? 0) + 1);
    const behaviour = behaviours.get(nonce) ?? (async () => answer(response, await success(chain, payment)));
    return behaviour(payment, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    settleCalls,
    behaviours,
    verifies,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Settles honestly, and what an honest facilitator says of it. */
export async function success(chain: TestChain, payment: PaymentPayload) {
  const transaction = await chain.submit(payment);
  return { success: true, transaction, network: payment.accepted.network, payer: payerOf(payment) };
}

const PAD_CHUNKS = 1000;

/** An answer behind 64 MB of white space. */
export async function answerAfterPadding(response: ServerResponse, body: unknown): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' });
  const pad = Array.from({ length: PAD_CHUNKS }, () => Buffer.alloc(64_000, ' '));
  // Fails when the client hangs up.
  await pipeline(Readable.from([...pad, Buffer.from(JSON.stringify(body))]), response).catch(() => {});
}

/** Redirects to a second server that answers with `body`. */
export async function startRedirect(body: unknown) {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    answer(response, body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const redirect: Behaviour = (_, response) => {
    response.writeHead(307, { location: `http://127.0.0.1:${port}/` }).end();
  };
  return { redirect, requests: () => requests, stop: () => server.close() };
}

/** Where nobody listens. */
export async function closedUrl(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}
