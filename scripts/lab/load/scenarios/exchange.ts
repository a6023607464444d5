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

/** POSTs JSON. @throws {Error} if the connection breaks before the answer is complete */
export async function exchange(pool: Pool, { path, body, headers }: Exchange): Promise<Reply> {
  const answer = await pool.request({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
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
