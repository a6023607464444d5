import { type Caller, VerificationServiceClient } from '../../proto/gen/tollhouse/verification/v1/verification.ts';
import { type CallSettings, type Channels, openChannels } from '../../services/shared/grpc-client.ts';
import { AppError } from '../errors.ts';
import { storeUnavailable } from './call-error.ts';
import { toVerifiedError } from './verified-error.ts';

/** Calls a method of the service by its name, such as `getPlan`. @throws {AppError} */
export interface VerificationClient {
  readonly call: Channels<VerificationServiceClient>['call'];
  /** Whose an API key is. @throws {AppError} UNAUTHENTICATED */
  authenticate(apiKey: string, settings: CallSettings): Promise<Caller>;
  close(): void;
}

export function createVerificationClient(target: string): VerificationClient {
  const channels = openChannels(VerificationServiceClient, target);
  const call: VerificationClient['call'] = (pick, request, settings) =>
    channels.call(pick, request, settings).catch((error: unknown) => Promise.reject(toVerifiedError(error)));
  return {
    call,
    async authenticate(apiKey, settings) {
      const { caller } = await call((client) => client.authenticate, { apiKey }, settings).catch((error: unknown) => {
        // Authentication reads the store and does nothing else: what took too long is the store.
        const isSlow = error instanceof AppError && error.code === 'UPSTREAM_TIMEOUT';
        throw isSlow ? storeUnavailable(error) : error;
      });
      if (caller === undefined) throw new AppError('UPSTREAM_FAILURE', 'the service did not say whose the key is');
      return caller;
    },
    close: channels.close,
  };
}
