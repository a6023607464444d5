import type { Pool } from 'undici';

/** How a call ended. */
export interface Outcome {
  /** Whether the call did what the scenario wants. */
  readonly isGood: boolean;
  /** Status and error code, such as `503 OVERLOADED`. */
  readonly code: string;
}

/** One kind of call. What takes time and is not part of the call, such as signing, is done ahead. */
export interface Scenario {
  /** Prepares calls until `count` are ready. */
  readonly prepare: (count: number) => Promise<void>;
  /** Number of prepared calls. Infinity where nothing is to be prepared. */
  readonly ready: () => number;
  /** Sends the next call. @throws {Error} if the connection breaks, or if no call is ready */
  readonly send: () => Promise<Outcome>;
}

export interface ScenarioContext {
  readonly origin: string;
  readonly pool: Pool;
  /** Keys of a tenant, for verified execution. */
  readonly keys: { readonly agent: string; readonly approver: string } | undefined;
  /** Text of the page for html-to-markdown. */
  readonly page: string;
  readonly seed: number;
  /** Payment channels that take turns. */
  readonly channels: number;
  /** Wallets of trials that take turns, so that calls of one wallet seldom overlap. */
  readonly wallets?: number;
}

export const NOTHING_TO_PREPARE: Pick<Scenario, 'prepare' | 'ready'> = {
  prepare: async () => {},
  ready: () => Number.POSITIVE_INFINITY,
};

/** Keeps prepared calls, and hands out the oldest first. */
export function createStock<Item>(prepareOne: (index: number) => Promise<Item>) {
  const CONCURRENCY = 16;
  let items: Item[] = [];
  // Removing the first item of a long array moves all others.
  let taken = 0;
  let made = 0;
  const ready = () => items.length - taken;
  return {
    ready,
    async prepare(count: number): Promise<void> {
      const missing = count - ready();
      items = items.slice(taken);
      taken = 0;
      let left = missing;
      const lane = async () => {
        while (left > 0) {
          left -= 1;
          const item = await prepareOne(made++);
          items.push(item);
        }
      };
      await Promise.all(Array.from({ length: Math.min(CONCURRENCY, Math.max(0, missing)) }, lane));
    },
    take(): Item {
      const item = items[taken];
      if (item === undefined) throw new Error('no call is prepared');
      taken += 1;
      return item;
    },
  };
}
