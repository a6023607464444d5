import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '../grpc/service-error.ts';
import { type HttpAnswer, httpGet } from './http-get.ts';

/** Statuses for a faulty query. They do not count as failures of the provider. */
const QUERY_FAULTS = new Set([400, 413, 414, 422]);
const TOO_MANY_REQUESTS = 429;

/** The caller ended the query before the provider's time was up. It does not count as a failure of the provider. */
export class Abandoned extends Error {
  override readonly name = 'Abandoned';
  readonly code: 'CANCELLED' | 'UPSTREAM_TIMEOUT';

  constructor(code: Abandoned['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** The caller that waits for the answer. */
export interface UpstreamCaller {
  /** Aborts when the caller has gone. */
  readonly signal: AbortSignal;
  /** When the caller stops waiting, in milliseconds since the epoch; may be Infinity. */
  readonly deadlineMs: number;
}

export interface Query<Result> {
  readonly url: URL;
  readonly headers: Headers;
  /** @throws {MalformedAnswer} */
  readonly read: (json: unknown) => Result;
  readonly timeoutMs: number;
  readonly retryWaitMs: number;
}

export type QueryOutcome<Result> = { readonly result: Result } | { readonly refusedWith: number };

/**
 * Sends a query, and repeats it once after a 429, within `timeoutMs` and the caller's deadline.
 * @throws {ServiceError} UPSTREAM_TIMEOUT, UPSTREAM_FAILURE
 * @throws {MalformedAnswer}
 * @throws {Abandoned}
 */
export async function ask<Result>(query: Query<Result>, caller: UpstreamCaller): Promise<QueryOutcome<Result>> {
  const ownEndMs = Date.now() + query.timeoutMs;
  const endsAtMs = Math.min(ownEndMs, caller.deadlineMs);
  const limit = AbortSignal.timeout(Math.max(0, Math.ceil(endsAtMs - Date.now())));
  const signal = AbortSignal.any([caller.signal, limit]);
  const get = () => httpGet(query.url, { headers: query.headers, signal });
  try {
    let answer = await get();
    if (isRateLimited(answer)) {
      await delay(retryWait(answer.retryAfter, query.retryWaitMs, endsAtMs - Date.now()), undefined, { signal });
      answer = await get();
    }
    return readAnswer(answer, query.read);
  } catch (error) {
    // Any error after an abort is caused by the abort.
    if (!signal.aborted) throw error;
    if (limit.aborted && ownEndMs <= caller.deadlineMs) {
      throw new ServiceError('UPSTREAM_TIMEOUT', `no answer in ${query.timeoutMs} ms`);
    }
    if (limit.aborted || Date.now() >= caller.deadlineMs) {
      throw new Abandoned('UPSTREAM_TIMEOUT', "no answer by the caller's deadline");
    }
    throw new Abandoned('CANCELLED', 'the caller is gone');
  }
}

function readAnswer<Result>(answer: HttpAnswer, read: (json: unknown) => Result): QueryOutcome<Result> {
  if (answer.ok) return { result: read(answer.json) };
  if (QUERY_FAULTS.has(answer.status)) return { refusedWith: answer.status };
  throw new ServiceError('UPSTREAM_FAILURE', `status ${answer.status}`);
}

type Refusal = Extract<HttpAnswer, { ok: false }>;

const isRateLimited = (answer: HttpAnswer): answer is Refusal => !answer.ok && answer.status === TOO_MANY_REQUESTS;

/** RFC 9110, section 10.2.3: seconds or a date. A wait that would end after the deadline fails at once. */
function retryWait(retryAfter: string | null, fallbackMs: number, remainingMs: number): number {
  const askedMs = readRetryAfter(retryAfter);
  const waitMs = askedMs !== undefined && askedMs < remainingMs ? askedMs : fallbackMs;
  if (waitMs >= remainingMs) throw new ServiceError('UPSTREAM_FAILURE', `status ${TOO_MANY_REQUESTS}`);
  return waitMs;
}

function readRetryAfter(value: string | null): number | undefined {
  if (value === null) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  const atMs = Date.parse(value);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - Date.now());
}
