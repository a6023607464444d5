import type { Answer, Books } from '../run/books.ts';

const TIMEOUT_MS = 90_000;

export interface Call {
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request. @returns undefined if the connection broke before the answer was complete */
export async function send(url: string, { method = 'POST', body, headers }: Call): Promise<Answer | undefined> {
  try {
    const response = await fetch(url, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body }),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch {
    return undefined;
  }
}

/** The code in the error envelope, or undefined if the answer has none. */
export function codeOf({ text }: Answer): string | undefined {
  return /"code":"([A-Z_]+)"/.exec(text)?.[1];
}

/** The outcome as text, for the counts: status and error code, or `broken`. */
export const outcomeOf = (answer: Answer | undefined): string =>
  answer === undefined ? 'broken' : [answer.status, answer.status === 402 ? '' : codeOf(answer)].join(' ').trim();

/** Reports an answer that is always wrong, even if parts of the product are down. */
export function inspect(books: Books, what: string, answer: Answer | undefined): void {
  if (answer === undefined || answer.status < 400) return;
  if (answer.status === 500) books.contradict(`${what}: the status is 500`, answer);
  if (answer.status === 402) return;
  const requestId = /"requestId":"([^"]+)"/.exec(answer.text)?.[1];
  const isEnvelope = codeOf(answer) !== undefined && requestId === answer.headers.get('x-request-id');
  if (!isEnvelope) books.contradict(`${what}: an error outside the envelope`, answer);
}
