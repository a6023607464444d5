import {
  type CancelRequest,
  type GetRequest,
  JobsServiceClient,
  type SubmitRequest,
} from '../../../proto/gen/tollhouse/jobs/v1/jobs.ts';
import { type CallSettings, openChannels } from '../../platform/grpc/grpc-client.ts';
import type { GrpcTarget } from '../../platform/grpc/identity.ts';

export type JobsClient = ReturnType<typeof createJobsClient>;

/** Every method throws `CallError`. */
export function createJobsClient(target: GrpcTarget) {
  const channels = openChannels(JobsServiceClient, target);
  return {
    submit: (request: SubmitRequest, settings: CallSettings) =>
      channels.call((client) => client.submit, request, settings),
    get: (request: GetRequest, settings: CallSettings) => channels.call((client) => client.get, request, settings),
    cancel: (request: CancelRequest, settings: CallSettings) =>
      channels.call((client) => client.cancel, request, settings),
    close: channels.close,
  };
}
