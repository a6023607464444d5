/** An answer that is an error. */
export class OperatorError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** What the server answers: members of JSON objects, of which each view reads its own. */
export interface Api {
  read<Answer>(path: string): Promise<Answer>;
  write<Answer>(path: string, body: object): Promise<Answer>;
}

const TIMEOUT_MS = 20_000;

/** Calls this server with an operator's key. */
export function openApi(key: string): Api {
  async function call<Answer>(path: string, init: RequestInit = {}): Promise<Answer> {
    const answer = await fetch(`/operator${path}`, {
      ...init,
      headers: { ...init.headers, authorization: `Bearer ${key}`, accept: 'application/json' },
      cache: 'no-store',
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const body: unknown = await answer.json().catch(() => ({}));
    if (answer.ok) return body as Answer;
    const { error } = Object(body);
    throw new OperatorError(error?.code ?? String(answer.status), error?.message ?? answer.statusText);
  }
  return {
    read: (path) => call(path),
    write: (path, body) =>
      call(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  };
}

/** What went wrong, for people. */
export const describe = (error: unknown): string =>
  error instanceof OperatorError ? `${error.code}: ${error.message}` : `The server did not answer: ${String(error)}`;
