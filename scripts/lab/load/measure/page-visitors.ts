import { build } from 'hdr-histogram-js';
import { Agent, fetch } from 'undici';
import { defined } from '../../../../workers/exact/defined.ts';

/** What visitors of the site got while calls were measured. */
export interface Visited {
  readonly ratePerSecond: number;
  readonly answered: number;
  /** Answers other than 200, and requests without an answer. */
  readonly failed: number;
  /** Requests that were not sent because too many were still waiting. */
  readonly skipped: number;
  /** Milliseconds from the time when a page should have been asked for. */
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export interface Visitors {
  /** Asks for no more pages, and waits for the last answers. Stopping again gives the same result. */
  stop(): Promise<Visited>;
}

/** What people open, and what costs the most: rendered documents and a search. */
export const PAGES = [
  '/',
  '/apis/geocode',
  '/docs/api',
  '/docs/verified-execution/plan-text',
  '/search?q=settlement',
  '/search?q=approver+limit',
] as const;
const CONNECTIONS = 16;
const MAX_WAITING = 64;
const TICK_MS = 10;
const MICROSECONDS = 1000;

/** Asks for pages at a fixed rate, whatever the answers take, and with a bounded number in flight. */
export function startVisitors({
  origin,
  ratePerSecond,
}: {
  readonly origin: string;
  readonly ratePerSecond: number;
}): Visitors {
  const dispatcher = new Agent({ connections: CONNECTIONS, pipelining: 1 });
  const histogram = build({ lowestDiscernibleValue: 1, highestTrackableValue: 600_000_000 });
  const waiting = new Set<Promise<void>>();
  const startMs = performance.now();
  const counts = { asked: 0, answered: 0, failed: 0, skipped: 0 };

  async function visit(path: string, dueMs: number): Promise<void> {
    try {
      const answer = await fetch(origin + path, { dispatcher, headers: { accept: 'text/html' } });
      await answer.text();
      if (answer.status === 200) counts.answered += 1;
      else counts.failed += 1;
      histogram.recordValue(Math.max(1, Math.round((performance.now() - dueMs) * MICROSECONDS)));
    } catch {
      counts.failed += 1;
    }
  }

  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startMs) / 1000) * ratePerSecond);
    for (; counts.asked < due; counts.asked += 1) {
      if (waiting.size >= MAX_WAITING) {
        counts.skipped += 1;
        continue;
      }
      const dueMs = startMs + (counts.asked / ratePerSecond) * 1000;
      const visiting = visit(defined(PAGES[counts.asked % PAGES.length]), dueMs);
      waiting.add(visiting);
      void visiting.finally(() => waiting.delete(visiting));
    }
  }, TICK_MS);

  async function end(): Promise<Visited> {
    clearInterval(timer);
    await Promise.all(waiting);
    await dispatcher.close();
    const at = (percentile: number) => histogram.getValueAtPercentile(percentile) / MICROSECONDS;
    const { answered, failed, skipped } = counts;
    return { ratePerSecond, answered, failed, skipped, p50: at(50), p99: at(99), max: at(100) };
  }

  let ending: Promise<Visited> | undefined;
  return {
    stop: () => {
      ending ??= end();
      return ending;
    },
  };
}
