import { type Static, Type } from 'typebox';
import { type Job, JobState } from '../../proto/gen/tollhouse/jobs/v1/jobs.ts';
import { Timestamp } from '../../services/verification/contract/answers.ts';
import { Document, Uuid } from '../../services/verification/contract/arguments.ts';

export const JobAnswer = Type.Object(
  {
    job_id: Uuid,
    state: Type.String({ enum: ['queued', 'running', 'succeeded', 'failed', 'cancelled'] }),
    attempts: Type.Integer({ minimum: 0 }),
    created_at: Timestamp,
    ended_at: Type.Union([Timestamp, Type.Null()]),
    answer: Type.Union([Document, Type.Null()], { description: 'The answer of the operation' }),
    error: Type.Union([Type.Object({ code: Type.String(), message: Type.String() }), Type.Null()]),
  },
  { additionalProperties: false },
);

const STATES: Readonly<Record<JobState, string>> = {
  [JobState.JOB_STATE_UNSPECIFIED]: 'queued',
  [JobState.JOB_STATE_QUEUED]: 'queued',
  [JobState.JOB_STATE_RUNNING]: 'running',
  [JobState.JOB_STATE_SUCCEEDED]: 'succeeded',
  [JobState.JOB_STATE_FAILED]: 'failed',
  [JobState.JOB_STATE_CANCELLED]: 'cancelled',
  [JobState.UNRECOGNIZED]: 'queued',
};

/** A job as the API answers it. Protobuf writes an absent string as an empty one. */
export function toJobAnswer(job: Job): Static<typeof JobAnswer> {
  return {
    job_id: job.jobId,
    state: STATES[job.state],
    attempts: job.attempts,
    created_at: job.createdAt,
    ended_at: job.endedAt === '' ? null : job.endedAt,
    answer: job.answer === '' ? null : JSON.parse(job.answer),
    error: job.errorCode === '' ? null : { code: job.errorCode, message: job.errorMessage },
  };
}
