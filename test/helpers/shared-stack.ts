import { type StackAddresses, startStack } from './stack.ts';

const VARIABLE = 'TOLLHOUSE_TEST_STACK';

export interface SharedStack extends StackAddresses {
  /** Ends it where it was started for this test file alone. */
  stop(): Promise<void>;
}

/**
 * A stack that serves everything, with settings that no test relies on: for those that leave it as it is, and count
 * nothing but what is their own. A run of all tests starts it once; otherwise a test file starts its own.
 */
export async function useSharedStack(): Promise<SharedStack> {
  const addresses = process.env[VARIABLE];
  if (addresses === undefined) return startSharedStack();
  return { ...(JSON.parse(addresses) as StackAddresses), stop: async () => {} };
}

export function startSharedStack(): Promise<SharedStack> {
  return startStack({
    maps: true,
    verified: true,
    // Nothing is left behind for sweeps: they look rarely.
    env: { gateway: { TRIAL_DAILY_BUDGET_MICRO_USD: '1000000000' }, backoffice: { SWEEP_INTERVAL_MS: '5000' } },
  });
}

/** What the processes of a run find it by. */
export function environmentOf({ urls, redisUrl, databaseUrl, chainUrl, runDir, dataDir }: StackAddresses) {
  return { [VARIABLE]: JSON.stringify({ urls, redisUrl, databaseUrl, chainUrl, runDir, dataDir }) };
}
