import { htmlToMarkdown } from '../../../../workers/html-to-markdown/html-to-markdown.ts';
import { ConversionError } from '../../../../workers/html-to-markdown/parse/conversion-error.ts';
import type { Contender } from '../measure/compare.ts';
import { HOSTILE_SHAPES } from '../measure/hostile-shapes.ts';
import type { Scope } from '../measure/scope.ts';

const MAX_MS = 1500;
/** The minimum ratio. With linear work the ratio is 1/2, with quadratic work 1/4. */
const LINEAR = 0.33;

/** Compares each hostile shape at its full size with the same shape at half the size. */
export const shapes: Scope = async () => ({
  comparisons: HOSTILE_SHAPES.map(({ name, size, make }) => ({
    title: name,
    ours: { name: `${size}`, run: repeat(make(size)) },
    reference: { name: `${size / 2}`, run: repeat(make(size / 2)) },
    target: LINEAR,
    targetP99Ms: MAX_MS,
  })),
  stop: async () => {},
});

function repeat(html: string): Contender['run'] {
  return async (durationMs) => {
    const endMs = performance.now() + durationMs;
    let bestMs = Number.POSITIVE_INFINITY;
    do {
      const startMs = performance.now();
      convert(html);
      bestMs = Math.min(bestMs, performance.now() - startMs);
    } while (performance.now() < endMs);
    return { perSecond: 1000 / bestMs, p99Ms: bestMs };
  };
}

function convert(html: string): void {
  try {
    htmlToMarkdown({ html });
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error;
  }
}
