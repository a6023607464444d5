import type { ReserveEntry } from '../contract/journal-entries.ts';

/** An account: that of a wallet, or of a channel. */
export interface WalletReplay {
  /** The grant of a wallet, or what a channel was funded with. */
  readonly grant: bigint;
  readonly balance: bigint;
  readonly reserved: bigint;
  readonly spent: bigint;
  /** Sequence of the last entry that concerns the wallet. */
  readonly sequence: bigint;
  /** When its callers made operations fail, in milliseconds since the epoch. */
  readonly failures: readonly number[];
}

/** A reservation, or the refusal of an id that was never reserved. Then only `state` and `resolvedMs` are set. */
export interface ReservationReplay {
  readonly state: 'pending' | 'posted' | 'voided';
  readonly reserve: ReserveEntry | undefined;
  /** The balance that reserving answered. */
  readonly balance: bigint | undefined;
  readonly resolvedMs: number | undefined;
}
