import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import type { StackAddresses } from './stack.ts';
import { until } from './until.ts';

/** Reads the metrics of a gateway of a stack at its admin socket. */
export function readMetrics({ runDir }: Pick<StackAddresses, 'runDir'>, origin: string): Promise<string> {
  const { port } = new URL(origin);
  return new Promise((resolve, reject) => {
    get({ socketPath: `${runDir}/admin-${port}.sock`, path: '/metrics' }, (answer) =>
      text(answer).then(resolve, reject),
    ).once('error', reject);
  });
}

/** Waits until the metrics of a gateway match. For half a second, a gateway answers with what it collected before. */
export const untilMetrics = (stack: StackAddresses, pattern: RegExp): Promise<unknown> =>
  until(async () => pattern.test(await readMetrics(stack, stack.urls[0])));
