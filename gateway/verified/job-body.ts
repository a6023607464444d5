import { type Job, JobState } from '../../proto/gen/tollhouse/jobs/v1/jobs.ts';

const STATES: Readonly<Record<JobState, string>> = {
  [JobState.JOB_STATE_UNSPECIFIED]: 'queued',
  [JobState.JOB_STATE_QUEUED]: 'queued',
  [JobState.JOB_STATE_RUNNING]: 'running',
  [JobState.JOB_STATE_SUCCEEDED]: 'succeeded',
  [JobState.JOB_STATE_FAILED]: 'failed',
  [JobState.JOB_STATE_CANCELLED]: 'cancelled',
  [JobState.UNRECOGNIZED]: 'queued',
};

/** A job as it is answered: `answer` is what the operation would have answered. */
export function toJobBody(job: Job): string {
  return JSON.stringify({
    job_id: job.jobId,
    state: STATES[job.state],
    attempts: job.attempts,
    created_at: job.createdAt,
    ended_at: job.endedAt === '' ? null : job.endedAt,
    answer: job.answer === '' ? null : JSON.parse(job.answer),
    error: job.errorCode === '' ? null : { code: job.errorCode, message: job.errorMessage },
  });
}
