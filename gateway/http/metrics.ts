import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { atMostOnce } from '../../services/platform/at-most-once.ts';
import { type PaymentMetrics, registerPaymentMetrics } from './payment-metrics.ts';
import { createMetricsReader } from './shared-metrics.ts';

const SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 20];

/** Metrics in the text format of Prometheus. */
export interface MetricsText {
  /** The media type. */
  readonly type: string;
  readonly text: string;
}

export interface Metrics {
  /** Counts a verdict that was worked out; `engine_error` is one that wants somebody's attention. */
  countVerdict(check: string, verdict: string): void;
  /** Counts an answer to a payment: `status` is that of HTTP, `path` that of the operation. */
  countPaid(path: string, status: number): void;
  /** The metrics of all processes of this gateway, at most half a second old. */
  read(): Promise<MetricsText>;
}

export interface MetricsOptions {
  /** How far the clock of this machine is ahead of that of the database; undefined until it is known. */
  readonly readClockSkewMs: () => number | undefined;
  readonly countPayments: PaymentMetrics['countPayments'];
  /** Calls that are executed, that wait, and that may be executed at a time. */
  readonly countCalls: () => Readonly<Record<'running' | 'waiting' | 'limit', number>>;
  /** Calls that were refused for want of room so far, before they were read. */
  readonly countRefused: () => number;
  /** A clock that never goes back. */
  readonly monotonicMs: () => number;
}

/** Collecting and writing them takes the event loop some milliseconds. */
const METRICS_FRESH_MS = 500;

/** Counts the requests of an application. */
export function registerMetrics(app: FastifyInstance, options: MetricsOptions): Metrics {
  const { monotonicMs } = options;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'tollhouse_http_request_seconds',
    help: 'Time from a request to the end of its answer',
    labelNames: ['route', 'status'],
    buckets: SECONDS,
    registers: [registry],
  });
  const trials = new Counter({
    name: 'tollhouse_trial_answers_total',
    help: 'Answers by X-Trial-Status',
    labelNames: ['operation', 'trial_status'],
    registers: [registry],
  });
  const payments = new Counter({
    name: 'tollhouse_paid_answers_total',
    help: 'Answers to requests that carried a payment',
    labelNames: ['operation', 'status'],
    registers: [registry],
  });
  const verdicts = new Counter({
    name: 'tollhouse_verdicts_total',
    help: 'Verdicts of verified execution',
    labelNames: ['check', 'verdict'],
    registers: [registry],
  });
  registerClockSkew(registry, options);
  registerCalls(registry, options);
  registerPaymentMetrics(registry, options);
  const requestsOf = rememberLabels((route, status: number) => requests.labels(route, String(status)));
  const trialsOf = rememberLabels((route, status: string) => trials.labels(route, status));
  const countPaid = (path: string, status: number) => payments.labels(path, String(status)).inc();
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    requestsOf(route, reply.statusCode).observe(reply.elapsedTime / 1000);
    const trialStatus = reply.getHeader('x-trial-status');
    if (typeof trialStatus === 'string') trialsOf(route, trialStatus).inc();
    else if (request.headers['payment-signature'] !== undefined) countPaid(route, reply.statusCode);
    done();
  });
  const read = atMostOnce({ freshMs: METRICS_FRESH_MS, monotonicMs }, createMetricsReader(registry));
  return {
    countVerdict: (check, verdict) => verdicts.labels(check, verdict).inc(),
    countPaid,
    read: async () => ({ type: registry.contentType, text: await read() }),
  };
}

/** Remembers label sets: there are few routes and statuses, and finding a label set costs more than counting. */
function rememberLabels<Status, Labeled>(
  find: (route: string, status: Status) => Labeled,
): (route: string, status: Status) => Labeled {
  const routes = new Map<string, Map<Status, Labeled>>();
  return (route, status) => {
    const statuses = routes.get(route) ?? new Map<Status, Labeled>();
    routes.set(route, statuses);
    const labeled = statuses.get(status) ?? find(route, status);
    statuses.set(status, labeled);
    return labeled;
  };
}

function registerClockSkew(registry: Registry, { readClockSkewMs }: MetricsOptions): void {
  const skew: Gauge<'server'> = new Gauge({
    name: 'tollhouse_clock_skew_seconds',
    help: 'How far the clock of the gateway is ahead of that of a server',
    labelNames: ['server'],
    aggregator: 'average',
    registers: [registry],
    collect: () => {
      const skewMs = readClockSkewMs();
      if (skewMs !== undefined) skew.set({ server: 'postgresql' }, skewMs / 1000);
    },
  });
}

function registerCalls(registry: Registry, { countCalls, countRefused }: MetricsOptions): void {
  const calls: Gauge<'state'> = new Gauge({
    name: 'tollhouse_admission_calls',
    help: 'Paid and trial calls that are executed, that wait for room, and the limit of those that are executed',
    labelNames: ['state'],
    registers: [registry],
    collect: () => {
      for (const [state, count] of Object.entries(countCalls())) calls.set({ state }, count);
    },
  });
  const refused: Counter = new Counter({
    name: 'tollhouse_refused_calls_total',
    help: 'Calls that were refused for want of room, before they were read',
    registers: [registry],
    collect: () => {
      refused.reset();
      refused.inc(countRefused());
    },
  });
}
