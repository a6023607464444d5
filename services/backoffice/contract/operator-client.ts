import {
  type CallFreezeState,
  type FindBodiesResponse,
  type JobFilter,
  type ListActsResponse,
  type ListedJob,
  type ListJobsResponse,
  OperatorServiceClient,
  type ReadFiguresResponse,
} from '../../../proto/gen/tollhouse/backoffice/v1/operator.ts';
import {
  RetentionReviewServiceClient,
  type ReviewResponse,
} from '../../../proto/gen/tollhouse/backoffice/v1/review.ts';
import { type CallSettings, openChannels } from '../../platform/grpc/grpc-client.ts';
import type { GrpcTarget } from '../../platform/grpc/identity.ts';

/** `authorization` has the key of an operator: `Bearer KEY`. */
export type OperatorCall = CallSettings & { readonly authorization: string };

/** Every method throws `CallError`. */
export interface OperatorClient {
  readFigures(settings: OperatorCall): Promise<ReadFiguresResponse>;
  setCallFreeze(
    change: { readonly frozen: boolean; readonly reason: string },
    settings: OperatorCall,
  ): Promise<CallFreezeState>;
  listJobs(
    wanted: { readonly filter: JobFilter; readonly limit: number },
    settings: OperatorCall,
  ): Promise<ListJobsResponse>;
  retryJob(wanted: { readonly jobId: string; readonly reason: string }, settings: OperatorCall): Promise<ListedJob>;
  findBodies(id: string, settings: OperatorCall): Promise<FindBodiesResponse>;
  /** The bodies of a record. The reading is in the audit trail before they are answered. */
  review(
    wanted: { readonly recordId: string; readonly reason: string },
    settings: OperatorCall,
  ): Promise<ReviewResponse>;
  listActs(
    wanted: { readonly subject: string; readonly limit: number },
    settings: OperatorCall,
  ): Promise<ListActsResponse>;
  close(): void;
}

export function createOperatorClient(target: GrpcTarget): OperatorClient {
  const channels = openChannels(OperatorServiceClient, target);
  const reviews = openChannels(RetentionReviewServiceClient, target);
  return {
    readFigures: (settings) => channels.call((client) => client.readFigures, {}, settings),
    setCallFreeze: (change, settings) => channels.call((client) => client.setCallFreeze, change, settings),
    listJobs: (wanted, settings) => channels.call((client) => client.listJobs, wanted, settings),
    retryJob: (wanted, settings) => channels.call((client) => client.retryJob, wanted, settings),
    findBodies: (id, settings) => channels.call((client) => client.findBodies, { id }, settings),
    review: ({ recordId, reason }, settings) =>
      reviews.call(
        (client) => client.review,
        { subject: { $case: 'recordId', value: recordId }, operator: '', reason },
        settings,
      ),
    listActs: (wanted, settings) => channels.call((client) => client.listActs, wanted, settings),
    close() {
      channels.close();
      reviews.close();
    },
  };
}
