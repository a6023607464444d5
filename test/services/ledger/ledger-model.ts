import type { Reservation, ReserveDenial } from '../../../services/ledger/contract/ledger.ts';
import { defined } from '../../../workers/exact/defined.ts';

const DAY_MS = 86_400_000;

export interface ModelLimits {
  readonly grantMicroUsd: bigint;
  readonly dailyBudgetMicroUsd: bigint;
  readonly failuresPerHour: number;
}

interface ModelWallet {
  balance: bigint;
  reserved: bigint;
  spent: bigint;
  failures: number[];
}

interface ModelReservation {
  state: 'pending' | 'posted' | 'voided';
  readonly reservation: Reservation | undefined;
  readonly day: number;
  readonly balance: bigint;
}

export interface ModelOutcome {
  readonly state: 'reserved' | ReserveDenial;
  readonly balanceMicroUsd: bigint;
}

/** The simplest code that gives the answers that the ledger should give. */
export class LedgerModel {
  readonly wallets = new Map<string, ModelWallet>();
  readonly reservations = new Map<string, ModelReservation>();
  readonly nonces = new Map<string, { readonly id: string; readonly outcome: ModelOutcome }>();
  readonly used = new Map<number, bigint>();
  readonly limits: ModelLimits;

  constructor(limits: ModelLimits) {
    this.limits = limits;
  }

  balance(wallet: string): bigint {
    return this.wallets.get(wallet)?.balance ?? this.limits.grantMicroUsd;
  }

  reserve(reservation: Reservation, nowMs: number): ModelOutcome {
    const { reservationId: id, wallet, nonce } = reservation;
    const balanceMicroUsd = this.balance(wallet);
    const known = this.reservations.get(id);
    if (known) {
      const balance = known.reservation ? known.balance : balanceMicroUsd;
      return { state: known.state === 'voided' ? 'voided' : 'reserved', balanceMicroUsd: balance };
    }
    const burnt = this.nonces.get(nonce);
    if (burnt?.id === id) return burnt.outcome;
    if (nowMs > reservation.expirationTimeMs) return { state: 'expired', balanceMicroUsd };
    if (nowMs > reservation.deadlineMs) return { state: 'deadline_passed', balanceMicroUsd };
    if (burnt) return { state: 'nonce_replayed', balanceMicroUsd };
    const outcome = this.#decide(reservation, nowMs);
    this.nonces.set(nonce, { id, outcome });
    return outcome;
  }

  #decide(reservation: Reservation, nowMs: number): ModelOutcome {
    const { wallet: address, amountMicroUsd } = reservation;
    const { grantMicroUsd, dailyBudgetMicroUsd, failuresPerHour } = this.limits;
    const day = Math.floor(nowMs / DAY_MS);
    const wallet = this.wallets.get(address) ?? { balance: grantMicroUsd, reserved: 0n, spent: 0n, failures: [] };
    const used = this.used.get(day) ?? 0n;
    const deny = (state: ReserveDenial) => ({ state, balanceMicroUsd: wallet.balance });
    if (wallet.balance < amountMicroUsd) return deny('insufficient_balance');
    if (wallet.failures.filter((atMs) => atMs > nowMs - 3_600_000).length >= failuresPerHour) return deny('throttled');
    if (used + amountMicroUsd > dailyBudgetMicroUsd) return deny('daily_budget_exhausted');
    wallet.balance -= amountMicroUsd;
    wallet.reserved += amountMicroUsd;
    this.wallets.set(address, wallet);
    this.used.set(day, used + amountMicroUsd);
    const { balance } = wallet;
    this.reservations.set(reservation.reservationId, { state: 'pending', reservation, day, balance });
    return { state: 'reserved', balanceMicroUsd: balance };
  }

  resolve(id: string, wanted: 'posted' | 'voided', isFailure: boolean, nowMs: number): 'posted' | 'voided' | 'unknown' {
    const known = this.reservations.get(id);
    if (!known) {
      if (wanted === 'posted') return 'unknown';
      this.reservations.set(id, { state: 'voided', reservation: undefined, day: 0, balance: 0n });
      return 'voided';
    }
    const wallet = known.reservation && this.wallets.get(known.reservation.wallet);
    if (known.state !== 'pending' || !known.reservation || !wallet)
      return known.state === 'posted' ? 'posted' : 'voided';
    const { amountMicroUsd } = known.reservation;
    known.state = wanted;
    wallet.reserved -= amountMicroUsd;
    if (wanted === 'posted') {
      wallet.spent += amountMicroUsd;
    } else {
      wallet.balance += amountMicroUsd;
      this.used.set(known.day, defined(this.used.get(known.day)) - amountMicroUsd);
      if (isFailure) wallet.failures.push(nowMs);
    }
    return wanted;
  }
}
