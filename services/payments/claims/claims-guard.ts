import { randomUUID } from 'node:crypto';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import type { Logger } from '../../platform/process/logger.ts';
import { createRepeatedErrorLog } from '../../platform/process/repeated-errors.ts';
import { createLibraryLoader } from '../../platform/redis/library-use.ts';
import type { RedisClient } from '../../platform/redis/redis-client.ts';
import { createRedisGuard, type RedisGuard } from '../../platform/redis/redis-guard.ts';
import { CLAIMS_LIBRARY } from './claims-library.ts';
import type { ClaimsWitness } from './claims-witness.ts';
import { beginEpoch, readClaimsPosition } from './redis-claims.ts';

const CHECK_EVERY_MS = 3000;

export interface ClaimsGuardOptions {
  readonly client: RedisClient;
  readonly witness: ClaimsWitness;
  /** CAIP-2. */
  readonly network: string;
  readonly isDurabilityVouched: boolean;
  /** Longest wait for a reply of Redis. */
  readonly timeoutMs: number;
  /** 3 seconds by default. */
  readonly checkEveryMs?: number;
  /** Why the clock of this machine may not be trusted, or undefined. */
  readonly findClockFault: () => Promise<string | undefined>;
  readonly logger: Logger;
}

/**
 * Refuses payments while Redis is not safe for money, and detects that it has lost claims. Lost claims are rebuilt from
 * their records when they are next used, so a new epoch begins at once. In the new epoch, claims of earlier epochs are
 * trusted only after the chain was asked.
 */
export function createClaimsGuard(options: ClaimsGuardOptions): RedisGuard {
  const { client, witness, network, timeoutMs, checkEveryMs = CHECK_EVERY_MS, logger } = options;
  const onError = createRepeatedErrorLog({ logger, message: 'the store of claims could not be checked' });
  return createRedisGuard({
    client,
    isVouched: options.isDurabilityVouched,
    loadFunctions: createLibraryLoader({ client, library: CLAIMS_LIBRARY, timeoutMs, onError }),
    readPosition: () => readClaimsPosition(client, network),
    attest: witness.attest,
    async recover(found, lost) {
      logger.error({ found, lost }, 'Redis has lost claims: they are rebuilt from PostgreSQL when they are next used');
      const to = randomUUID();
      if (!(await beginEpoch(client, network, { from: found.epoch, to, timeoutMs }))) return;
      await witness.accept({ epoch: to, sequence: found.sequence }, lost.epoch);
    },
    findFault: options.findClockFault,
    checkEveryMs,
    timeoutMs,
    onError,
    toError: (_fault, reason) => new ServiceError('PAYMENT_UNAVAILABLE', `payments are not available: ${reason}`),
  });
}
