import type pg from 'pg';
import { type LedgerServiceReadiness, watchService } from '../../ledger/contract/service-watch.ts';
import { createGate } from '../../ledger/store/gate.ts';
import { openLedgerPool } from '../../ledger/store/ledger-pool.ts';
import { probeDurability } from '../../ledger/store/status.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import type { Logger } from '../../platform/process/logger.ts';
import { createRepeatedErrorLog } from '../../platform/process/repeated-errors.ts';

export interface ClaimsGateOptions {
  readonly pool: pg.Pool;
  /** Largest accepted difference between the clocks of this machine and of the database. */
  readonly clockToleranceMs: number;
  /** A second by default. */
  readonly checkEveryMs?: number;
  readonly logger: Logger;
}

export type ClaimsGate = ReturnType<typeof createClaimsGate>;

const CHECK_EVERY_MS = 1000;
const STATEMENT_TIMEOUT_MS = 10_000;

/** Opens the connections of claims. */
export function openClaimsPool(
  { url, connections }: { readonly url: string; readonly connections: number },
  logger: Logger,
): pg.Pool {
  const onError = createRepeatedErrorLog({ logger, message: 'a connection of the claims was lost' });
  return openLedgerPool({ url, connections, statementTimeoutMs: STATEMENT_TIMEOUT_MS, onError });
}

/**
 * Decides whether claims may be opened, and tells the time by the clock of the database. Answers are kept by another process, so a commit of this one shows whether they would be durable: while a standby is
 * away, calls would be executed that nobody pays for.
 */
export function createClaimsGate(options: ClaimsGateOptions) {
  const { pool, clockToleranceMs, checkEveryMs = CHECK_EVERY_MS, logger } = options;
  const gate = createGate({ pool, logger, checkEveryMs });
  const service = watchService({
    readStatus: gate.status,
    checkLocks: async () => {},
    toleranceMs: clockToleranceMs,
    checkEveryMs,
    now: Date.now,
    monotonicMs: () => performance.now(),
    onError: createRepeatedErrorLog({ logger, message: 'the database of the claims failed a check' }),
  });
  let probedMs = Number.NEGATIVE_INFINITY;
  return {
    now: service.now,
    /** The reason may be published. */
    ready: service.ready,
    guard: gate.guard,
    watch: gate.watch,
    /** Looks at the database now. */
    async check(): Promise<LedgerServiceReadiness> {
      await gate.check();
      return service.check();
    },
    /** @throws {ServiceError} PAYMENT_UNAVAILABLE while no claim may be opened */
    admit(): void {
      const readiness = service.ready();
      const reason = readiness.ok ? gate.closedBecause() : readiness.reason;
      if (reason !== undefined) {
        throw new ServiceError('PAYMENT_UNAVAILABLE', `payments are not available: ${reason}`);
      }
      if (performance.now() - probedMs < checkEveryMs) return;
      probedMs = performance.now();
      // A failure is found by the next check.
      gate.watch(probeDurability(pool)).catch(() => {});
    },
    close(): void {
      service.close();
      gate.close();
    },
  };
}
