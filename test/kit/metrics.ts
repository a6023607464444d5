import { until } from './until.ts';

/** Waits until the metrics of a gateway match. For half a second, a gateway answers with what it collected before. */
export const untilMetrics = (origin: string, pattern: RegExp): Promise<unknown> =>
  until(async () => pattern.test(await (await fetch(`${origin}/metrics`)).text()));
