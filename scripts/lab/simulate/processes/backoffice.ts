import type { BackofficeServiceServer } from '../../../../proto/gen/tollhouse/backoffice/v1/backoffice.ts';
import type { SettlementOutcome } from '../../../../proto/gen/tollhouse/payments/v1/payments.ts';
import type { Retention } from '../../../../services/backoffice/retention/retention.ts';
import { createBackofficeService } from '../../../../services/backoffice/service.ts';
import { createSweep } from '../../../../services/backoffice/sweep.ts';
import type { LedgerPosition } from '../../../../services/ledger/contract/ledger.ts';
import type { Host } from '../engine/host.ts';
import type { Handlers } from '../engine/machine.ts';
import { createSimulatedObligations, createSimulatedRetention } from '../store/simulated-retention.ts';
import { createStatements } from '../store/statements.ts';
import { serve } from './calls.ts';
import { closedLedger, openLedger } from './ledger.ts';
import { logger, repeat, type Setting } from './setting.ts';

const SWEEP_EVERY_MS = 8000;

export interface BackofficeOptions {
  /** What the world has: trials need a ledger, payments a payments service. */
  readonly hasTrials: boolean;
  readonly resolveClaim: (host: Host, claimId: string) => Promise<SettlementOutcome>;
  /** Plants a fault. */
  readonly change?: ((retention: Retention) => Retention) | undefined;
}

/** Starts the back office: it retains bodies, and sweeps what others left open. */
export async function startBackoffice(setting: Setting, host: Host, options: BackofficeOptions): Promise<Handlers> {
  const { tables, network, faults, caip2 } = setting;
  const { hasTrials, resolveClaim, change = (retention) => retention } = options;
  const statement = createStatements(host, network, faults);
  const retention = createSimulatedRetention(tables, statement);
  const obligations = createSimulatedObligations(tables, statement);
  const service: BackofficeServiceServer = createBackofficeService({
    retention,
    readJournalLag: () => undefined,
    readCallFreeze: async () => ({ isFrozen: false }),
    logger,
    now: () => Date.now(),
  });
  const attest = (position: LedgerPosition) => retention.attest({ network: caip2, ...position });
  const ledger = hasTrials ? openLedger(setting, host, attest) : closedLedger;
  const sweep = createSweep({
    obligations,
    retention: change(retention),
    ledger,
    resolveClaim: (claimId) => resolveClaim(host, claimId),
    logger,
  });
  if (hasTrials) {
    await ledger.check();
    repeat(host, () => SWEEP_EVERY_MS, sweep.sweepReservations);
  }
  repeat(host, () => SWEEP_EVERY_MS, sweep.sweepObligations);
  return {
    retain: serve(service.retain),
    getRetained: serve(service.getRetained),
    attestLedger: serve(service.attestLedger),
  };
}
