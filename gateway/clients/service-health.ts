import { type HealthReport, openHealthProbe, type ServingState } from '../../services/platform/grpc/grpc-health.ts';
import type { GrpcTarget } from '../../services/platform/grpc/identity.ts';

import { defined } from '../../workers/exact/defined.ts';

const PROBE_TIMEOUT_MS = 1000;
const FRESH_MS = 1000;

export type ServiceName = 'content' | 'maps' | 'payments' | 'backoffice' | 'verification';

export type ServiceStates = Readonly<Record<ServiceName, ServingState>>;

export interface ServicesHealth {
  /** Whether the start is over and payments can be taken, which is the gateway's main work. */
  readonly isReady: boolean;
  /** `degraded`: a service is down, and everything that does not need it works. */
  readonly status: 'ok' | 'degraded' | 'starting' | 'unavailable';
  readonly services: Readonly<Record<ServiceName, 'ok' | 'unavailable'>>;
}

export interface ServiceHealth {
  /** Not older than about a second. */
  read(): Promise<ServicesHealth>;
  /** What each service said last, as old as that, with its last fault since it first served. */
  inspect(): Promise<ServiceReports>;
  close(): void;
}

export interface ServiceReport extends HealthReport {
  readonly lastFault: { readonly message: string; readonly atMs: number } | undefined;
}

export type ServiceReports = Readonly<Record<ServiceName, ServiceReport>>;

export interface ServiceHealthOptions {
  /** gRPC targets. */
  readonly targets: Readonly<Record<ServiceName, GrpcTarget>>;
  /** How long to wait for services that have not served yet; then the start is over without them. */
  readonly startGraceMs: number;
  /** Milliseconds, monotonic. */
  readonly monotonicMs: () => number;
}

/** Asks the services for their health, at most once a second. */
export function watchServices({ targets, startGraceMs, monotonicMs }: ServiceHealthOptions): ServiceHealth {
  const startedAtMs = monotonicMs();
  const probes = {
    content: openHealthProbe(targets.content),
    maps: openHealthProbe(targets.maps),
    payments: openHealthProbe(targets.payments),
    backoffice: openHealthProbe(targets.backoffice),
    verification: openHealthProbe(targets.verification),
  };
  const hasServed = new Set<string>();
  /** Services that served until their last answer was late. */
  const late = new Set<ServiceName>();
  const faults = new Map<ServiceName, { readonly message: string; readonly atMs: number }>();
  let reports: ServiceReports | undefined;
  let isStarted = false;
  let freshUntilMs = 0;
  let last: Promise<ServicesHealth> | undefined;

  async function report(name: ServiceName): Promise<ServiceReport> {
    const found = await probes[name].inspect(PROBE_TIMEOUT_MS);
    // Until a service has served, it was starting.
    if (found.state === 'serving' && !hasServed.has(name)) faults.delete(name);
    if (found.fault !== undefined) faults.set(name, { message: shorten(found.fault), atMs: Date.now() });
    // One late answer may be that of a busy moment. A service that hangs is late again.
    const isForgiven = found.isLate && hasServed.has(name) && !late.has(name);
    if (isForgiven) late.add(name);
    else if (!found.isLate) late.delete(name);
    return { ...found, state: isForgiven ? 'serving' : found.state, lastFault: faults.get(name) };
  }

  async function ask(): Promise<ServicesHealth> {
    const [content, maps, payments, backoffice, verification] = await Promise.all([
      report('content'),
      report('maps'),
      report('payments'),
      report('backoffice'),
      report('verification'),
    ]);
    reports = { content, maps, payments, backoffice, verification };
    const states: ServiceStates = {
      content: content.state,
      maps: maps.state,
      payments: payments.state,
      backoffice: backoffice.state,
      verification: verification.state,
    };
    const all = Object.entries(states);
    for (const [name, state] of all) if (state === 'serving') hasServed.add(name);
    isStarted ||= hasServed.size === all.length || monotonicMs() - startedAtMs >= startGraceMs;
    freshUntilMs = monotonicMs() + FRESH_MS;
    return summarize(states, isStarted);
  }

  function read(): Promise<ServicesHealth> {
    if (last === undefined || monotonicMs() >= freshUntilMs) {
      // Callers in the meantime wait for the same answer.
      freshUntilMs = Infinity;
      last = ask();
    }
    return last;
  }

  return {
    read,
    async inspect() {
      await read();
      return defined(reports);
    },
    close: () => {
      for (const probe of Object.values(probes)) probe.close();
    },
  };
}

/** Without maps or content the gateway still sells the rest. Without payments it sells nothing. */
export function summarize(states: ServiceStates, isStarted: boolean): ServicesHealth {
  const shown = (state: ServingState) => (state === 'serving' ? 'ok' : 'unavailable');
  const services = {
    content: shown(states.content),
    maps: shown(states.maps),
    payments: shown(states.payments),
    backoffice: shown(states.backoffice),
    verification: shown(states.verification),
  } as const;
  const answersPayments = states.payments !== 'no_answer';
  const isReady = isStarted && answersPayments;
  if (!isStarted) return { isReady, status: 'starting', services };
  if (!answersPayments) return { isReady, status: 'unavailable', services };
  return { isReady, status: Object.values(states).every((state) => state === 'serving') ? 'ok' : 'degraded', services };
}

/** Whether a new payment is taken. The back office keeps what is paid for. */
export const takesPayments = ({ services }: Pick<ServicesHealth, 'services'>): boolean =>
  services.payments === 'ok' && services.backoffice === 'ok';

const MAX_MESSAGE = 160;

/** gRPC wraps the reason of a missing connection in the states of its channels. */
const shorten = (fault: string): string =>
  (/\b(connect E[A-Z]+ \S+?)\.?(?:\s|$)/.exec(fault)?.[1] ?? fault).slice(0, MAX_MESSAGE);
