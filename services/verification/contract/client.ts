import { VerificationServiceClient } from '../../../proto/gen/tollhouse/verification/v1/verification.ts';
import { type Channels, openChannels } from '../../platform/grpc/grpc-client.ts';

/** Calls a method of the service, picked as `(client) => client.getPlan`. @throws {CallError} */
export type VerificationClient = Channels<VerificationServiceClient>;

export function createVerificationClient(target: string): VerificationClient {
  return openChannels(VerificationServiceClient, target);
}
