import type { Caller } from '../../proto/gen/tollhouse/verification/v1/verification.ts';
import { createJobsClient, type JobsClient } from '../../services/backoffice/contract/jobs-client.ts';
import type { CallSettings } from '../../services/platform/grpc/grpc-client.ts';
import type { GrpcTarget } from '../../services/platform/grpc/identity.ts';
import {
  createVerificationClient,
  type VerificationClient as ServiceClient,
} from '../../services/verification/contract/client.ts';
import { AppError } from '../errors/app-error.ts';
import { storeUnavailable, toUpstreamError } from './call-error.ts';

/** Every method throws `AppError`. */
export interface VerificationClient {
  readonly call: ServiceClient['call'];
  /** The owner of an API key. @throws {AppError} UNAUTHENTICATED */
  authenticate(apiKey: string, settings: CallSettings): Promise<Caller>;
}

/** The services of verified execution. Every method throws `AppError`. */
export interface VerifiedClients {
  readonly verification: VerificationClient;
  readonly jobs: Pick<JobsClient, 'submit' | 'get' | 'cancel'>;
}

export function createVerifiedClients(targets: { readonly verification: GrpcTarget; readonly jobs: GrpcTarget }) {
  const verification = createVerificationClient(targets.verification);
  const jobs = createJobsClient(targets.jobs);
  const refuse = (error: unknown) => Promise.reject(toUpstreamError(error));
  const call: VerificationClient['call'] = (pick, request, settings) =>
    verification.call(pick, request, settings).catch(refuse);
  const clients: VerifiedClients = {
    verification: { call, authenticate: (apiKey, settings) => authenticate(call, apiKey, settings) },
    jobs: {
      submit: (request, settings) => jobs.submit(request, settings).catch(refuse),
      get: (request, settings) => jobs.get(request, settings).catch(refuse),
      cancel: (request, settings) => jobs.cancel(request, settings).catch(refuse),
    },
  };
  return {
    clients,
    close() {
      verification.close();
      jobs.close();
    },
  };
}

async function authenticate(call: VerificationClient['call'], apiKey: string, settings: CallSettings): Promise<Caller> {
  const { caller } = await call((client) => client.authenticate, { apiKey }, settings).catch((error: unknown) => {
    // Authentication only reads the store, so a slow answer means a slow store.
    const isSlow = error instanceof AppError && error.code === 'UPSTREAM_TIMEOUT';
    throw isSlow ? storeUnavailable(error) : error;
  });
  if (caller === undefined) throw new AppError('UPSTREAM_FAILURE', 'the service did not name the owner of the key');
  return caller;
}
