import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { createReader } from '../../launch/parse/json-reader.ts';

const TIMEOUT_MS = 60_000;

/** An error answer of the API. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export interface Api {
  /** The type of the answer is the caller's claim; nothing checks it. @throws {ApiError} */
  get<T>(path: string): Promise<T>;
  /** Sends a new idempotency key. The type of the answer is the caller's claim. @throws {ApiError} */
  post<T = unknown>(path: string, body: unknown): Promise<T>;
  /** The bytes of an answer. @throws {ApiError} */
  download(path: string): Promise<Buffer>;
}

const readError = createReader(
  Type.Object({ error: Type.Object({ code: Type.String(), message: Type.String() }) }),
  'the error answer',
);

/** A client of verified execution over HTTP that authenticates with a key. */
export function createApi(origin: string, key: string): Api {
  async function call(path: string, init: RequestInit): Promise<Response> {
    const headers = { ...init.headers, authorization: `Bearer ${key}` };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(`${origin}${path}`, { ...init, headers, signal }).catch((error: unknown) => {
      throw new Error(`${origin} does not answer. Start the server with npm start`, { cause: error });
    });
    if (response.ok) return response;
    const { error } = readError(await response.json());
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
