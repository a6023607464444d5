import { GRANT_MICRO_USD } from '../ledger/contract/trial-terms.ts';
import type { TrialTerms } from '../ledger/store/trial-options.ts';
import type { BackofficeConfig } from './config.ts';

const FAILURES_PER_HOUR = 5;

/** In the sandbox, grants are not limited: all its callers may be on one machine. */
export const readTrialTerms = (
  config: Pick<BackofficeConfig, 'TRIAL_DAILY_BUDGET_MICRO_USD' | 'TRIAL_GRANTS_PER_NETWORK'>,
  { sandbox }: { readonly sandbox: boolean },
): TrialTerms => ({
  grantMicroUsd: GRANT_MICRO_USD,
  dailyBudgetMicroUsd: BigInt(config.TRIAL_DAILY_BUDGET_MICRO_USD),
  grantsPerScope: sandbox ? 0 : config.TRIAL_GRANTS_PER_NETWORK,
  failuresPerHour: FAILURES_PER_HOUR,
});
