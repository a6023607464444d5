import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type FoundBody, JobFilter, type ListedJob } from '../../proto/gen/tollhouse/backoffice/v1/operator.ts';
import type { OperatorCall, OperatorClient } from '../../services/backoffice/contract/operator-client.ts';
import { CallError } from '../../services/platform/grpc/grpc-client.ts';
import { toUpstreamError } from '../clients/call-error.ts';
import { AppError } from '../errors/app-error.ts';
import type { FreezeWatch } from '../freeze/watch-freeze.ts';
import { describeCalls, describeFacts } from './describe-facts.ts';
import type { Operator, OperatorAccess } from './operator-access.ts';
import { readActsQuery, readFreeze, readJobsQuery, readRetry, readReview, readSearch } from './operator-requests.ts';
import type { Facts } from './read-facts.ts';

export interface OperatorOptions {
  readonly access: OperatorAccess;
  readonly client: OperatorClient;
  readonly freeze: Pick<FreezeWatch, 'refresh'>;
  readonly readFacts: (authorization: string) => Promise<Facts>;
  readonly dailyBudgetMicroUsd: bigint;
}

const TIMEOUT_MS = 5000;
/** Bodies have megabytes. */
const REVIEW_TIMEOUT_MS = 15_000;
const DEFAULT_LIMIT = 50;

const FILTERS: Readonly<Record<string, JobFilter>> = {
  failed: JobFilter.JOB_FILTER_FAILED,
  waiting: JobFilter.JOB_FILTER_WAITING,
  delayed: JobFilter.JOB_FILTER_DELAYED,
  active: JobFilter.JOB_FILTER_ACTIVE,
};

/** What the operator's page shows and does, as JSON. Every request needs a key, and no other site can read an answer. */
export function registerOperator(app: FastifyInstance, options: OperatorOptions): void {
  const { access, client, freeze, readFacts, dailyBudgetMicroUsd } = options;

  const route = (
    method: 'GET' | 'POST',
    path: string,
    answer: (request: FastifyRequest, operator: Operator, settings: OperatorCall) => Promise<object>,
  ) =>
    app.route({
      method,
      url: `/operator${path}`,
      schema: { hide: true },
      onRequest: async (_request, reply) => withoutCors(reply),
      handler: async (request, reply) => {
        const operator = access.authenticate(request);
        const { authorization } = operator;
        const settings = { timeoutMs: TIMEOUT_MS, requestId: request.id, authorization };
        const body = await answer(request, operator, settings).catch((error: unknown) => {
          throw toOperatorError(error);
        });
        return reply.type('application/json; charset=utf-8').send(JSON.stringify(body));
      },
    });

  route('GET', '/facts', async (_request, { name, authorization }) =>
    describeFacts(await readFacts(authorization), name, Number(dailyBudgetMicroUsd)),
  );
  route('POST', '/freeze', async ({ body }, _operator, settings) => {
    const calls = await client.setCallFreeze(readFreeze(body), settings);
    // This process follows at once, and the others within a second.
    return { calls: describeCalls(await freeze.refresh(), calls) };
  });
  route('GET', '/jobs', async ({ query }, _operator, settings) => {
    const { state, limit } = readJobsQuery(query);
    const filter = FILTERS[state] ?? JobFilter.JOB_FILTER_UNSPECIFIED;
    const { jobs } = await client.listJobs({ filter, limit: limitOf(limit) }, settings);
    return { jobs: jobs.map(describeJob) };
  });
  route('POST', '/jobs/retry', async ({ body }, _operator, settings) => {
    return { job: describeJob(await client.retryJob(readRetry(body), settings)) };
  });
  route('GET', '/bodies', async ({ query }, _operator, settings) => {
    const { bodies } = await client.findBodies(readSearch(query).id, settings);
    return { bodies: bodies.map(describeFound) };
  });
  route('POST', '/bodies/read', async ({ body }, _operator, settings) => {
    const review = await client.review(readReview(body), { ...settings, timeoutMs: REVIEW_TIMEOUT_MS });
    const { recordId, requestId, operation, requestBody, responseBody } = review;
    return {
      recordId,
      requestId: requestId ?? null,
      operation,
      request: requestBody.toString('utf8'),
      response: responseBody.toString('utf8'),
    };
  });
  route('GET', '/acts', async ({ query }, _operator, settings) => {
    const { subject = '', limit } = readActsQuery(query);
    const { acts } = await client.listActs({ subject, limit: limitOf(limit) }, settings);
    return {
      acts: acts.map(({ sequence, actedAtMs, ...act }) => ({
        sequence: Number(sequence),
        actedAt: iso(actedAtMs),
        ...act,
      })),
    };
  });
}

const limitOf = (text: string | undefined): number => (text === undefined ? DEFAULT_LIMIT : Number(text));
const iso = (ms: bigint): string => new Date(Number(ms)).toISOString();
const isoOrNull = (ms: bigint): string | null => (ms === 0n ? null : iso(ms));

const describeJob = ({ createdAtMs, dueAtMs, endedAtMs, errorCode, errorMessage, ...job }: ListedJob) => ({
  ...job,
  createdAt: iso(createdAtMs),
  dueAt: isoOrNull(dueAtMs),
  endedAt: isoOrNull(endedAtMs),
  error: errorCode === '' ? null : { code: errorCode, message: errorMessage },
});

const describeFound = ({ requestId, retainedAtMs, requestBytes, responseBytes, ...body }: FoundBody) => ({
  ...body,
  requestId: requestId ?? null,
  retainedAt: iso(retainedAtMs),
  requestBytes: Number(requestBytes),
  responseBytes: Number(responseBytes),
});

/** Operators see the codes of the services, too. */
function toOperatorError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const known = toUpstreamError(error);
  if (known.code !== 'UPSTREAM_FAILURE' || !(error instanceof CallError) || error.code === undefined) return known;
  return new AppError('UPSTREAM_FAILURE', `${error.code}: ${error.message}`, { cause: error });
}

/** The rest of the API may be called from any page. */
export function withoutCors(reply: FastifyReply): void {
  reply.removeHeader('access-control-allow-origin').removeHeader('access-control-expose-headers');
}
