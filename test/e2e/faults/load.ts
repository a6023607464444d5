import { setTimeout as delay } from 'node:timers/promises';
import {
  type Buyer,
  type ChannelBuyer,
  DEPOSIT,
  isAnswered,
  once,
  openBuyers,
  PRICE,
  type SignedCall,
} from '../../kit/buyers.ts';
import { CONVERT } from '../../kit/client.ts';
import { answerOf } from './faulty-stack.ts';

/**
 * How clients of each kind call: how many, and how often from one wallet. With a channel they call until there is a result, and
 * open no other one: that would wait for what a test has stopped.
 */
const KINDS = {
  trial: { clients: 6, calls: 4, hasChannel: false },
  exact: { clients: 2, calls: 1, hasChannel: false },
  channel: { clients: 3, calls: Number(DEPOSIT / PRICE), hasChannel: true },
} as const;
const PAUSE_MS = 20;

export interface Load<Kind extends Buyer = Buyer> {
  readonly buyers: readonly Kind[];
  readonly sent: readonly SignedCall[];
  /** The calls that have their result. */
  answered(): readonly SignedCall[];
  stop(): Promise<void>;
}

/** Clients that buy without a pause, until they are stopped. */
function startLoad<Kind extends Buyer>(
  kind: keyof typeof KINDS,
  open: () => Kind | Promise<Kind>,
  body: unknown,
): Load<Kind> {
  const { clients, calls, hasChannel } = KINDS[kind];
  const buyers: Kind[] = [];
  const sent: SignedCall[] = [];
  let isStopped = false;
  async function buy(): Promise<void> {
    const buyer = await open();
    buyers.push(buyer);
    while (!isStopped && buyer.calls.length < calls) {
      const call = await buyer.sign(CONVERT, body);
      sent.push(call);
      do {
        const answer = await answerOf(call.send());
        if (!hasChannel || answer?.status === 200) break;
        await delay(PAUSE_MS);
      } while (!isStopped);
    }
  }
  async function buyOften(): Promise<void> {
    if (hasChannel) return buy();
    // Without an offer, the client tries again a little later.
    while (!isStopped) await buy().catch(() => delay(PAUSE_MS));
  }
  const done = Promise.all(Array.from({ length: clients }, buyOften));
  // `stop` reports a failure.
  done.catch(() => {});
  return {
    buyers,
    sent,
    answered: () => sent.filter(isAnswered),
    async stop() {
      isStopped = true;
      await done;
    },
  };
}

export const startTrials = (url: string, body: unknown): Load =>
  startLoad('trial', () => openBuyers(url, once).trial(), body);

/** Each time from a new wallet. */
export const startPayments = (url: string, body: unknown): Load =>
  startLoad('exact', () => openBuyers(url, once).exact(), body);

/** A call without a result is repeated. */
export const startChannels = (url: string, body: unknown): Load<ChannelBuyer> =>
  startLoad('channel', () => openBuyers(url).channel(), body);
