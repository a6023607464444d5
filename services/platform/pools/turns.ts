/** Limits concurrent use to a number of places, in the order of the calls (a fair semaphore). */
export interface Turns {
  /** Resolves when the caller has a place, which it frees with `end`. @throws the signal's reason if it aborts first */
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
        // If the turn has just come, the caller must end it.
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
