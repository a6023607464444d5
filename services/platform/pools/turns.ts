/** Turns at something that only so many may use at a time, in the order of asking. */
export interface Turns {
  /** Resolves when it is the caller's turn, which ends with `end`. @throws the signal's reason when it aborts first */
  take(signal: AbortSignal): Promise<void>;
  end(): void;
  waiting(): number;
}

export function createTurns(places: number): Turns {
  const queue = new Set<() => void>();
  let free = places;
  return {
    async take(signal) {
      signal.throwIfAborted();
      if (free > 0) {
        free -= 1;
        return;
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const giveUp = () => {
        // The turn may have come a moment ago: then it has to be ended, not given up.
        if (queue.delete(resolve)) reject(signal.reason);
      };
      queue.add(resolve);
      signal.addEventListener('abort', giveUp, { once: true });
      await promise.finally(() => signal.removeEventListener('abort', giveUp));
    },
    end() {
      const [next] = queue;
      if (next === undefined) {
        free += 1;
        return;
      }
      queue.delete(next);
      next();
    },
    waiting: () => queue.size,
  };
}
