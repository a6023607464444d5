import {
  type CancelRequest,
  type GetRequest,
  type Job,
  JobsServiceClient,
  type SubmitRequest,
} from '../../../proto/gen/tollhouse/jobs/v1/jobs.ts';
import { type CallSettings, openChannels } from '../../platform/grpc/grpc-client.ts';
import type { GrpcTarget } from '../../platform/grpc/identity.ts';

/** Every method throws `CallError`. */
export interface JobsClient {
  submit(request: SubmitRequest, settings: CallSettings): Promise<Job>;
  get(request: GetRequest, settings: CallSettings): Promise<Job>;
  cancel(request: CancelRequest, settings: CallSettings): Promise<Job>;
  close(): void;
}

export function createJobsClient(target: GrpcTarget): JobsClient {
  const channels = openChannels(JobsServiceClient, target);
  return {
    submit: (request, settings) => channels.call((client) => client.submit, request, settings),
    get: (request, settings) => channels.call((client) => client.get, request, settings),
    cancel: (request, settings) => channels.call((client) => client.cancel, request, settings),
    close: channels.close,
  };
}
