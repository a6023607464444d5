import { Client, type Metadata, status } from '@grpc/grpc-js';
import { service } from 'grpc-health-check';
import { channelArguments } from './channel-arguments.ts';
import type { GrpcTarget } from './identity.ts';
import { type ProcessFacts, readProcessFacts } from './process-facts.ts';

/** State that a service reports. `no_answer`: it cannot be reached, or does not answer in time. */
export type ServingState = 'serving' | 'not_serving' | 'no_answer';

/** An answer about the health of a process. */
export interface HealthReport {
  readonly state: ServingState;
  /** Until it answered, or until it was clear that it does not. */
  readonly milliseconds: number;
  /** Undefined without an answer. */
  readonly facts: ProcessFacts | undefined;
  /** Why there is no answer. */
  readonly fault: string | undefined;
  /** Whether there was none in time. It may have been a busy moment. */
  readonly isLate: boolean;
}

export type HealthProbe = ReturnType<typeof openHealthProbe>;

/** Checks the health of the service at `target` by gRPC's health protocol. No check throws. */
export function openHealthProbe(target: GrpcTarget) {
  const { Check } = service;
  if (Check === undefined) throw new Error('the health protocol has no method Check');
  const client = new Client(...channelArguments(target));
  const inspect = (timeoutMs: number) =>
    new Promise<HealthReport>((resolve) => {
      const { path, requestSerialize, responseDeserialize } = Check;
      const beganMs = performance.now();
      let facts: ProcessFacts | undefined;
      const report = (state: ServingState, fault?: string, isLate = false) =>
        resolve({ state, facts, fault, isLate, milliseconds: performance.now() - beganMs });
      const deadline = { deadline: Date.now() + timeoutMs };
      const call = client.makeUnaryRequest(
        path,
        requestSerialize,
        responseDeserialize,
        {},
        deadline,
        (error, answer) => {
          if (error !== null)
            report('no_answer', error.details || error.message, error.code === status.DEADLINE_EXCEEDED);
          else if (answer === undefined) report('no_answer', 'the answer is empty');
          else report('status' in answer && answer.status === 'SERVING' ? 'serving' : 'not_serving');
        },
      );
      call.on('metadata', (metadata: Metadata) => {
        facts = readProcessFacts(metadata);
      });
    });
  return {
    check: async (timeoutMs: number) => (await inspect(timeoutMs)).state,
    inspect,
    close: () => client.close(),
  };
}
