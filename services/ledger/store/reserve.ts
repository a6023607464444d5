import { defined } from '../../../workers/exact/defined.ts';
import type { Reservation } from '../contract/ledger.ts';
import type { TrialOutcome } from '../contract/outcomes.ts';
import { assertAmount } from './charge.ts';
import { callFunction } from './ledger-pool.ts';
import { readCredit, readOutcomes } from './read-outcomes.ts';
import { createSettledBatch } from './settled-batch.ts';
import type { TrialLedgerOptions, TrialTerms } from './trial-options.ts';

export interface LockedReservation {
  /** How long the caller still has the lock of the wallet. */
  readonly lockLeftMs: number;
}

const STATES = [
  'reserved',
  'posted',
  'voided',
  'insufficient_balance',
  'daily_budget_exhausted',
  'grants_exhausted',
  'throttled',
  'nonce_posted',
  'nonce_reserved',
  'nonce_replayed',
  'expired',
  'deadline_passed',
  'conflict',
  'out_of_range',
] as const;
type State = (typeof STATES)[number];

interface Outcome {
  readonly state: State;
  readonly creditMicroUsd: bigint | undefined;
}

interface Ask {
  readonly reservation: Reservation;
  /** By the monotonic clock. */
  readonly lockEndsMs: number;
}

const MAX_ITEMS = 64;
export function createReserve({ pool, network, terms, monotonicMs }: TrialLedgerOptions) {
  const termsText = formatTerms(terms);
  async function decide(reservations: readonly Reservation[]): Promise<readonly Outcome[]> {
    if (reservations.length === 0) return [];
    const rows = await callFunction(pool, 'reserve', [network, termsText, JSON.stringify(reservations.map(formatAsk))]);
    return readOutcomes(rows, reservations, STATES).map(({ state, row }) => ({
      state,
      creditMicroUsd: readCredit(row),
    }));
  }
  const add = createSettledBatch<Ask, Outcome | 'lock_lost'>({
    async send(asks) {
      // A lock may end while its ask waits for the batch.
      const nowMs = monotonicMs();
      const isLocked = ({ lockEndsMs }: Ask) => lockEndsMs > nowMs;
      const outcomes = (await decide(asks.filter(isLocked).map(({ reservation }) => reservation))).values();
      return asks.map((ask) => (isLocked(ask) ? defined(outcomes.next().value) : 'lock_lost'));
    },
    // Of two wallets with one nonce, the first gets it.
    keysOf: ({ reservation: { reservationId, wallet, nonce } }) => [reservationId, wallet.toLowerCase(), nonce],
    maxItems: MAX_ITEMS,
  });
  /**
   * @throws {RangeError} if the amount, the id or the expiration is out of range
   */
  return async ({ lockLeftMs, ...reservation }: Reservation & LockedReservation): Promise<TrialOutcome> => {
    assertAmount(reservation.amountMicroUsd);
    const outcome = await add({ reservation, lockEndsMs: monotonicMs() + lockLeftMs });
    return outcome === 'lock_lost' ? { state: outcome } : readOutcome(outcome, reservation.reservationId);
  };
}

function readOutcome({ state, creditMicroUsd }: Outcome, id: string): TrialOutcome {
  if (state === 'out_of_range') throw new RangeError(`the id ${id} or its proof's expiration is over a day from now`);
  return { state, balanceMicroUsd: defined(creditMicroUsd) };
}

const formatTerms = (terms: TrialTerms): string =>
  JSON.stringify({
    grant_amount: `${terms.grantMicroUsd}`,
    budget: `${terms.dailyBudgetMicroUsd}`,
    grants_per_scope: terms.grantsPerScope,
    failures_per_hour: terms.failuresPerHour,
  });

/** JSON has no bigint, so amounts are text. */
const formatAsk = (reservation: Reservation) => ({
  id: reservation.reservationId,
  wallet: reservation.wallet.toLowerCase(),
  nonce: reservation.nonce,
  expires_at: new Date(reservation.expirationTimeMs),
  deadline: new Date(reservation.deadlineMs),
  operation: reservation.operation,
  amount: `${reservation.amountMicroUsd}`,
  // An empty scope is not limited.
  scope: reservation.grantScope || null,
});
