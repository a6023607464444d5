import { defined } from '../../../workers/exact/defined.ts';
import { type ParsedEntry, parseEntry, type ReserveEntry, type ResolveEntry } from '../contract/journal-entries.ts';
import type { AuditViolation } from '../contract/ledger.ts';

export interface WalletReplay {
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

/** The state of the ledger, rebuilt from its journal entry by entry. */
export interface Replay {
  readonly sequence: bigint;
  readonly wallets: ReadonlyMap<string, WalletReplay>;
  readonly reservations: ReadonlyMap<string, ReservationReplay>;
  readonly pending: ReadonlyMap<string, ReserveEntry>;
  /** The last entry that could be read. */
  readonly latest: ParsedEntry | undefined;
  /** The last day on which something was reserved, in days since 1970; 0 before. */
  readonly latestDay: string;
  /** The budget that the last reservation was checked with. */
  readonly latestBudget: bigint | undefined;
  readonly violations: readonly AuditViolation[];
  /** Micro-USD posted and pending on a UTC day. `day` counts days since 1970. */
  usedOn(day: string): bigint;
  /** Applies the next entry. `entry` is undefined where the journal has an entry of another form. */
  apply(sequence: bigint, entry: string | undefined): void;
}

interface Violations {
  readonly found: readonly AuditViolation[];
  add(invariant: AuditViolation['invariant'], subject: string, detail: string): void;
}

function createViolations(): Violations {
  const found: AuditViolation[] = [];
  return { found, add: (invariant, subject, detail) => found.push({ invariant, subject, detail }) };
}

/** Wallets, nonces and budgets after the entries so far. It reports what breaks an invariant. */
function createBooks({ add: report }: Violations) {
  const wallets = new Map<string, WalletReplay>();
  const reservations = new Map<string, ReservationReplay>();
  const pending = new Map<string, ReserveEntry>();
  const nonces = new Set<string>();
  const used = new Map<string, bigint>();
  /** A day without entries has used nothing. */
  const usedOn = (day: string) => used.get(day) ?? 0n;

  function setWallet(address: string, wallet: WalletReplay): void {
    const { grant, balance, reserved, spent } = wallet;
    if (balance < 0n || reserved < 0n || spent < 0n || balance + reserved + spent !== grant) {
      report('grants_add_up', address, `${balance} + ${reserved} + ${spent} is not ${grant}, or one is negative`);
    }
    wallets.set(address, wallet);
  }

  function reserve(sequence: bigint, entry: ReserveEntry): void {
    const { id, address, nonce, amount, day, budget, grant } = entry;
    if (nonces.has(nonce)) report('one_reservation_per_nonce', nonce, `reserved again by ${id}`);
    if (pending.has(id)) report('one_resolution', id, 'reserved again while pending');
    nonces.add(nonce);
    const before = wallets.get(address);
    if (before && grant > 0n) report('one_grant', address, `granted ${grant} again`);
    const wallet = before ?? { grant, balance: grant, reserved: 0n, spent: 0n, sequence, failures: [] };
    const balance = wallet.balance - amount;
    setWallet(address, { ...wallet, balance, reserved: wallet.reserved + amount, sequence });
    pending.set(id, entry);
    reservations.set(id, { state: 'pending', reserve: entry, balance, resolvedMs: undefined });
    const total = usedOn(day) + amount;
    used.set(day, total);
    if (total > budget) report('day_within_budget', day, `${total} is used of ${budget}`);
  }

  function resolve(sequence: bigint, { type, id, reason, timeMs }: ResolveEntry): void {
    const entry = pending.get(id);
    if (entry === undefined) {
      report('one_resolution', id, 'resolved while not pending');
      return;
    }
    const { amount, day, address } = entry;
    const wallet = defined(wallets.get(address));
    const state = type === 'post' ? 'posted' : 'voided';
    pending.delete(id);
    reservations.set(id, { ...defined(reservations.get(id)), state, resolvedMs: timeMs });
    const reserved = wallet.reserved - amount;
    if (state === 'posted') {
      setWallet(address, { ...wallet, reserved, spent: wallet.spent + amount, sequence });
    } else {
      const failures = reason === 'caller_failed' ? [...wallet.failures, timeMs] : wallet.failures;
      setWallet(address, { ...wallet, reserved, balance: wallet.balance + amount, sequence, failures });
      used.set(day, usedOn(day) - amount);
    }
  }

  function bury(id: string, timeMs: number): void {
    reservations.set(id, { state: 'voided', reserve: undefined, balance: undefined, resolvedMs: timeMs });
  }

  return { wallets, reservations, pending, usedOn, reserve, resolve, bury };
}

export function createReplay(): Replay {
  const violations = createViolations();
  const { wallets, reservations, pending, usedOn, reserve, resolve, bury } = createBooks(violations);
  let last = 0n;
  let latest: ParsedEntry | undefined;
  let latestDay = '0';
  let latestBudget: bigint | undefined;

  function read(sequence: bigint, text: string): void {
    const entry = parseEntry(text);
    latest = entry ?? latest;
    if (entry === undefined)
      violations.add('stored_as_journaled', `entry ${sequence}`, `of a kind that this release does not know: ${text}`);
    else if (entry.type === 'reserve') {
      if (Number(entry.day) > Number(latestDay)) latestDay = entry.day;
      latestBudget = entry.budget;
      reserve(sequence, entry);
    } else if (entry.type === 'tombstone') bury(entry.id, entry.timeMs);
    else resolve(sequence, entry);
  }

  return {
    get sequence() {
      return last;
    },
    get latest() {
      return latest;
    },
    get latestDay() {
      return latestDay;
    },
    get latestBudget() {
      return latestBudget;
    },
    wallets,
    reservations,
    pending,
    violations: violations.found,
    usedOn,
    apply(sequence, entry) {
      if (sequence !== last + 1n) violations.add('stored_as_journaled', `entry ${sequence}`, `follows entry ${last}`);
      last = sequence;
      if (entry === undefined)
        violations.add('stored_as_journaled', `entry ${sequence}`, 'does not have exactly one field named entry');
      else read(sequence, entry);
    },
  };
}
