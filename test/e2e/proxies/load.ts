import { setTimeout as delay } from 'node:timers/promises';
import { createWallet } from '../../kit/chain.ts';
import { type Answer, CONVERT, codeOf, post, signIn, toBase64 } from '../../kit/client.ts';
import { connectH2 } from './h2-client.ts';

const BODY = { html: '<h1>Load</h1>' };
/** Below the number of requests after which a proxy ends a connection. */
const REQUESTS_A_CONNECTION = 100;
const UNPAID_BEFORE_TRIAL = 4;
/** Leaves the processors to the gateways. */
const PAUSE_MS = 20;

/** A request of the load, and how it ended. */
export interface Sent {
  /** Whether it was sent before `mark` was last called. */
  isBeforeMark: boolean;
  /**
   * The gateway's code of the error, or the status. Undefined while it is under way; `broken` if the connection ended without
   * an answer.
   */
  outcome: string | undefined;
}

export interface Load {
  readonly sent: readonly Sent[];
  mark(): void;
  /** Rejects when a client fails otherwise than by a request without an answer. Resolves only after `stop`. */
  readonly ended: Promise<unknown>;
  /** Waits for the requests that are under way. */
  stop(): Promise<void>;
}

export interface LoadOptions {
  readonly origin: string;
  /** The certificate of the origin. */
  readonly ca: string;
  /** Clients of HTTP/1.1, and the same number of clients of HTTP/2. Each sends one request at a time. */
  readonly clients: number;
}

/** Clients that send unpaid calls, which are answered 402, and sometimes sign the challenge and send a trial. All are POST. */
export function startLoad({ origin, ca, clients }: LoadOptions): Load {
  const sent: Sent[] = [];
  let isStopped = false;

  async function note(send: () => Promise<Answer>): Promise<Answer | undefined> {
    const one: Sent = { isBeforeMark: false, outcome: undefined };
    sent.push(one);
    const answer = await send().catch(() => undefined);
    one.outcome = answer === undefined ? 'broken' : (codeOf(answer) ?? `${answer.status}`);
    return answer;
  }

  /** A connection's worth of requests. */
  async function sendSome(send: (headers: Readonly<Record<string, string>>) => Promise<Answer>): Promise<void> {
    for (let count = 0; count < REQUESTS_A_CONNECTION && !isStopped; count += 1) {
      await delay(PAUSE_MS);
      const answer = await note(() => send({}));
      if (answer === undefined) return;
      if (answer.status !== 402 || count % UNPAID_BEFORE_TRIAL > 0) continue;
      // Another wallet each time: a call that broke off may still hold the credit of its wallet.
      const proof = toBase64(await signIn(answer, createWallet()));
      if ((await note(() => send({ 'sign-in-with-x': proof }))) === undefined) return;
    }
  }

  const workers = Array.from({ length: clients }, () => [
    async () => {
      while (!isStopped) await sendSome((headers) => post(origin + CONVERT, BODY, headers));
    },
    async () => {
      while (!isStopped) {
        // A connection that closes before a request loses none.
        const client = await connectH2(origin, ca).catch(() => undefined);
        if (client === undefined) {
          await delay(PAUSE_MS);
          continue;
        }
        await sendSome((headers) => client.post(CONVERT, BODY, headers));
        client.close();
      }
    },
  ]).flatMap((pair) => pair.map((work) => work()));
  const ended = Promise.all(workers);
  return {
    sent,
    ended,
    mark() {
      for (const one of sent) one.isBeforeMark = true;
    },
    async stop() {
      isStopped = true;
      await ended;
    },
  };
}

/** How many requests ended how: `402: 812, 200: 203`. */
export function countOutcomes(sent: readonly Sent[]): string {
  const counts = Map.groupBy(sent, ({ outcome }) => String(outcome));
  return [...counts].map(([outcome, those]) => `${outcome}: ${those.length}`).join(', ');
}
