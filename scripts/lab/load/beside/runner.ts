import { startGenerator } from '../generator/generator.ts';
import type { ThreadSettings } from '../generator/messages.ts';
import { readUsage } from '../measure/processes.ts';
import { runStep } from '../measure/run-step.ts';
import type { StepResult } from '../measure/step-result.ts';
import type { OwnProduct } from '../target/own-product.ts';
import { type Cell, NotServedError, type Runner } from './cell.ts';
import type { Sample } from './ratios.ts';

/** Calls a second that are prepared until the rate of a product is known. */
const FIRST_PER_SECOND = 500;
/** One call in flight seldom needs more. Proofs that wait for long expire. */
const FIRST_PER_SECOND_IN_FLIGHT = 150;
/** Part of the last rate for which calls are prepared. */
const RESERVE = 1.5;
/** How often a round whose calls ran out is repeated, each time with twice as many. */
const ATTEMPTS = 4;
/** How much longer than its calls a round may take: preparing them, and waiting for the last answers. */
const BEYOND_ROUND_MS = 300_000;

export interface RunnerOptions extends Pick<ThreadSettings, 'page' | 'seed' | 'connections'> {
  readonly threads: number;
  /** Undefined: as many as calls in flight. */
  readonly channels: number | undefined;
  readonly expectedPerSecond: number | undefined;
  readonly signal: AbortSignal;
}

/** A runner with a generator of its own, so that no prepared call is left over from another cell. */
export function startRunner(product: OwnProduct, { scenario, inFlight }: Cell, options: RunnerOptions): Runner {
  const { threads, page, seed, connections, channels, signal } = options;
  const generator = startGenerator(threads, {
    origin: product.origin,
    mix: [{ name: scenario, weight: 1 }],
    keys: product.keys,
    page,
    seed,
    connections,
    channels: channels ?? inFlight,
  });
  let perSecond = options.expectedPerSecond ?? Math.min(FIRST_PER_SECOND, FIRST_PER_SECOND_IN_FLIGHT * inFlight);

  async function step(durationMs: number): Promise<StepResult> {
    const plan = { kind: 'closed', inFlight, durationMs } as const;
    const running = runStep(scenario, plan, {
      generator,
      readUsage: () => readUsage(product.pid),
      onSecond: () => {},
      // The lanes end when no call is ready, so as many as are in flight must remain.
      expectedPerSecond: perSecond + (inFlight * 1000) / durationMs,
    }).catch((error: unknown) => {
      throw new NotServedError(error instanceof Error ? error.message : String(error), { cause: error });
    });
    const result = await within(running, durationMs + BEYOND_ROUND_MS, signal);
    if (result.good === 0) throw new NotServedError(`no call got the wanted answer: ${describeCodes(result.codes)}`);
    return result;
  }

  return {
    async run(durationMs, isCounted) {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const result = await step(durationMs);
        perSecond = result.isCutShort
          ? Math.max(perSecond * 2, result.goodPerSecond * RESERVE)
          : result.goodPerSecond * RESERVE;
        if (!result.isCutShort || !isCounted) return sampleOf(result);
      }
      throw new Error(`the prepared calls ran out ${ATTEMPTS} times: give a higher --expect`);
    },
    close: generator.close,
  };
}

/** @throws {NotServedError} if the work takes longer, and the reason of the signal if that is aborted */
function within<Value>(work: Promise<Value>, limitMs: number, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      settle(() => reject(new NotServedError(`a round did not end within ${limitMs / 1000} s`)));
    }, limitMs);
    const abort = () => settle(() => reject(signal.reason));
    const settle = (end: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      end();
    };
    signal.addEventListener('abort', abort);
    if (signal.aborted) abort();
    work.then(
      (value) => settle(() => resolve(value)),
      (error: unknown) => settle(() => reject(error)),
    );
  });
}

const sampleOf = ({ goodPerSecond, latencies, processes, codes }: StepResult): Sample => ({
  perSecond: goodPerSecond,
  p50Ms: latencies.p50,
  p99Ms: latencies.p99,
  cpuMsByProcess: Object.fromEntries(Object.entries(processes).map(([name, { cpuMsPerCall }]) => [name, cpuMsPerCall])),
  codes,
});

const describeCodes = (codes: Sample['codes']): string =>
  Object.entries(codes)
    .map(([code, count]) => `${code}: ${count}`)
    .join(', ') || 'there was no answer';
