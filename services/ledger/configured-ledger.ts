import type { LedgerConfig } from './contract/config.ts';
import type { Ledger } from './contract/ledger.ts';
import { createRedisLedger, type RedisLedgerOptions } from './redis/redis-ledger.ts';

type ConfiguredOptions = 'url' | 'isDurabilityVouched' | 'commandTimeoutMs' | 'lockWaitMs' | 'answerWithinMs';

/** How often a lost answer may be waited for before the caller is told that the outcome is uncertain. */
const ANSWERS_WAITED_FOR = 3;

/** The ledger that the environment names. Every process uses this, so that all agree on how it is reached. */
export function createConfiguredLedger(
  config: LedgerConfig,
  options: Omit<RedisLedgerOptions, ConfiguredOptions>,
): Ledger {
  return createRedisLedger({
    ...options,
    url: config.LEDGER_REDIS_URL ?? config.REDIS_URL,
    isDurabilityVouched: config.LEDGER_DURABILITY_VOUCHED,
    commandTimeoutMs: config.LEDGER_TIMEOUT_MS,
    lockWaitMs: config.LEDGER_TIMEOUT_MS,
    answerWithinMs: ANSWERS_WAITED_FOR * config.LEDGER_TIMEOUT_MS,
  });
}
