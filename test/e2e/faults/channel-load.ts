import { setTimeout as delay } from 'node:timers/promises';
import { defined } from '../../../workers/exact/defined.ts';
import type { Stack } from '../../helpers/stack.ts';
import { until } from '../../helpers/until.ts';
import { type ChannelBooks, findChannelFault, readChannelBooks } from './channel-books.ts';
import { type ChannelPayer, createChannelPayer, DEPOSIT, eventuallyAnswered, isAnswered } from './channel-payer.ts';
import { PRICE } from './payment-books.ts';

const PAYERS = 3;
/** What a deposit pays for. */
const CALLS = Number(DEPOSIT / PRICE);
const PAUSE_MS = 20;

export interface ChannelLoad {
  readonly payers: readonly ChannelPayer[];
  /** The number of calls that got their result. */
  answered(): number;
  stop(): Promise<void>;
}

/** Payers that call by vouchers until they are stopped, or have used up their deposit. A call without a result is repeated. */
export function startChannelLoad(url: string, body: unknown): ChannelLoad {
  const payers: ChannelPayer[] = [];
  let isStopped = false;
  async function callOften(): Promise<void> {
    const payer = await createChannelPayer(url, body);
    payers.push(payer);
    while (!isStopped && payer.calls.length < CALLS) {
      const call = await payer.sign();
      for (;;) {
        const answer = await call.send();
        if (isStopped || answer?.status === 200) break;
        await delay(PAUSE_MS);
      }
    }
  }
  const done = Promise.all(Array.from({ length: PAYERS }, callOften));
  // `stop` reports a failure.
  done.catch(() => {});
  return {
    payers,
    answered: () => payers.flatMap(({ calls }) => calls).filter(isAnswered).length,
    async stop() {
      isStopped = true;
      await done;
    },
  };
}

/** Repeats the last call of every payer, waits until all that can be is claimed, and compares. @returns the contradictions */
export async function findChannelFaults(stack: Stack, payers: readonly ChannelPayer[]): Promise<readonly string[]> {
  await Promise.all(payers.flatMap(({ calls }) => calls.slice(-1).map(eventuallyAnswered)));
  const books = await eventuallyClaimed(stack, payers);
  return payers.flatMap((payer, i) => {
    const fault = findChannelFault(payer, defined(books[i]));
    return fault === undefined ? [] : [`${payer.channelId}: ${fault}`];
  });
}

/** The books of channels when all that can be is claimed. */
export function eventuallyClaimed(stack: Stack, payers: readonly ChannelPayer[]): Promise<readonly ChannelBooks[]> {
  const ids = payers.map(({ channelId }) => channelId);
  return until(async () => {
    const books = await readChannelBooks(stack, ids);
    const open = books.filter(({ claimedMicroUsd, claimableMicroUsd }) => claimedMicroUsd < claimableMicroUsd);
    if (open.length === 0) return books;
    throw new Error(open.map((each) => `${each.claimedMicroUsd} of ${each.claimableMicroUsd}`).join(', '));
  });
}
