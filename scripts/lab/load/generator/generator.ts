import { Worker } from 'node:worker_threads';
import { clockMs } from './drive.ts';
import type { ClosedPlan, FromThread, OpenPlan, Second, ThreadSettings, ToThread } from './messages.ts';

/** All threads are told to start this much later, so that they start together. */
const LEAD_MS = 200;

export type StepPlan = (OpenPlan | ClosedPlan) & { readonly durationMs: number };

export interface Generator {
  /** Prepares calls in all threads. @throws {Error} if a call cannot be prepared */
  prepare(count: number): Promise<void>;
  /** Sends the calls of a step. @returns whether the prepared calls ran out */
  run(plan: StepPlan, onSecond: (second: Second) => void): Promise<boolean>;
  close(): Promise<void>;
}

/** Starts threads that send calls. `connections` and `channels` of the settings are those of all threads. */
export function startGenerator(threads: number, settings: ThreadSettings): Generator {
  const connections = Math.ceil(settings.connections / threads);
  const channels = Math.ceil(settings.channels / threads);
  const workers = Array.from({ length: threads }, (_, index) => {
    const workerData: ThreadSettings = { ...settings, connections, channels, seed: settings.seed * 1000 + index };
    return new Worker(new URL('thread.ts', import.meta.url), { workerData });
  });

  function ask(worker: Worker, message: ToThread, onSecond: (second: Second) => void = () => {}): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        worker.off('message', hear).off('error', fail).off('exit', close);
        settle();
      };
      const fail = (error: unknown) => end(() => reject(error));
      const close = () => fail(new Error('the generator was closed'));
      const hear = (heard: FromThread) => {
        if (heard.kind === 'second') onSecond(heard.second);
        else if (heard.kind === 'failed') fail(new Error(heard.message));
        else end(() => resolve(heard.kind === 'ended' && heard.isOutOfStock));
      };
      worker.on('message', hear).on('error', fail).on('exit', close);
      worker.postMessage(message);
    });
  }

  return {
    async prepare(count) {
      const share = Math.ceil(count / threads);
      await Promise.all(workers.map((worker) => ask(worker, { kind: 'prepare', count: share })));
    },
    async run(plan, onSecond) {
      const startMs = clockMs() + LEAD_MS;
      const ends = workers.flatMap((worker, index) => {
        const share = shareOf(plan, { index, threads });
        if (share === undefined) return [];
        const lagMs = plan.kind === 'open' ? (index * 1000) / plan.ratePerSecond : 0;
        const own = { ...share, durationMs: plan.durationMs, startMs: startMs + lagMs };
        return [ask(worker, { kind: 'run', plan: own }, onSecond)];
      });
      return (await Promise.all(ends)).includes(true);
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}

/** The part of a plan that one of the threads does. Undefined if nothing is left for it. */
function shareOf(
  plan: StepPlan,
  { index, threads }: { readonly index: number; readonly threads: number },
): OpenPlan | ClosedPlan | undefined {
  if (plan.kind === 'open') return { kind: 'open', ratePerSecond: plan.ratePerSecond / threads };
  const inFlight = Math.floor((plan.inFlight + threads - 1 - index) / threads);
  return inFlight === 0 ? undefined : { kind: 'closed', inFlight };
}
