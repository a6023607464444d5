import { defined } from '../../../workers/exact/defined.ts';
import type { AuditViolation } from '../contract/ledger.ts';

export interface WalletReplay {
  readonly grant: bigint;
  readonly balance: bigint;
  readonly reserved: bigint;
  readonly spent: bigint;
  /** Sequence of the last entry that concerns the wallet. */
  readonly sequence: bigint;
}

interface PendingReplay {
  readonly wallet: string;
  readonly amount: bigint;
  readonly day: string;
}

/** The state of the ledger, rebuilt from its journal entry by entry. */
export interface Replay {
  readonly sequence: bigint;
  readonly wallets: ReadonlyMap<string, WalletReplay>;
  readonly pending: ReadonlyMap<string, PendingReplay>;
  readonly violations: readonly AuditViolation[];
  /** Micro-USD posted and pending on a UTC day. `day` counts days since 1970. */
  usedOn(day: string): bigint;
  /** Applies the next entry. `entry` is undefined where the journal has an entry without its field. */
  apply(sequence: bigint, entry: string | undefined): void;
}

interface ReserveEntry {
  readonly id: string;
  readonly address: string;
  readonly nonce: string;
  readonly amount: bigint;
  readonly day: string;
  readonly budget: bigint;
  readonly grant: bigint;
}

const RESERVE = /^reserve\|([^|]+)\|([^|]+)\|([^|]+)\|(\d+)\|[^|]*\|(\d+)\|(\d+)\|(\d+)\|\d+$/;
const RESOLVE = /^(post|void)\|([^|]+)\|[^|]*\|\d+$/;

/** Reads an entry as `book.lua` writes it. @returns undefined for an entry of another type */
function parseReserve(entry: string): ReserveEntry | undefined {
  const fields = RESERVE.exec(entry);
  if (fields === null) return undefined;
  return {
    id: defined(fields[1]),
    address: defined(fields[2]),
    nonce: defined(fields[3]),
    amount: BigInt(defined(fields[4])),
    day: defined(fields[5]),
    budget: BigInt(defined(fields[6])),
    grant: BigInt(defined(fields[7])),
  };
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
  const pending = new Map<string, PendingReplay>();
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

  function reserve(sequence: bigint, { id, address, nonce, amount, day, budget, grant }: ReserveEntry): void {
    if (nonces.has(nonce)) report('one_reservation_per_nonce', nonce, `reserved again by ${id}`);
    if (pending.has(id)) report('one_resolution', id, 'reserved again while pending');
    nonces.add(nonce);
    const before = wallets.get(address);
    if (before && grant > 0n) report('one_grant', address, `granted ${grant} again`);
    const wallet = before ?? { grant, balance: grant, reserved: 0n, spent: 0n, sequence };
    setWallet(address, { ...wallet, balance: wallet.balance - amount, reserved: wallet.reserved + amount, sequence });
    pending.set(id, { wallet: address, amount, day });
    const total = usedOn(day) + amount;
    used.set(day, total);
    if (total > budget) report('day_within_budget', day, `${total} is used of ${budget}`);
  }

  function resolve(sequence: bigint, id: string, isPosted: boolean): void {
    const reservation = pending.get(id);
    if (reservation === undefined) {
      report('one_resolution', id, 'resolved while not pending');
      return;
    }
    const { amount, day } = reservation;
    const wallet = defined(wallets.get(reservation.wallet));
    pending.delete(id);
    const reserved = wallet.reserved - amount;
    if (isPosted) {
      setWallet(reservation.wallet, { ...wallet, reserved, spent: wallet.spent + amount, sequence });
    } else {
      setWallet(reservation.wallet, { ...wallet, reserved, balance: wallet.balance + amount, sequence });
      used.set(day, usedOn(day) - amount);
    }
  }

  return { wallets, pending, usedOn, reserve, resolve };
}

export function createReplay(): Replay {
  const violations = createViolations();
  const { wallets, pending, usedOn, reserve, resolve } = createBooks(violations);
  let last = 0n;

  function read(sequence: bigint, entry: string): void {
    const reserved = parseReserve(entry);
    const resolved = RESOLVE.exec(entry);
    if (reserved !== undefined) reserve(sequence, reserved);
    else if (resolved !== null) resolve(sequence, defined(resolved[2]), resolved[1] === 'post');
    else if (!entry.startsWith('tombstone|'))
      violations.add('stored_as_journaled', `entry ${sequence}`, `not readable: ${entry}`);
  }

  return {
    get sequence() {
      return last;
    },
    wallets,
    pending,
    violations: violations.found,
    usedOn,
    apply(sequence, entry) {
      if (sequence !== last + 1n) violations.add('stored_as_journaled', `entry ${sequence}`, `follows entry ${last}`);
      last = sequence;
      if (entry === undefined) violations.add('stored_as_journaled', `entry ${sequence}`, 'has no field named entry');
      else read(sequence, entry);
    },
  };
}
