import type { Pool } from 'undici';
import type { Outcome } from './scenario.ts';

export interface Exchange {
  readonly path: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/**
 * POSTs JSON. `dispatch` takes less processor time than `request`, which the product needs on the same machine.
 * @throws {Error} if the connection breaks before the answer is complete
 */
export function exchange(pool: Pool, { path, body, headers }: Exchange): Promise<Reply> {
  return new Promise((resolve, reject) => {
    let head: Pick<Reply, 'status' | 'headers'> | undefined;
    const chunks: Buffer[] = [];
    pool.dispatch(
      { method: 'POST', path, headers: { 'content-type': 'application/json', ...headers }, body },
      {
        onRequestStart: () => {},
        onResponseStart(_controller, status, received) {
          head = { status, headers: received };
        },
        onResponseData: (_controller, chunk) => void chunks.push(chunk),
        onResponseEnd: () => {
          if (head === undefined) reject(new Error('an answer without a status'));
          else resolve({ ...head, text: Buffer.concat(chunks).toString() });
        },
        onResponseError: (_controller, error) => reject(error),
      },
    );
  });
}

/** The outcome of a call that should end with a status. */
export function outcomeOf({ status, text }: Reply, wanted: number): Outcome {
  if (status === wanted) return { isGood: true, code: String(status) };
  const code = /"code":"([A-Z_]+)"/.exec(text)?.[1];
  return { isGood: false, code: code === undefined ? String(status) : `${status} ${code}` };
}

/** A header of an answer. Undefined if it is absent or repeated. */
export function headerOf({ headers }: Reply, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}
