import type { LedgerConfig } from './contract/config.ts';
import type { Ledger } from './contract/ledger.ts';
import { createRedisLedger, type RedisLedgerOptions } from './redis/redis-ledger.ts';

type ConfiguredOptions = 'url' | 'isDurabilityVouched' | 'commandTimeoutMs' | 'lockWaitMs' | 'answerWithinMs';

/** How many reply timeouts to wait before the outcome counts as uncertain. */
const ANSWERS_WAITED_FOR = 3;

/** Opens the ledger that the environment names. Every process uses it, so all of them reach the ledger the same way. */
export function createConfiguredLedger(
  config: LedgerConfig,
  options: Omit<RedisLedgerOptions, ConfiguredOptions> & Required<Pick<RedisLedgerOptions, 'attest' | 'onError'>>,
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
