/** The answer of `GET /operator/facts`. What could not be read is null, and `faults` says why. Amounts are micro-USD. */
export interface Facts {
  readonly at: string;
  readonly operator: string;
  readonly calls: {
    readonly state: 'open' | 'frozen' | 'unknown' | 'other_key';
    readonly isFrozen: boolean | null;
    readonly changedBy: string | null;
    readonly reason: string | null;
    readonly changedAt: string | null;
  };
  readonly parts: readonly Part[];
  readonly admission: { readonly running: number; readonly waiting: number; readonly limit: number };
  readonly budget: {
    readonly day: string | null;
    readonly configuredMicroUsd: number;
    readonly usedMicroUsd: number | null;
    readonly leftMicroUsd: number | null;
  };
  readonly credit: {
    readonly walletsToday: number;
    readonly givenTodayMicroUsd: number;
    readonly wallets30Days: number;
    readonly given30DaysMicroUsd: number;
  } | null;
  readonly reservations: {
    readonly open: number;
    readonly amountMicroUsd: number;
    readonly oldestAt: string | null;
  } | null;
  readonly settlements: {
    readonly pending: number;
    readonly notFinal: number;
    readonly lost: number;
    readonly failed: number;
  } | null;
  readonly earnings: {
    readonly calls: number;
    readonly soldMicroUsd: number;
    readonly settledMicroUsd: number;
    readonly claimableMicroUsd: number;
    readonly refundedMicroUsd: number;
    readonly netMicroUsd: number;
    readonly gasWei: string;
    /** Transactions whose gas somebody else paid, or whose cost is not known. */
    readonly unknownGas: number;
  } | null;
  readonly channels: {
    readonly open: number;
    readonly withdrawing: number;
    readonly empty: number;
    readonly short: number;
    readonly claimedMicroUsd: number;
    readonly claimableMicroUsd: number;
    readonly oldestClaimableSeconds: number;
    readonly openTransactions: number;
    readonly refusedTransactions: number;
  } | null;
  readonly gas: {
    readonly address: string;
    readonly balanceWei: string;
    readonly neededWei: string;
    readonly settlements: number;
    readonly unclaimedChannels: number;
    readonly shared: readonly {
      readonly of: string;
      readonly spent: string;
      readonly most: string;
      readonly isAlarm: boolean;
    }[];
    readonly isEnough: boolean;
  } | null;
  readonly jobs: {
    readonly waiting: number;
    readonly delayed: number;
    readonly active: number;
    readonly failed: number;
    readonly oldestWaitingSeconds: number;
  } | null;
  readonly obligations: {
    readonly open: number;
    readonly oldestDueSeconds: number;
    readonly mostAttempts: number;
  } | null;
  readonly retention: {
    readonly days: number;
    readonly oldestDay: string | null;
    readonly aboutCalls: number;
    readonly bytes: number;
    readonly held: number;
  } | null;
  readonly faults: readonly { readonly part: string; readonly message: string }[];
}

export interface Part {
  readonly name: string;
  readonly state: 'ok' | 'warning' | 'down';
  readonly version: string | null;
  readonly milliseconds: number | null;
  readonly startedAt: string | null;
  readonly detail: string | null;
  readonly lastFault: { readonly message: string; readonly at: string } | null;
}
