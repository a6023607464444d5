import {
  type ListActsRequest,
  type ListJobsRequest,
  OperatorServiceClient,
  type RetryJobRequest,
  type SetCallFreezeRequest,
} from '../../../proto/gen/tollhouse/backoffice/v1/operator.ts';
import { RetentionReviewServiceClient } from '../../../proto/gen/tollhouse/backoffice/v1/review.ts';
import { type CallSettings, openChannels } from '../../platform/grpc/grpc-client.ts';
import type { GrpcTarget } from '../../platform/grpc/identity.ts';

/** `authorization` has the key of an operator: `Bearer KEY`. */
export type OperatorCall = CallSettings & { readonly authorization: string };

export type OperatorClient = ReturnType<typeof createOperatorClient>;

/** Every method throws `CallError`. */
export function createOperatorClient(target: GrpcTarget) {
  const channels = openChannels(OperatorServiceClient, target);
  const reviews = openChannels(RetentionReviewServiceClient, target);
  return {
    readFigures: (settings: OperatorCall) => channels.call((client) => client.readFigures, {}, settings),
    setCallFreeze: (change: SetCallFreezeRequest, settings: OperatorCall) =>
      channels.call((client) => client.setCallFreeze, change, settings),
    listJobs: (wanted: ListJobsRequest, settings: OperatorCall) =>
      channels.call((client) => client.listJobs, wanted, settings),
    retryJob: (wanted: RetryJobRequest, settings: OperatorCall) =>
      channels.call((client) => client.retryJob, wanted, settings),
    findBodies: (id: string, settings: OperatorCall) => channels.call((client) => client.findBodies, { id }, settings),
    /** The bodies of a record. The reading is in the audit trail before they are answered. */
    review({ recordId, reason }: { readonly recordId: string; readonly reason: string }, settings: OperatorCall) {
      const request = { subject: { $case: 'recordId' as const, value: recordId }, operator: '', reason };
      return reviews.call((client) => client.review, request, settings);
    },
    listActs: (wanted: ListActsRequest, settings: OperatorCall) =>
      channels.call((client) => client.listActs, wanted, settings),
    close() {
      channels.close();
      reviews.close();
    },
  };
}
