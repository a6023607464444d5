import type { Static } from 'typebox';
import { Compile } from 'typebox/schema';
import { Role } from '../../proto/gen/tollhouse/verification/v1/verification.ts';
import { VerifyExecutionArguments } from '../../services/verification/contract/arguments.ts';
import { defined } from '../../workers/exact/defined.ts';
import { AppError } from '../errors/app-error.ts';
import { assertIdempotencyKey, parseArguments } from './arguments.ts';
import type { EndpointRequest, EndpointResponse } from './endpoint.ts';
import { type JobAnswer, toJobAnswer } from './job-answer.ts';

const nothing = Compile(VerifyExecutionArguments);

/**
 * Starts a job that verifies an execution (RFC 7240, `respond-async`). Faults of the request itself are refused at once,
 * with the errors of a verification without a job. Any other failure is the end of the job.
 * @throws {AppError}
 */
export async function verifyLater(request: EndpointRequest): Promise<EndpointResponse> {
  const { caller, idempotencyKey, params, body, clients, settings } = request;
  if (caller.role !== Role.ROLE_AGENT) throw new AppError('ROLE_NOT_ALLOWED', 'this needs a key of role agent');
  assertIdempotencyKey(idempotencyKey);
  if (!nothing.Check(parseArguments(body))) throw new AppError('MALFORMED_INPUT', 'the body must be an empty object');
  const executionId = defined(params['execution_id']);
  const work = { operation: { $case: 'verifyExecution', value: { executionId } } } as const;
  const job = await clients.jobs.submit({ caller, idempotencyKey, work }, settings);
  const answer: Static<typeof JobAnswer> = toJobAnswer(job);
  return {
    status: 202,
    headers: { location: `/api/v1/jobs/${job.jobId}`, 'preference-applied': 'respond-async' },
    type: 'application/json; charset=utf-8',
    body: JSON.stringify(answer),
    verdicts: {},
  };
}
