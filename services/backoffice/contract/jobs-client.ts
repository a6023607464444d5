import {
  type CancelRequest,
  type GetRequest,
  type Job,
  JobsServiceClient,
  type SubmitRequest,
} from '../../../proto/gen/tollhouse/jobs/v1/jobs.ts';
import { type CallSettings, openChannels } from '../../platform/grpc/grpc-client.ts';
import type { GrpcTarget } from '../../platform/grpc/identity.ts';

interface Answer {
  readonly job?: Job | undefined;
}

/** Every method throws `CallError`, or an `Error` if the answer has no job. */
export interface JobsClient {
  submit(request: SubmitRequest, settings: CallSettings): Promise<Job>;
  get(request: GetRequest, settings: CallSettings): Promise<Job>;
  cancel(request: CancelRequest, settings: CallSettings): Promise<Job>;
  close(): void;
}

export function createJobsClient(target: GrpcTarget): JobsClient {
  const channels = openChannels(JobsServiceClient, target);
  return {
    submit: async (request, settings) => jobOf(await channels.call((client) => client.submit, request, settings)),
    get: async (request, settings) => jobOf(await channels.call((client) => client.get, request, settings)),
    cancel: async (request, settings) => jobOf(await channels.call((client) => client.cancel, request, settings)),
    close: channels.close,
  };
}

function jobOf({ job }: Answer): Job {
  if (job === undefined) throw new Error('the service answered without a job');
  return job;
}
