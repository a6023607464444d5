import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { Type } from 'typebox';
import { createJsonReader } from '../../../scripts/launch/parse/json-reader.ts';
import type { PaymentPayload, TestChain } from '../../kit/chain.ts';
import { portOf } from '../../kit/port-of.ts';

const Hex = Type.TemplateLiteral([Type.Literal('0x'), Type.String()]);
const Accepted = Type.Object({
  scheme: Type.String(),
  network: Type.String(),
  amount: Type.String(),
  asset: Type.String(),
  payTo: Type.String(),
  maxTimeoutSeconds: Type.Number(),
  extra: Type.Object({ name: Type.String(), version: Type.String() }),
});
const Authorization = Type.Object({
  from: Hex,
  to: Hex,
  value: Type.String(),
  validAfter: Type.String(),
  validBefore: Type.String(),
  nonce: Hex,
});
const readRequest = createJsonReader(
  Type.Object({
    paymentPayload: Type.Object({
      x402Version: Type.Literal(2),
      accepted: Accepted,
      payload: Type.Object({ signature: Hex, authorization: Authorization }),
    }),
  }),
  'the request to the facilitator',
);

export type Behaviour = (payment: PaymentPayload, response: ServerResponse) => Promise<void> | void;

export interface TestFacilitator {
  readonly url: string;
  /** How many times a payment was sent to /settle, by its nonce. */
  readonly settleCalls: Map<string, number>;
  /** What /settle does with the payment of this nonce. */
  readonly behaviours: Map<string, Behaviour>;
  readonly verifies: Map<string, Behaviour>;
  /** Answers a request before anything else does, and returns whether it did. */
  guard: (request: IncomingMessage, response: ServerResponse) => Promise<boolean> | boolean;
  stop(): Promise<void>;
}

export function answer(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

export const payerOf = ({ payload }: PaymentPayload) => payload.authorization.from;

const KINDS = ['eip155:31337', 'eip155:84532'].map((network) => ({ x402Version: 2, scheme: 'exact', network }));

/** Starts an HTTP facilitator. It verifies and settles every payment unless a test sets another behavior. */
export async function startFacilitator(chain: Pick<TestChain, 'submit'>): Promise<TestFacilitator> {
  const behaviours = new Map<string, Behaviour>();
  const verifies = new Map<string, Behaviour>();
  const settleCalls = new Map<string, number>();
  const server = createServer(async (request, response) => {
    if (await facilitator.guard(request, response)) return;
    if (request.url === '/supported') return answer(response, { kinds: KINDS });
    const { paymentPayload: payment } = readRequest(await text(request));
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
  const facilitator: TestFacilitator = {
    url: `http://127.0.0.1:${portOf(server)}`,
    settleCalls,
    behaviours,
    verifies,
    guard: () => false,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return facilitator;
}

/** Settles a payment on the chain. @returns the answer of an honest facilitator */
export async function success(chain: Pick<TestChain, 'submit'>, payment: PaymentPayload) {
  const transaction = await chain.submit(payment);
  return { success: true, transaction, network: payment.accepted.network, payer: payerOf(payment) };
}

const PAD_CHUNKS = 1000;

/** Answers with 64 MB of white space before the body. */
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
  const location = `http://127.0.0.1:${portOf(server)}/`;
  const redirect: Behaviour = (_, response) => {
    response.writeHead(307, { location }).end();
  };
  return { redirect, requests: () => requests, stop: () => server.close() };
}

/** A URL at which no server listens. */
export async function closedUrl(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}
