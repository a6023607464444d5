import { until } from './until.ts';

/** Waits until the metrics of a gateway match. A gateway gives others the metrics that it collected a moment ago. */
export const untilMetrics = (origin: string, pattern: RegExp): Promise<string> =>
  until(async () => {
    const text = await (await fetch(`${origin}/metrics`)).text();
    return pattern.test(text) && text;
  });
