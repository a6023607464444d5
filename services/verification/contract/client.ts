import { VerificationServiceClient } from '../../../proto/gen/tollhouse/verification/v1/verification.ts';
import { type Channels, openChannels } from '../../platform/grpc/grpc-client.ts';
import type { GrpcTarget } from '../../platform/grpc/identity.ts';

/** Calls a method of the service, picked as `(client) => client.getPlan`. @throws {CallError} */
export type VerificationClient = Channels<VerificationServiceClient>;

export function createVerificationClient(target: GrpcTarget): VerificationClient {
  return openChannels(VerificationServiceClient, target);
}
