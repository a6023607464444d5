import { Role } from '../../proto/gen/tollhouse/verification/v1/verification.ts';
import { defined } from '../../workers/exact/defined.ts';
import { AppError } from '../errors/app-error.ts';
import { defineEndpoint, READ_TIMEOUT_MS } from './define-endpoint.ts';
import { job } from './examples.ts';
import { JobAnswer, toJobAnswer } from './job-answer.ts';

const common = {
  path: '/api/v1/jobs/{job_id}',
  status: 200,
  answer: { schema: JobAnswer, example: job },
  timeoutMs: READ_TIMEOUT_MS,
} as const;

const getJob = defineEndpoint({
  ...common,
  method: 'GET',
  operationId: 'verified_get_job',
  summary: 'Read a job',
  description: 'A job that `Prefer: respond-async` started. Jobs are deleted seven days after they end.',
  async call({ caller, params, clients, settings }) {
    const job = await clients.jobs.get({ tenantId: caller.tenantId, jobId: defined(params['job_id']) }, settings);
    return { value: toJobAnswer(job) };
  },
});

const cancelJob = defineEndpoint({
  ...common,
  method: 'DELETE',
  operationId: 'verified_cancel_job',
  summary: 'Cancel a job',
  description:
    'Cancels a job that has not ended. What it has committed remains. Role: agent, with the key that started the job or a key of its group.',
  async call({ caller, params, clients, settings }) {
    if (caller.role !== Role.ROLE_AGENT) throw new AppError('ROLE_NOT_ALLOWED', 'this needs a key of role agent');
    const { tenantId, keyGroup } = caller;
    const job = await clients.jobs.cancel({ tenantId, jobId: defined(params['job_id']), keyGroup }, settings);
    return { value: toJobAnswer(job) };
  },
});

export const jobs = [getJob, cancelJob];
