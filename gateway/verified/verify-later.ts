import { Compile } from 'typebox/schema';
import { Role } from '../../proto/gen/tollhouse/verification/v1/verification.ts';
import { IDEMPOTENCY_KEY, VerifyExecutionArguments } from '../../services/verification/contract/arguments.ts';
import { ARGUMENTS_JSON, parseStrictJson, StrictJsonError } from '../../workers/exact/strict-json.ts';
import { AppError } from '../errors/app-error.ts';
import type { EndpointAnswer, EndpointCall } from './endpoint.ts';
import { toJobBody } from './job-body.ts';

const keyPattern = new RegExp(IDEMPOTENCY_KEY);

const nothing = Compile(VerifyExecutionArguments);

/**
 * Has an execution verified by a job (RFC 7240, `respond-async`). What is wrong with the request itself is said now, as
 * it would be to one that waits; the rest is how the job ends.
 * @throws {AppError}
 */
export async function verifyLater(call: EndpointCall): Promise<EndpointAnswer> {
  const { caller, idempotencyKey, params, body, clients, settings } = call;
  if (caller.role !== Role.ROLE_AGENT) throw new AppError('ROLE_NOT_ALLOWED', 'this needs a key of role agent');
  if (idempotencyKey === '') throw new AppError('IDEMPOTENCY_KEY_REQUIRED', 'send an Idempotency-Key');
  if (!keyPattern.test(idempotencyKey)) {
    throw new AppError('MALFORMED_INPUT', 'the idempotency key must be 1 to 255 printable ASCII characters');
  }
  if (!nothing.Check(parse(body))) throw new AppError('MALFORMED_INPUT', 'the body must be an empty object');
  const work = {
    operation: { $case: 'verifyExecution', value: { executionId: params['execution_id'] ?? '' } },
  } as const;
  const job = await clients.jobs.submit({ caller, idempotencyKey, work }, settings);
  const headers = { location: `/api/v1/jobs/${job.jobId}`, 'preference-applied': 'respond-async' };
  return { status: 202, headers, body: toJobBody(job) };
}

function parse(body: string): unknown {
  try {
    return parseStrictJson(body, ARGUMENTS_JSON);
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    throw new AppError('INVALID_JSON', error.message, { cause: error });
  }
}
