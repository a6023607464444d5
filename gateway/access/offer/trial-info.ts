import { GRANT_MICRO_USD, type TrialStatus } from '../../../services/ledger/contract/trial-terms.ts';

export interface TrialInfo {
  readonly status: TrialStatus;
  readonly quotedAmountAtomic: string;
  readonly coveredByInitialGrant: boolean;
  readonly balanceAtomic?: string;
  readonly nextStep: { readonly action: string; readonly description: string };
}

const NEXT_STEPS: Readonly<Record<TrialStatus, TrialInfo['nextStep']>> = {
  discovery_probe: {
    action: 'submit_valid_request',
    description: 'Send a valid JSON body. Nothing was executed and no account was made.',
  },
  challenge: {
    action: 'sign_and_retry',
    description:
      "Sign extensions['sign-in-with-x'] and send the identical request once with SIGN-IN-WITH-X, without payment headers.",
  },
  insufficient_balance: {
    action: 'choose_paid_request',
    description:
      'The free credit of this wallet does not cover the whole quote. Paying is your choice; trial-only clients stop here.',
  },
  daily_budget_exhausted: {
    action: 'wait_or_choose_paid_request',
    description:
      "Today's budget for trials is used up. Ask for a new challenge on a later UTC day, or choose to pay. Do not send the proof again.",
  },
  unavailable: { action: 'stop', description: 'Trials are not available now and no challenge was issued.' },
};
const PAID_REMAINS = ' A paid request remains possible.';
const LONG_QUERY = 'The query is too long to sign in; leave it out';

export const isCoveredByGrant = (quoteMicroUsd: bigint): boolean => quoteMicroUsd <= GRANT_MICRO_USD;

export interface TrialFacts {
  /** Of the wallet that signed in. */
  readonly balanceMicroUsd?: bigint | undefined;
  /** Whether a paid request is possible while trials are not. */
  readonly isPaidPossible?: boolean;
  /** Whether a challenge for the query of the URL would not fit through proxies. */
  readonly isQueryTooLong?: boolean;
}

export function createTrialInfo(
  status: TrialStatus,
  quoteMicroUsd: bigint,
  { balanceMicroUsd, isPaidPossible = false, isQueryTooLong = false }: TrialFacts = {},
): TrialInfo {
  const { action, description: usual } = NEXT_STEPS[status];
  const description = isQueryTooLong
    ? `${LONG_QUERY}${isPaidPossible ? ', or pay' : ''}.`
    : `${usual}${isPaidPossible ? PAID_REMAINS : ''}`;
  return {
    status,
    quotedAmountAtomic: String(quoteMicroUsd),
    coveredByInitialGrant: isCoveredByGrant(quoteMicroUsd),
    ...(balanceMicroUsd === undefined ? {} : { balanceAtomic: String(balanceMicroUsd) }),
    nextStep: { action, description },
  };
}
