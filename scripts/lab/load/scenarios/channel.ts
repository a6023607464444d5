import { type Exchange, exchange, headerOf, outcomeOf, type Reply } from './exchange.ts';
import { type OpenChannel, openChannel } from './open-channel.ts';
import { createOrders } from './orders.ts';
import type { Scenario, ScenarioContext } from './scenario.ts';
import { createTurns, type Lane, type TurnEnd } from './turns.ts';

/** Deposits at the same time. */
const OPENING = 16;

interface Channel extends OpenChannel {
  readonly lane: Lane<Exchange>;
}

/**
 * A call that a voucher of a channel pays. Deposits are made, and vouchers signed, ahead. A channel carries one call at a
 * time, so a call waits if all channels are in use. Its latency includes that time.
 */
export function createChannel(context: ScenarioContext): Scenario {
  const { pool } = context;
  const nextOrder = createOrders('html-to-markdown', context);
  const turns = createTurns<Exchange>();
  const channels = new Set<Channel>();

  async function open(): Promise<void> {
    channels.add({ ...(await openChannel(pool, nextOrder())), lane: turns.createLane() });
  }

  /** Opens what is missing of the channels, and more if their deposits cannot pay so many calls. */
  async function openMissing(calls: number): Promise<void> {
    for (const channel of channels) if (isSpent(channel)) channels.delete(channel);
    for (;;) {
      const funded = Array.from(channels).reduce((sum, { callsLeft }) => sum + callsLeft(), 0);
      const missing = Math.max(context.channels - channels.size, funded < calls ? 1 : 0);
      if (missing <= 0) return;
      await Promise.all(Array.from({ length: Math.min(missing, OPENING) }, open));
    }
  }

  /** Signs calls of a channel while it is in use. */
  async function sign(channel: Channel, calls: number): Promise<void> {
    for (let left = Math.min(calls, channel.callsLeft()); left > 0; left -= 1) {
      const call = await channel.sign(nextOrder());
      if (!channels.has(channel)) return;
      turns.add(channel.lane, call);
    }
  }

  return {
    ready: turns.ready,
    async prepare(count) {
      while (turns.ready() < count) {
        const missing = count - turns.ready();
        await openMissing(missing);
        for (const channel of channels) await sign(channel, Math.ceil(missing / channels.size));
      }
    },
    async send() {
      const lane = await turns.take();
      const [call] = lane.calls;
      if (call === undefined) throw new Error('a free channel has no prepared call');
      // What became of a call without an answer is not known. Sent again, it is charged at most once.
      let end: TurnEnd = 'kept';
      try {
        const reply = await exchange(pool, call);
        end = endOf(reply);
        const outcome = outcomeOf(reply, 200);
        if (!outcome.isGood || headerOf(reply, 'payment-response') !== undefined) return outcome;
        return { isGood: false, code: '200 not charged' };
      } finally {
        turns.end(lane, end);
        if (end === 'lost') for (const channel of channels) if (channel.lane === lane) channels.delete(channel);
      }
    },
  };
}

const isSpent = ({ callsLeft, lane }: Channel) => callsLeft() === 0 && lane.calls.length === 0;

/** A voucher that was refused leaves a channel whose state is not the expected one. Other failures charge nothing. */
function endOf({ status }: Reply): TurnEnd {
  if (status === 200) return 'used';
  return status === 402 ? 'lost' : 'kept';
}
