import { setTimeout as delay } from 'node:timers/promises';
import {
  type Buyer,
  type ChannelBuyer,
  DEPOSIT,
  isAnswered,
  openBuyers,
  PRICE,
  type SignedCall,
} from '../../helpers/buyers.ts';
import { CONVERT } from '../../helpers/client.ts';
import { answerOf } from './faulty-stack.ts';

/** How clients of each kind call: how many, how often from one wallet, and whether until there is a result. */
const KINDS = {
  trial: { clients: 6, calls: 4, isRepeated: false },
  exact: { clients: 2, calls: 1, isRepeated: false },
  channel: { clients: 3, calls: Number(DEPOSIT / PRICE), isRepeated: true },
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
  const { clients, calls, isRepeated } = KINDS[kind];
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
        if (!isRepeated || answer?.status === 200) break;
        await delay(PAUSE_MS);
      } while (!isStopped);
    }
  }
  const done = Promise.all(
    Array.from({ length: clients }, async () => {
      // Without an offer, the client tries again a little later.
      while (!isStopped) await buy().catch(() => delay(PAUSE_MS));
    }),
  );
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

/** A load must stop while nothing is offered. */
const once = <T>(ask: () => Promise<T>): Promise<T> => ask();

export const startTrials = (url: string, body: unknown): Load =>
  startLoad('trial', () => openBuyers(url, once).trial(), body);

/** Each time from a new wallet. */
export const startPayments = (url: string, body: unknown): Load =>
  startLoad('exact', () => openBuyers(url, once).exact(), body);

/** A call without a result is repeated. */
export const startChannels = (url: string, body: unknown): Load<ChannelBuyer> =>
  startLoad('channel', () => openBuyers(url).channel(), body);
