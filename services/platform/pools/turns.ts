/** Limits concurrent use to a number of places, in the order of the calls (a fair semaphore). */
export function createTurns(places: number) {
  const queue = new Set<() => void>();
  let free = places;
  return {
    /** Resolves when the caller has a place, which it frees with `end`. @throws the signal's reason if it aborts first */
    async take(signal: AbortSignal): Promise<void> {
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
    end(): void {
      const [next] = queue;
      if (next === undefined) {
        free += 1;
        return;
      }
      queue.delete(next);
      next();
    },
    waiting: (): number => queue.size,
  };
}
