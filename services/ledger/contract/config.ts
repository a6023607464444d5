import { type Static, Type } from 'typebox';
import { redisUrl } from '../../platform/process/settings.ts';

/** Environment of every process that uses the ledger. All of them must get the same values. */
export const LedgerConfig = Type.Object({
  REDIS_URL: redisUrl(Type.String({ description: 'Redis 7 or later' })),
  LEDGER_REDIS_URL: redisUrl(
    Type.Optional(Type.String({ description: 'Redis of the credit ledger; REDIS_URL by default' })),
  ),
  LEDGER_DURABILITY_VOUCHED: Type.Boolean({
    default: false,
    description: 'true if a managed Redis hides its settings',
  }),
  LEDGER_TIMEOUT_MS: Type.Integer({
    default: 1000,
    minimum: 100,
    maximum: 60_000,
    description: 'longest wait for the ledger; after it, trials are refused until the ledger answers again',
  }),
  CLOCK_TOLERANCE_MS: Type.Integer({
    default: 300_000,
    minimum: 1000,
    maximum: 86_400_000,
    description:
      'largest difference between the clocks of this machine and of Redis; beyond it trials and new payments are refused',
  }),
});

export type LedgerConfig = Static<typeof LedgerConfig>;
