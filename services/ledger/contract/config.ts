import { type Static, Type } from 'typebox';
import { redisUrl } from '../../platform/process/settings.ts';

/** Environment of every process that uses the ledger through its service. */
export const LedgerConfig = Type.Object({
  REDIS_URL: redisUrl(Type.String({ description: 'Redis 7 or later: locks of wallets, any of which may be lost' })),
  LEDGER_TIMEOUT_MS: Type.Integer({
    default: 1000,
    minimum: 100,
    maximum: 60_000,
    description: 'longest wait for an answer of the ledger, or for the lock of a wallet',
  }),
  CLOCK_TOLERANCE_MS: Type.Integer({
    default: 300_000,
    minimum: 1000,
    maximum: 86_400_000,
    description:
      'largest difference between the clocks of this machine and of a server; beyond it trials and new payments are refused',
  }),
});

export type LedgerConfig = Static<typeof LedgerConfig>;
