import { randomUUID } from 'node:crypto';

const TIMEOUT_MS = 60_000;

/** An answer that is an error, as the API gives it. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export interface Api {
  /** @throws {ApiError} */
  get<T>(path: string): Promise<T>;
  /** Under an idempotency key of its own. @throws {ApiError} */
  post<T>(path: string, body: unknown): Promise<T>;
  /** As its bytes. @throws {ApiError} */
  download(path: string): Promise<Buffer>;
}

/** Calls verified execution over HTTP, with a key. */
export function createApi(origin: string, key: string): Api {
  async function call(path: string, init: RequestInit): Promise<Response> {
    const headers = { ...init.headers, authorization: `Bearer ${key}` };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(`${origin}${path}`, { ...init, headers, signal }).catch((error: unknown) => {
      throw new Error(`no answer from ${origin}: is it started? (npm start)`, { cause: error });
    });
    if (response.ok) return response;
    const { error } = (await response.json()) as {
      readonly error: { readonly code: string; readonly message: string };
    };
    throw new ApiError(error.code, error.message);
  }
  return {
    get: async <T>(path: string) => (await (await call(path, {})).json()) as T,
    async post<T>(path: string, body: unknown) {
      const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
      const response = await call(path, { method: 'POST', headers, body: JSON.stringify(body) });
      return (await response.json()) as T;
    },
    download: async (path) => Buffer.from(await (await call(path, {})).arrayBuffer()),
  };
}
