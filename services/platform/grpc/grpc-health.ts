import { Client, credentials } from '@grpc/grpc-js';
import { service } from 'grpc-health-check';

/** State that a service reports. `no_answer`: it cannot be reached, or does not answer in time. */
export type ServingState = 'serving' | 'not_serving' | 'no_answer';

export interface HealthProbe {
  /** Never throws. */
  check(timeoutMs: number): Promise<ServingState>;
  close(): void;
}

/** Checks the health of the service at `target` by gRPC's health protocol. */
export function openHealthProbe(target: string): HealthProbe {
  const { Check } = service;
  if (Check === undefined) throw new Error('the health protocol has no method Check');
  const client = new Client(target, credentials.createInsecure(), {
    'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
    'grpc.use_local_subchannel_pool': 1,
    'grpc.initial_reconnect_backoff_ms': 50,
    'grpc.max_reconnect_backoff_ms': 1000,
  });
  return {
    check: (timeoutMs) =>
      new Promise((resolve) => {
        const { path, requestSerialize, responseDeserialize } = Check;
        const deadline = { deadline: Date.now() + timeoutMs };
        client.makeUnaryRequest(path, requestSerialize, responseDeserialize, {}, deadline, (error, response) => {
          if (error !== null || response === undefined) resolve('no_answer');
          else resolve('status' in response && response.status === 'SERVING' ? 'serving' : 'not_serving');
        });
      }),
    close: () => client.close(),
  };
}
