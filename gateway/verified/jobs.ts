import { Type } from 'typebox';
import { Role } from '../../proto/gen/tollhouse/verification/v1/verification.ts';
import { Timestamp } from '../../services/verification/contract/answers.ts';
import { Document, Uuid } from '../../services/verification/contract/arguments.ts';
import { AppError } from '../errors/app-error.ts';
import type { Endpoint } from './endpoint.ts';
import { job } from './examples.ts';
import { toJobBody } from './job-body.ts';

const JobAnswer = Type.Object(
  {
    job_id: Uuid,
    state: Type.String({ enum: ['queued', 'running', 'succeeded', 'failed', 'cancelled'] }),
    attempts: Type.Integer({ minimum: 0 }),
    created_at: Timestamp,
    ended_at: Type.Union([Timestamp, Type.Null()]),
    answer: Type.Union([Document, Type.Null()], { description: 'What the operation would have answered' }),
    error: Type.Union([Type.Object({ code: Type.String(), message: Type.String() }), Type.Null()]),
  },
  { additionalProperties: false },
);

const common = {
  path: '/api/v1/jobs/{job_id}',
  status: 200,
  answer: { schema: JobAnswer, example: job },
  timeoutMs: 10_000,
} as const;

export const jobs: readonly Endpoint[] = [
  {
    ...common,
    method: 'GET',
    operationId: 'verified_get_job',
    summary: 'Read a job',
    description: 'Work that was asked for with `Prefer: respond-async`. It is forgotten seven days after its end.',
    async call({ caller, params, clients, settings }) {
      const request = { tenantId: caller.tenantId, jobId: params['job_id'] ?? '' };
      return { body: toJobBody(await clients.jobs.get(request, settings)) };
    },
  },
  {
    ...common,
    method: 'DELETE',
    operationId: 'verified_cancel_job',
    summary: 'Cancel a job',
    description:
      'Ends a job that is not at its end. What its work has committed stays. Role: agent, with the key that asked for the job or one of its group.',
    async call({ caller, params, clients, settings }) {
      if (caller.role !== Role.ROLE_AGENT) throw new AppError('ROLE_NOT_ALLOWED', 'this needs a key of role agent');
      const { tenantId, keyGroup } = caller;
      const request = { tenantId, jobId: params['job_id'] ?? '', keyGroup };
      return { body: toJobBody(await clients.jobs.cancel(request, settings)) };
    },
  },
];
