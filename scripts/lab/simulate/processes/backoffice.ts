import type { BackofficeServiceServer } from '../../../../proto/gen/tollhouse/backoffice/v1/backoffice.ts';
import type { SettlementOutcome } from '../../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { createBackofficeService } from '../../../../services/backoffice/service.ts';
import { createSweep } from '../../../../services/backoffice/sweep.ts';
import type { Host } from '../engine/host.ts';
import type { Handlers } from '../engine/machine.ts';
import { createSimulatedObligations, createSimulatedRetention } from '../store/simulated-retention.ts';
import { createStatements } from '../store/statements.ts';
import { serve } from './calls.ts';
import { logger, repeat, type Setting } from './setting.ts';

const SWEEP_EVERY_MS = 8000;

export interface BackofficeOptions {
  readonly resolveClaim: (host: Host, claimId: string) => Promise<SettlementOutcome>;
}

/** Starts the back office of payments: it retains bodies, and sweeps what others left open. */
export async function startBackoffice(
  { tables, network, faults }: Setting,
  host: Host,
  { resolveClaim }: BackofficeOptions,
): Promise<Handlers> {
  const statement = createStatements(host, network, faults);
  const service: BackofficeServiceServer = createBackofficeService({
    retention: createSimulatedRetention(tables, statement),
    readCallFreeze: async () => ({ isFrozen: false }),
    logger,
    now: () => Date.now(),
  });
  const sweep = createSweep({
    obligations: createSimulatedObligations(tables, statement),
    resolveClaim: (claimId) => resolveClaim(host, claimId),
    logger,
  });
  repeat(host, () => SWEEP_EVERY_MS, sweep);
  return { retain: serve(service.retain), getRetained: serve(service.getRetained) };
}
