import type { TrialReservation } from '../../../proto/gen/tollhouse/ledger/v1/ledger.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { RESERVE_STATES, type TrialOutcome } from '../contract/outcomes.ts';
import { itemCall, readCredit } from './read-outcomes.ts';
import { createSettledBatch } from './settled-batch.ts';
import type { TrialLedgerOptions } from './trial-options.ts';

interface Ask {
  readonly reservation: TrialReservation;
  /** By the monotonic clock. */
  readonly lockEndsMs: number;
}

export function createReserve({ terms, monotonicMs, ...place }: TrialLedgerOptions) {
  const { grantMicroUsd, dailyBudgetMicroUsd, grantsPerScope, failuresPerHour } = terms;
  const termValues = [`${grantMicroUsd}`, `${dailyBudgetMicroUsd}`, grantsPerScope, failuresPerHour];
  const call = itemCall(place, {
    name: 'reserve',
    states: [...RESERVE_STATES, 'out_of_range'],
    format: formatAsk,
    parametersOf: (asks) => [...termValues, asks],
  });
  const add = createSettledBatch<Ask, TrialOutcome | 'out_of_range'>({
    async send(asks) {
      // A lock may end while its ask waits for the batch.
      const nowMs = monotonicMs();
      const isLocked = ({ lockEndsMs }: Ask) => lockEndsMs > nowMs;
      const locked = asks.filter(isLocked);
      const outcomes = (locked.length === 0 ? [] : await call(locked)).values();
      return asks.map((ask) => {
        if (!isLocked(ask)) return { state: 'lock_lost' };
        const { state, row } = defined(outcomes.next().value);
        return state === 'out_of_range' ? state : { state, balanceMicroUsd: defined(readCredit(row)) };
      });
    },
    // Of two wallets with one nonce, the first gets it.
    keysOf: ({ reservation: { reservationId, wallet, nonce } }) => [reservationId, wallet.toLowerCase(), nonce],
  });
  /** @throws {ServiceError} INVALID_ARGUMENT if the id or the expiration is out of range */
  return async (reservation: TrialReservation): Promise<TrialOutcome> => {
    const outcome = await add({ reservation, lockEndsMs: monotonicMs() + reservation.lockLeftMs });
    if (outcome !== 'out_of_range') return outcome;
    const { reservationId } = reservation;
    throw new ServiceError(
      'INVALID_ARGUMENT',
      `the id ${reservationId} or its proof's expiration is over a day from now`,
    );
  };
}

const formatAsk = ({ reservation }: Ask) => ({
  id: reservation.reservationId,
  wallet: reservation.wallet.toLowerCase(),
  nonce: reservation.nonce,
  expires_at: new Date(reservation.expirationTimeMs),
  deadline: new Date(reservation.deadlineMs),
  operation: reservation.operation,
  amount: `${reservation.amountMicroUsd}`,
  scope: reservation.grantScope,
});
