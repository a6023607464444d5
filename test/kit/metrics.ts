import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import type { StackAddresses } from './stack.ts';
import { until } from './until.ts';

/** Asks the admin socket of a gateway of a stack. */
export function askAdmin({ runDir }: Pick<StackAddresses, 'runDir'>, origin: string, path: string): Promise<string> {
  const { port } = new URL(origin);
  return new Promise((resolve, reject) => {
    get({ socketPath: `${runDir}/admin-${port}.sock`, path }, (answer) => text(answer).then(resolve, reject)).once(
      'error',
      reject,
    );
  });
}

export const readMetrics = (stack: Pick<StackAddresses, 'runDir'>, origin: string): Promise<string> =>
  askAdmin(stack, origin, '/metrics');

/** Waits until the metrics of a gateway match. For half a second, a gateway answers with what it collected before. */
export const untilMetrics = (stack: StackAddresses, pattern: RegExp): Promise<unknown> =>
  until(async () => pattern.test(await readMetrics(stack, stack.urls[0])));
