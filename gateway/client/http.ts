import type { Connection } from './connection.ts';
import { type OperationName, PATHS } from './operations.ts';
import type { Fault } from './outcome.ts';
import { canonicalText, fromBase64, isText, membersOf, sha256 } from './values.ts';

/** A request of an operation. Equal inputs have equal bytes, so that a payment finds its own request again. */
export interface Request {
  readonly url: URL;
  readonly body: string;
  readonly bodyDigest: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The members of the body, if it is a JSON object. */
  readonly json: Readonly<Record<string, unknown>> | undefined;
}

const TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** @throws {TypeError} if `origin` is not an origin, the operation is unknown, or the input is not JSON */
export async function createRequest(origin: string, operation: OperationName, input: unknown): Promise<Request> {
  const url = new URL(PATHS[operation] ?? unknownOperation(operation), origin);
  if (url.origin !== origin) throw new TypeError('origin is not an origin, such as https://api.example.com');
  const body = canonicalText(JSON.parse(JSON.stringify(input)));
  return { url, body, bodyDigest: await sha256(body) };
}

function unknownOperation(name: string): never {
  throw new TypeError(`there is no operation ${name}`);
}

/** Sends a request once, without a body by GET. Returns the error if no whole answer came; then the server may have executed the request. */
export async function send(
  { timeoutMs = TIMEOUT_MS, fetch: sendWith = fetch }: Connection,
  { url, body }: Partial<Request> & Pick<Request, 'url'>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer | Error> {
  try {
    const response = await sendWith(url.href, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body }),
      redirect: 'error',
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.redirected) return new Error('the request was redirected');
    return { status: response.status, headers: response.headers, json: parse(await readText(response)) };
  } catch (cause) {
    return new Error('no whole answer came: no connection, a time-out, a redirect or too many bytes', { cause });
  }
}

/** @throws {Error} if the answer is larger than any answer of an operation */
async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let sizeBytes = 0;
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader?.read()) {
    sizeBytes += part.value.byteLength;
    if (sizeBytes > MAX_ANSWER_BYTES) {
      await reader?.cancel();
      throw new Error(`the answer is larger than ${MAX_ANSWER_BYTES} bytes`);
    }
    text += decoder.decode(part.value, { stream: true });
  }
  return text + decoder.decode();
}

function parse(text: string): Answer['json'] {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? membersOf(value) : undefined;
  } catch {
    return undefined;
  }
}

/** What an answer without a result says: an error code, the state of a trial, or the reason of a payment's refusal. */
export function faultOf(answer: Answer | Error): Fault {
  if (answer instanceof Error) return { code: 'NO_ANSWER', message: answer.message, cause: answer.cause };
  const { status, headers, json } = answer;
  const requestId = headers.get('x-request-id');
  const { code, message } = membersOf(json?.['error']);
  const required = fromBase64(headers.get('payment-required'));
  const { status: trial, nextStep } = trialInfoOf(required);
  const { error: reason } = required;
  const texts = [code, trial, typeof reason === 'string' ? reason.split(':', 1)[0] : undefined];
  const messages = [message, membersOf(nextStep)['description'], reason];
  return {
    code: texts.find((text) => isText(text, /^\w{1,80}$/)) ?? 'UNEXPECTED_ANSWER',
    message: messages.find((text) => typeof text === 'string') ?? `the answer was ${status}`,
    status,
    ...(requestId === null ? {} : { requestId }),
  };
}

/** The members of `seller-trial` in a decoded PAYMENT-REQUIRED header. */
export const trialInfoOf = ({ extensions }: Readonly<Record<string, unknown>>) =>
  membersOf(membersOf(membersOf(extensions)['seller-trial'])['info']);

/** Source: Retry-After in seconds. */
export function retryAfterMs(answer: Answer | Error): number {
  const text = answer instanceof Error ? null : answer.headers.get('retry-after');
  return isText(text, /^\d{1,6}$/) ? Number(text) * 1000 : 0;
}

/** A fault of the request itself, which the server does not execute. */
export const isFaultOfRequest = ({ status }: Answer): boolean =>
  status >= 400 && status < 500 && ![401, 402, 408, 409, 423, 429].includes(status);
