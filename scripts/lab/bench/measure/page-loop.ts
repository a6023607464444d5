import { defined } from '../../../../workers/exact/defined.ts';
import type { Contender, Round } from './compare.ts';

/**
 * Converts the pages one after another, repeatedly, and takes the best time of each page, because other work on the
 * machine affects it least. Pages for which the converter throws are left out.
 */
export function loopOverPages(pages: readonly string[], convert: (html: string) => unknown): Contender['run'] {
  return async (durationMs) => {
    const endMs = performance.now() + durationMs;
    const best = new Map<number, number>();
    do {
      for (const [index, page] of pages.entries()) {
        const ms = timeMs(() => convert(page));
        if (ms !== undefined) best.set(index, Math.min(ms, best.get(index) ?? Number.POSITIVE_INFINITY));
      }
    } while (performance.now() < endMs);
    return toRound(pages, best);
  };
}

function timeMs(run: () => unknown): number | undefined {
  const startMs = performance.now();
  try {
    run();
  } catch {
    return undefined;
  }
  return performance.now() - startMs;
}

function toRound(pages: readonly string[], bestMs: ReadonlyMap<number, number>): Round {
  let totalMs = 0;
  let bytes = 0;
  for (const [index, ms] of bestMs) {
    totalMs += ms;
    bytes += Buffer.byteLength(defined(pages[index]));
  }
  return {
    perSecond: (bestMs.size / totalMs) * 1000,
    megabytesPerSecond: bytes / totalMs / 1000,
    // NaN: the converter throws for the page.
    perSecondByPage: pages.map((_, index) => 1000 / (bestMs.get(index) ?? Number.NaN)),
  };
}
