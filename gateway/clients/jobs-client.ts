import {
  type CancelRequest,
  type GetRequest,
  type Job,
  JobsServiceClient,
  type SubmitRequest,
} from '../../proto/gen/tollhouse/jobs/v1/jobs.ts';
import { type CallSettings, openChannels } from '../../services/shared/grpc-client.ts';
import { AppError } from '../errors.ts';
import { toVerifiedError } from './verified-error.ts';

/** All throw `AppError`. */
export interface JobsClient {
  submit(request: SubmitRequest, settings: CallSettings): Promise<Job>;
  get(request: GetRequest, settings: CallSettings): Promise<Job>;
  cancel(request: CancelRequest, settings: CallSettings): Promise<Job>;
  close(): void;
}

export function createJobsClient(target: string): JobsClient {
  const channels = openChannels(JobsServiceClient, target);
  const jobOf = async (answer: Promise<{ readonly job?: Job | undefined }>): Promise<Job> => {
    const { job } = await answer.catch((error: unknown) => Promise.reject(toVerifiedError(error)));
    if (job === undefined) throw new AppError('UPSTREAM_FAILURE', 'the service answered without a job');
    return job;
  };
  return {
    submit: (request, settings) => jobOf(channels.call((client) => client.submit, request, settings)),
    get: (request, settings) => jobOf(channels.call((client) => client.get, request, settings)),
    cancel: (request, settings) => jobOf(channels.call((client) => client.cancel, request, settings)),
    close: channels.close,
  };
}
