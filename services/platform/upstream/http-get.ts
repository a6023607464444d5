import { ServiceError } from '../grpc/service-error.ts';
import { createBoundedFetch, MalformedAnswer } from './bounded-fetch.ts';
import { causeCodeOf } from './cause-code.ts';

/** The largest observed answers, with five places or a hundred users, have about 20 and 60 kB. */
const MAX_BODY_BYTES = 2 * 1024 * 1024;

const boundedFetch = createBoundedFetch(MAX_BODY_BYTES);

/** Codes of undici and sockets for a server that did not answer in time. */
const TIMED_OUT = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT']);

export type HttpAnswer =
  | { readonly ok: true; readonly json: unknown }
  | { readonly ok: false; readonly status: number; readonly retryAfter: string | null };

export interface HttpGetOptions {
  readonly headers: Headers;
  readonly signal: AbortSignal;
}

/**
 * Sends one GET request for JSON and follows no redirect. Errors do not include what `fetch` threw: its message and cause
 * may contain the URL.
 * @throws {ServiceError} UPSTREAM_FAILURE, UPSTREAM_TIMEOUT
 * @throws {MalformedAnswer}
 */
export async function httpGet(url: URL, { headers, signal }: HttpGetOptions): Promise<HttpAnswer> {
  const response = await boundedFetch(url, { headers, signal }).catch(refuse);
  if (!response.ok) {
    // Canceling frees the connection. The text of an error is not needed and may repeat the key.
    await response.body?.cancel().catch(() => {});
    return { ok: false, status: response.status, retryAfter: response.headers.get('retry-after') };
  }
  const text = await response.text().catch(refuse);
  try {
    return { ok: true, json: JSON.parse(text) };
  } catch {
    throw new MalformedAnswer('not JSON');
  }
}

function refuse(error: unknown): never {
  if (error instanceof MalformedAnswer) throw error;
  const code = causeCodeOf(error);
  const reason = code !== undefined && /^\w{1,40}$/.test(code) ? code : 'connection failed';
  throw new ServiceError(TIMED_OUT.has(reason) ? 'UPSTREAM_TIMEOUT' : 'UPSTREAM_FAILURE', reason);
}
