import { defined } from '../../../workers/exact/defined.ts';
import {
  type FundEntry,
  isChannel,
  type ParsedEntry,
  parseEntry,
  type ReserveEntry,
  type ResolveEntry,
} from '../contract/journal-entries.ts';
import type { AuditViolation } from '../contract/ledger.ts';
import type { ReservationReplay, WalletReplay } from './account-replay.ts';
import { type ChannelReplay, createChannelBooks } from './channel-replay.ts';

/** The state of the ledger, rebuilt from its journal entry by entry. */
export interface Replay {
  readonly sequence: bigint;
  /** By address, and by id of a channel. */
  readonly wallets: ReadonlyMap<string, WalletReplay>;
  readonly channels: ReadonlyMap<string, ChannelReplay>;
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
  const books = createChannelBooks({ wallets, reservations, report });
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
    const { id, address, amount, grant } = entry;
    if (pending.has(id)) report('one_resolution', id, 'reserved again while pending');
    if (isChannel(address)) {
      if (!books.reserve(entry)) return;
    } else useTrial(entry);
    const before = wallets.get(address);
    const wallet = before ?? { grant, balance: grant, reserved: 0n, spent: 0n, sequence, failures: [] };
    const balance = wallet.balance - amount;
    setWallet(address, { ...wallet, balance, reserved: wallet.reserved + amount, sequence });
    pending.set(id, entry);
    reservations.set(id, { state: 'pending', reserve: entry, balance, resolvedMs: undefined });
  }

  /** Uses the nonce, the grant and the budget of the day. */
  function useTrial({ id, address, nonce, amount, day, budget, grant }: ReserveEntry): void {
    if (nonces.has(nonce)) report('one_reservation_per_nonce', nonce, `reserved again by ${id}`);
    nonces.add(nonce);
    if (wallets.has(address) && grant > 0n) report('one_grant', address, `granted ${grant} again`);
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
      if (!isChannel(address)) used.set(day, usedOn(day) - amount);
    }
  }

  const fund = (sequence: bigint, entry: FundEntry) => setWallet(entry.id, books.fund(entry, sequence));

  function bury(id: string, timeMs: number): void {
    reservations.set(id, { state: 'voided', reserve: undefined, balance: undefined, resolvedMs: timeMs });
  }

  const { channels } = books;
  return { wallets, channels, reservations, pending, usedOn, reserve, resolve, fund, bury };
}

export function createReplay(): Replay {
  const violations = createViolations();
  const { wallets, channels, reservations, pending, usedOn, reserve, resolve, fund, bury } = createBooks(violations);
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
      if (!isChannel(entry.address)) latestBudget = entry.budget;
      reserve(sequence, entry);
    } else if (entry.type === 'fund') fund(sequence, entry);
    else if (entry.type === 'tombstone') bury(entry.id, entry.timeMs);
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
    channels,
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
