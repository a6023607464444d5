import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors/app-error.ts';

const SAMPLE_MS = 1000;
const RESOLUTION_MS = 10;
/** A single long pause, of a start or a busy machine, has ended when it is noticed. */
const SAMPLES_BEHIND = 2;

/**
 * Refuses requests while the event loop is behind by more than `maxDelayMs` in the mean of a second, for two seconds.
 * The timer reads no files: a call that fails at the limit of open files, such as `process.memoryUsage()`, would end the
 * process.
 */
export function registerOverload(app: FastifyInstance, maxDelayMs: number): void {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  let samplesBehind = 0;
  let sampledMs = performance.now();
  const timer = setInterval(() => {
    const nowMs = performance.now();
    // Without a measurement, whose mean is NaN, the event loop was blocked since the last sample.
    const delayMs = Number.isNaN(histogram.mean) ? nowMs - sampledMs : histogram.mean / 1e6 - RESOLUTION_MS;
    samplesBehind = delayMs > maxDelayMs ? samplesBehind + 1 : 0;
    sampledMs = nowMs;
    histogram.reset();
  }, SAMPLE_MS).unref();
  app.addHook('onClose', (_app, done) => {
    clearInterval(timer);
    histogram.disable();
    done();
  });
  app.addHook('onRequest', (_request, _reply, done) => {
    done(samplesBehind >= SAMPLES_BEHIND ? overloaded('too many requests are in progress') : undefined);
  });
}

export function overloaded(message = 'too many calls are in progress'): AppError {
  return new AppError('OVERLOADED', message, { headers: { 'retry-after': '1' } });
}
