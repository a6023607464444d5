import { Type } from 'typebox';
import { createJsonReader } from '../../scripts/launch/parse/json-reader.ts';
import { defined } from '../../workers/exact/defined.ts';
import { type StackAddresses, startStack } from './stack.ts';

const VARIABLE = 'TOLLHOUSE_TEST_STACK';

const parseAddresses = createJsonReader(
  Type.Object({
    urls: Type.Array(Type.String(), { minItems: 1 }),
    redisUrl: Type.String(),
    databaseUrl: Type.String(),
    chainUrl: Type.String(),
    runDir: Type.String(),
    dataDir: Type.String(),
  }),
  VARIABLE,
);

export interface SharedStack extends StackAddresses {
  /** Stops the stack if this test file started it. */
  stop(): Promise<void>;
}

/**
 * A stack of all services that many test files use at the same time. A test that uses it must not change its processes
 * or settings, and must not count what other tests did. `npm test` starts it once; otherwise each file starts one.
 */
export async function useSharedStack(): Promise<SharedStack> {
  const shared = findSharedStack();
  return shared === undefined ? startSharedStack() : { ...shared, stop: async () => {} };
}

/** The stack that `npm test` started. Undefined if it did not start this test file. */
export function findSharedStack(): StackAddresses | undefined {
  const addresses = process.env[VARIABLE];
  if (addresses === undefined) return undefined;
  const { urls, ...others } = parseAddresses(addresses);
  const [first, ...further] = urls;
  return { ...others, urls: [defined(first), ...further] };
}

export function startSharedStack(): Promise<SharedStack> {
  return startStack({
    maps: true,
    verified: true,
    env: { backoffice: { TRIAL_DAILY_BUDGET_MICRO_USD: '1000000000' } },
  });
}

/** The environment in which `useSharedStack` finds the stack. */
export function environmentOf({ urls, redisUrl, databaseUrl, chainUrl, runDir, dataDir }: StackAddresses) {
  return { [VARIABLE]: JSON.stringify({ urls, redisUrl, databaseUrl, chainUrl, runDir, dataDir }) };
}
