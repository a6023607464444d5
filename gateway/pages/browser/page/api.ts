/** An answer that is an error. */
export class ApiError extends Error {
  readonly code: string;
  readonly remedy: string | undefined;

  constructor(code: string, message: string, remedy?: string) {
    super(message);
    this.code = code;
    this.remedy = remedy;
  }
}

export interface Api {
  readJson(path: string): Promise<unknown>;
  readText(path: string): Promise<string>;
  readBytes(path: string): Promise<Uint8Array<ArrayBuffer>>;
  readMarkdown(path: string): Promise<string>;
  write(path: string, body: object): Promise<unknown>;
}

/** Calls the API of this server with a key. Without one, only what is public can be read. */
export function openApi(key?: string): Api {
  const call = async (path: string, accept: string, init: RequestInit = {}): Promise<Response> => {
    const access = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const headers = { ...init.headers, ...access, accept };
    const answer = await fetch(`/api/v1${path}`, { ...init, headers, cache: 'no-store', redirect: 'error' }).catch(
      () => {
        throw new ApiError('NOT_REACHED', 'the server could not be reached');
      },
    );
    if (answer.ok) return answer;
    const { error } = Object(await answer.json().catch(() => ({})));
    throw new ApiError(error?.code ?? String(answer.status), error?.message ?? answer.statusText, error?.remedy);
  };
  return {
    readJson: async (path) => (await call(path, 'application/json')).json(),
    readText: async (path) => (await call(path, 'text/plain')).text(),
    readBytes: async (path) => new Uint8Array(await (await call(path, 'application/json')).arrayBuffer()),
    readMarkdown: async (path) => (await call(path, 'text/markdown')).text(),
    write: async (path, body) =>
      (
        await call(path, 'application/json', {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
          body: JSON.stringify(body),
        })
      ).json(),
  };
}
