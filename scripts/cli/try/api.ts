import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { COMMAND_LINES } from '../../../services/platform/process/installation.ts';
import { createReader } from '../../launch/parse/json-reader.ts';
import { CommandError } from '../terminal/command.ts';

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
  /** Sends a text of another type. @throws {ApiError} */
  upload(path: string, type: string, text: string): Promise<void>;
  /** The bytes of an answer. @throws {ApiError} */
  download(path: string): Promise<Buffer>;
}

const readError = createReader(
  Type.Object({ error: Type.Object({ code: Type.String(), message: Type.String() }) }),
  'the error answer',
);

/** The message for a server that is not there. */
export const noAnswer = (url: string): string =>
  `${url} does not answer. Start the server with ${COMMAND_LINES.start}, or name another one: --url ORIGIN, or TOLLHOUSE_URL`;

/** Another server than Tollhouse may answer. */
async function readAnswer(response: Response) {
  try {
    return readError(await response.json());
  } catch {
    throw new CommandError(
      `${response.url} answers ${response.status}, but not as Tollhouse does: is it the right server?`,
    );
  }
}

/** A client of verified execution over HTTP that authenticates with a key. */
export function createApi(origin: string, key: string): Api {
  async function call(path: string, init: RequestInit): Promise<Response> {
    const headers = { ...init.headers, authorization: `Bearer ${key}` };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(`${origin}${path}`, { ...init, headers, signal, redirect: 'manual' }).catch(() => {
      throw new CommandError(noAnswer(origin));
    });
    if (response.ok) return response;
    const { error } = await readAnswer(response);
    throw new ApiError(error.code, error.message);
  }
  return {
    get: async <T>(path: string) => (await (await call(path, {})).json()) as T,
    async post<T>(path: string, body: unknown) {
      const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
      const response = await call(path, { method: 'POST', headers, body: JSON.stringify(body) });
      return (await response.json()) as T;
    },
    async upload(path, type, text) {
      await call(path, { method: 'POST', headers: { 'content-type': type }, body: text });
    },
    download: async (path) => Buffer.from(await (await call(path, {})).arrayBuffer()),
  };
}
