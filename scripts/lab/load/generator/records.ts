import type { Outcome } from '../scenarios/scenario.ts';
import type { Second } from './messages.ts';

interface Bucket {
  offered: number;
  readonly good: number[];
  readonly other: number[];
  readonly codes: Map<string, number>;
}

/** Collects calls by second, and gives away the seconds that are over. */
export function createRecords(startMs: number) {
  const buckets = new Map<number, Bucket>();
  const bucketAt = (atMs: number): Bucket => {
    const second = Math.max(0, Math.floor((atMs - startMs) / 1000));
    const found = buckets.get(second) ?? { offered: 0, good: [], other: [], codes: new Map<string, number>() };
    buckets.set(second, found);
    return found;
  };
  return {
    offer(scheduledMs: number): void {
      bucketAt(scheduledMs).offered += 1;
    },
    end(scheduledMs: number, endedMs: number, { isGood, code }: Outcome): void {
      const bucket = bucketAt(endedMs);
      (isGood ? bucket.good : bucket.other).push(endedMs - scheduledMs);
      bucket.codes.set(code, (bucket.codes.get(code) ?? 0) + 1);
    },
    /** Removes and returns the seconds before a time. */
    takeBefore(atMs: number): readonly Second[] {
      const now = Math.floor((atMs - startMs) / 1000);
      const over = Array.from(buckets).filter(([second]) => second < now);
      return over.map(([second, { offered, good, other, codes }]) => {
        buckets.delete(second);
        return {
          second,
          offered,
          good: Float64Array.from(good),
          other: Float64Array.from(other),
          codes: Object.fromEntries(codes),
        };
      });
    },
  };
}

export type Records = ReturnType<typeof createRecords>;
