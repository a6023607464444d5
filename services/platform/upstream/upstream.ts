import { CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhen, isBrokenCircuitError } from 'cockatiel';
import type { ServiceErrorCode } from '../errors/error-codes.ts';
import { ServiceError } from '../grpc/service-error.ts';
import { ConfigurationError } from '../process/environment.ts';
import type { Logger } from '../process/logger.ts';
import { Abandoned, ask, type UpstreamCaller } from './ask.ts';
import { MalformedAnswer } from './bounded-fetch.ts';

/** Options of every provider. */
export interface ProviderOptions {
  /** May have a path, which is put before the provider's own paths. */
  readonly baseUrl: URL;
  /** Longest time for one query, including a second try. */
  readonly timeoutMs: number;
  readonly logger: Logger;
  readonly policy?: UpstreamPolicy;
}

export interface UpstreamPolicy {
  /** Consecutive failures that open the circuit breaker; 5 by default. */
  readonly breakAfter?: number;
  /** How long it stays open before one query tries the provider again; 5 s by default. */
  readonly breakMs?: number;
  /** Wait before the second try, unless the provider names one that fits; 250 ms by default. */
  readonly retryWaitMs?: number;
}

export interface UpstreamRequest<Result> {
  /** Path under the base URL, with a leading slash. */
  readonly path: string;
  readonly query: Readonly<Record<string, string | number | undefined>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** @throws {MalformedAnswer} */
  readonly read: (json: unknown) => Result;
}

export interface Upstream {
  /** @throws {ServiceError} UPSTREAM_TIMEOUT, UPSTREAM_FAILURE, DEADLINE_EXCEEDED, CANCELLED */
  get<Result>(request: UpstreamRequest<Result>, caller: UpstreamCaller): Promise<Result>;
}

/**
 * One host behind a circuit breaker. Consecutive failures and timeouts open it; callers that leave and queries that the
 * host refuses do not count. Errors and log lines have no URL, header or body, which may contain a key or a user's query.
 */
export function createUpstream(provider: string, options: ProviderOptions): Upstream {
  const { baseUrl, timeoutMs, logger } = options;
  const { breakAfter = 5, breakMs = 5_000, retryWaitMs = 250 } = options.policy ?? {};
  assertUsable(provider, baseUrl);

  const breaker = circuitBreaker(
    // An abandoned trial query does not show that the host has recovered.
    handleWhen((error) => !(error instanceof Abandoned) || breaker.state === CircuitState.HalfOpen),
    { breaker: new ConsecutiveBreaker(breakAfter), halfOpenAfter: breakMs },
  );
  breaker.onBreak(() => logger.warn({ provider, breakMs }, 'the circuit breaker of the upstream is open'));
  breaker.onReset(() => logger.info({ provider }, 'the circuit breaker of the upstream is closed'));

  const failure = (code: ServiceErrorCode, reason: string) => {
    logger.warn({ provider, code, reason }, 'upstream failed');
    return new ServiceError(code, `${provider}: ${reason}`);
  };
  const toError = (error: unknown): unknown => {
    if (isBrokenCircuitError(error)) return notAsked(provider);
    if (error instanceof Abandoned) return new ServiceError(error.code, `${provider}: ${error.message}`);
    if (error instanceof MalformedAnswer) return failure('UPSTREAM_FAILURE', `malformed answer, ${error.message}`);
    return error instanceof ServiceError ? failure(error.code, error.message) : error;
  };

  return {
    async get(request, caller) {
      if (caller.signal.aborted) throw new ServiceError('CANCELLED', `${provider}: the caller is gone`);
      if (caller.deadlineMs <= Date.now()) throw new ServiceError('DEADLINE_EXCEEDED', `${provider}: too late to ask`);
      // cockatiel would let other callers wait for the trial query, past their own deadline.
      if (breaker.state === CircuitState.HalfOpen) throw notAsked(provider);
      const query = { url: urlOf(baseUrl, request), headers: headersOf(request), read: request.read };
      try {
        const outcome = await breaker.execute(() => ask({ ...query, timeoutMs, retryWaitMs }, caller));
        if ('result' in outcome) return outcome.result;
        throw new ServiceError('UPSTREAM_FAILURE', `the query was refused with status ${outcome.refusedWith}`);
      } catch (error) {
        throw toError(error);
      }
    },
  };
}

const notAsked = (provider: string) =>
  new ServiceError('UPSTREAM_FAILURE', `${provider}: not asked for a while after failures`);

/** `fetch` refuses a URL with credentials, and its error contains the whole URL. */
function assertUsable(provider: string, { protocol, username, password }: URL): void {
  const isUsable = /^https?:$/.test(protocol) && username === '' && password === '';
  if (!isUsable) throw new ConfigurationError(`${provider}: its base URL must be http(s), without user and password`);
}

function urlOf(baseUrl: URL, { path, query }: UpstreamRequest<unknown>): URL {
  const url = new URL(baseUrl);
  url.pathname = url.pathname.replace(/\/+$/, '') + path;
  url.search = '';
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

/** The usage policy of Nominatim requires the name of the application. The other providers receive it too. */
function headersOf({ headers = {} }: UpstreamRequest<unknown>): Headers {
  const all = new Headers({ accept: 'application/json', 'user-agent': 'tollhouse' });
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) all.set(name, value);
  }
  return all;
}
