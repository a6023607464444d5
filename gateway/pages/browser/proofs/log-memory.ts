/** The last head of a log that this browser verified. */
export interface SeenCheckpoint {
  /** The signed note. */
  readonly checkpoint: string;
  /** When it was seen, in UTC (RFC 3339). */
  readonly seen_at: string;
}

const PREFIX = 'tollhouse-log:';

/** What this browser remembers of logs, by their names. Other programs of the browser's user can change it. */
export const logMemory = {
  /** @throws {DOMException} if the browser keeps nothing for this page */
  recall(origin: string): SeenCheckpoint | undefined {
    const kept = localStorage.getItem(PREFIX + origin);
    if (kept === null) return undefined;
    try {
      const { checkpoint, seen_at } = Object(JSON.parse(kept));
      return { checkpoint: String(checkpoint), seen_at: String(seen_at) };
    } catch {
      // It verifies against no key, so the page says that it is not valid.
      return { checkpoint: '', seen_at: 'an unknown time' };
    }
  },
  /** @returns whether the browser keeps it */
  remember(origin: string, seen: SeenCheckpoint): boolean {
    try {
      localStorage.setItem(PREFIX + origin, JSON.stringify(seen));
      return true;
    } catch (error) {
      // The storage is full.
      if (error instanceof DOMException) return false;
      throw error;
    }
  },
  forget(origin: string): void {
    localStorage.removeItem(PREFIX + origin);
  },
};

export type LogMemory = typeof logMemory;
