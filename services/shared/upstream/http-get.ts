import { ServiceError } from '../service-error.ts';

/** The largest answers seen, of five places or a hundred users, are some 20 and 60 kB. */
const MAX_BODY_BYTES = 2 * 1024 * 1024;

/** Codes of undici and of sockets that mean that the other side did not answer in time. */
const TIMED_OUT = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT']);

/** The answer is not of the shape that the provider documents. */
export class MalformedAnswer extends Error {
  override readonly name = 'MalformedAnswer';
}

export type HttpAnswer =
  | { readonly ok: true; readonly json: unknown }
  | { readonly ok: false; readonly status: number; readonly retryAfter: string | null };

export interface HttpGetOptions {
  readonly headers: Headers;
  readonly signal: AbortSignal;
}

/**
 * One GET of JSON. Redirects are not followed: they would take the request, and a key in it, to another host.
 * No error holds what `fetch` threw, whose message and cause may tell the URL.
 * @throws {ServiceError} UPSTREAM_FAILURE, UPSTREAM_TIMEOUT
 * @throws {MalformedAnswer}
 */
export async function httpGet(url: URL, { headers, signal }: HttpGetOptions): Promise<HttpAnswer> {
  const response = await fetch(url, { headers, signal, redirect: 'manual' }).catch(refuse);
  if (!response.ok) {
    // Frees the connection; the text of an error is of no use and may repeat the key.
    await response.body?.cancel().catch(() => {});
    return { ok: false, status: response.status, retryAfter: response.headers.get('retry-after') };
  }
  const text = await readBody(response).catch(refuse);
  try {
    return { ok: true, json: JSON.parse(text) };
  } catch {
    throw new MalformedAnswer('not JSON');
  }
}

/** Counts what was decompressed: a few bytes of gzip may hold gigabytes. */
async function readBody(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let sizeBytes = 0;
  for await (const chunk of response.body ?? []) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > MAX_BODY_BYTES) throw new MalformedAnswer('too large');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function refuse(error: unknown): never {
  if (error instanceof MalformedAnswer) throw error;
  const { code } = (error as { cause?: { code?: unknown } }).cause ?? {};
  const reason = typeof code === 'string' && /^\w{1,40}$/.test(code) ? code : 'connection failed';
  throw new ServiceError(TIMED_OUT.has(reason) ? 'UPSTREAM_TIMEOUT' : 'UPSTREAM_FAILURE', reason);
}
