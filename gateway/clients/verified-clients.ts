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
export interface VerificationClient extends Pick<ServiceClient, 'ask'> {
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
  const clients: VerifiedClients = {
    verification: {
      ask: (...asked) => verification.ask(...asked).catch(refuse),
      authenticate: (apiKey, settings) => authenticate(verification, apiKey, settings),
    },
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

async function authenticate(verification: ServiceClient, apiKey: string, settings: CallSettings): Promise<Caller> {
  const asked = verification.call((client) => client.authenticate, { apiKey }, settings);
  const caller = await asked.catch((failure: unknown) => {
    const error = toUpstreamError(failure);
    // Authentication only reads the store, so a slow answer means a slow store.
    throw error.code === 'UPSTREAM_TIMEOUT' ? storeUnavailable(error) : error;
  });
  if (caller.tenantId === '') throw new AppError('UPSTREAM_FAILURE', 'the service did not name the owner of the key');
  return caller;
}
