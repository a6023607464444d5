import type { Reservation } from '../../../../services/ledger/contract/ledger.ts';
import type { Posting, TrialOutcome, VoidOutcome } from '../../../../services/ledger/contract/outcomes.ts';
import type { TrialTerms } from '../../../../services/ledger/store/trial-options.ts';
import { defined } from '../../../../workers/exact/defined.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

interface ModelWallet {
  balance: bigint;
  failures: number[];
}

interface ModelReservation {
  state: 'open' | 'posted' | 'voided';
  readonly reservation: Reservation;
  readonly day: number;
}

const dayOf = (atMs: number): number => Math.floor(atMs / DAY_MS);

/** The simplest code that gives the answers that the ledger should give. Its reservations have one grant scope. */
export class TrialModel {
  readonly wallets = new Map<string, ModelWallet>();
  readonly #reservations = new Map<string, ModelReservation>();
  readonly #nonces = new Map<string, { readonly id: string; readonly outcome: TrialOutcome }>();
  readonly #used = new Map<number, bigint>();
  readonly #grants = new Map<number, number>();
  readonly #terms: TrialTerms;

  constructor(terms: TrialTerms) {
    this.#terms = terms;
  }

  get open(): number {
    return [...this.#reservations.values()].filter(({ state }) => state === 'open').length;
  }

  balance(wallet: string): bigint {
    return this.wallets.get(wallet)?.balance ?? this.#terms.grantMicroUsd;
  }

  usedOn(atMs: number): bigint {
    return this.#used.get(dayOf(atMs)) ?? 0n;
  }

  reserve(reservation: Reservation, nowMs: number): TrialOutcome {
    const { reservationId: id, wallet, nonce } = reservation;
    const balanceMicroUsd = this.balance(wallet);
    const burnt = this.#nonces.get(nonce);
    const known = this.#reservations.get(id);
    if (known && burnt?.id === id) {
      const state = known.state === 'open' ? 'reserved' : known.state;
      return { ...burnt.outcome, state } as TrialOutcome;
    }
    if (burnt?.id === id) return burnt.outcome;
    if (nowMs > reservation.expirationTimeMs) return { state: 'expired', balanceMicroUsd };
    if (nowMs > reservation.deadlineMs) return { state: 'deadline_passed', balanceMicroUsd };
    if (burnt) return { state: this.#useOf(burnt.id, wallet), balanceMicroUsd };
    const outcome = this.#decide(reservation, nowMs);
    this.#nonces.set(nonce, { id, outcome });
    return outcome;
  }

  /** What became of the reservation that used a nonce, for a wallet that sends it again. */
  #useOf(id: string, wallet: string): 'nonce_posted' | 'nonce_reserved' | 'nonce_replayed' {
    const used = this.#reservations.get(id);
    if (used === undefined || used.reservation.wallet !== wallet || used.state === 'voided') return 'nonce_replayed';
    return used.state === 'posted' ? 'nonce_posted' : 'nonce_reserved';
  }

  #decide(reservation: Reservation, nowMs: number): TrialOutcome {
    const { wallet: address, amountMicroUsd } = reservation;
    const { grantMicroUsd, dailyBudgetMicroUsd, failuresPerHour, grantsPerScope } = this.#terms;
    const day = dayOf(nowMs);
    const stored = this.wallets.get(address);
    const wallet = stored ?? { balance: grantMicroUsd, failures: [] };
    const [used, grants] = [this.usedOn(nowMs), this.#grants.get(day) ?? 0];
    const balanceMicroUsd = wallet.balance;
    if (wallet.balance < amountMicroUsd) return { state: 'insufficient_balance', balanceMicroUsd };
    if (wallet.failures.filter((atMs) => atMs > nowMs - HOUR_MS).length >= failuresPerHour)
      return { state: 'throttled', balanceMicroUsd };
    if (used + amountMicroUsd > dailyBudgetMicroUsd) return { state: 'daily_budget_exhausted', balanceMicroUsd };
    if (!stored && grants >= grantsPerScope) return { state: 'grants_exhausted', balanceMicroUsd };
    if (!stored) this.#grants.set(day, grants + 1);
    wallet.balance -= amountMicroUsd;
    this.wallets.set(address, wallet);
    this.#used.set(day, used + amountMicroUsd);
    this.#reservations.set(reservation.reservationId, { state: 'open', reservation, day });
    return { state: 'reserved', balanceMicroUsd: wallet.balance };
  }

  resolve<Wanted extends 'posted' | 'voided'>(
    id: string,
    wanted: Wanted,
    isFailure: boolean,
    nowMs: number,
  ): Posting | VoidOutcome {
    const known = this.#reservations.get(id);
    if (!known || known.state === 'voided') return { state: 'unknown', balanceMicroUsd: undefined };
    const { wallet: address, amountMicroUsd } = known.reservation;
    const wallet = defined(this.wallets.get(address));
    if (known.state === 'open') {
      known.state = wanted;
      if (wanted === 'voided') {
        wallet.balance += amountMicroUsd;
        this.#used.set(known.day, defined(this.#used.get(known.day)) - amountMicroUsd);
        if (isFailure) wallet.failures.push(nowMs);
      }
    }
    return { state: known.state, balanceMicroUsd: wallet.balance };
  }

  /** Voids what is past its deadline. @returns how many */
  sweep(nowMs: number): number {
    const overdue = [...this.#reservations].filter(
      ([, { state, reservation }]) => state === 'open' && reservation.deadlineMs < nowMs,
    );
    for (const [id] of overdue) this.resolve(id, 'voided', false, nowMs);
    return overdue.length;
  }
}
