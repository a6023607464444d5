/** The credit that every wallet gets once: USD 0.05. */
export const GRANT_MICRO_USD = 50_000n;
/** What all trials together may spend in a UTC day, unless the operator sets another budget. */
export const DAILY_BUDGET_MICRO_USD = 5_000_000n;
/** How long a sign-in challenge lasts. */
export const CHALLENGE_LIFETIME_MS = 300_000;

/** States of a trial attempt in a 402 (`extensions['seller-trial'].info`). */
export const TRIAL_STATUSES = [
  'discovery_probe',
  'challenge',
  'insufficient_balance',
  'daily_budget_exhausted',
  'unavailable',
] as const;
export type TrialStatus = (typeof TRIAL_STATUSES)[number];

/** An amount of micro-USD as text: no sign and no leading zero. */
export const AMOUNT_PATTERN = '^(0|[1-9][0-9]*)$';
/** An amount above zero. */
export const POSITIVE_AMOUNT_PATTERN = '^[1-9][0-9]*$';
