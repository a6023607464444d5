import type { AuditViolation } from '../contract/ledger.ts';

export interface WalletReplay {
  readonly grant: bigint;
  readonly balance: bigint;
  readonly reserved: bigint;
  readonly spent: bigint;
  /** Of the last entry that concerns it. */
  readonly sequence: bigint;
}

interface PendingReplay {
  readonly wallet: string;
  readonly amount: bigint;
  readonly day: string;
}

/** The ledger as its journal tells it, built up entry by entry. */
export interface Replay {
  readonly sequence: bigint;
  readonly wallets: ReadonlyMap<string, WalletReplay>;
  readonly pending: ReadonlyMap<string, PendingReplay>;
  readonly violations: readonly AuditViolation[];
  /** Micro-USD posted and pending of a UTC day, given as days since 1970. */
  usedOn(day: string): bigint;
  /** Entries come in order. */
  apply(sequence: bigint, entry: string): void;
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

/** As the functions of Redis write it; undefined for an entry of another type. */
function parseReserve(entry: string): ReserveEntry | undefined {
  const fields = /^reserve\|([^|]+)\|([^|]+)\|([^|]+)\|(\d+)\|[^|]*\|(\d+)\|(\d+)\|(\d+)\|\d+$/.exec(entry);
  if (!fields) return undefined;
  const [, id = '', address = '', nonce = '', amount = '', day = '', budget = '', grant = ''] = fields;
  return { id, address, nonce, day, amount: BigInt(amount), budget: BigInt(budget), grant: BigInt(grant) };
}

export function createReplay(): Replay {
  const wallets = new Map<string, WalletReplay>();
  const pending = new Map<string, PendingReplay>();
  const nonces = new Set<string>();
  const used = new Map<string, bigint>();
  const violations: AuditViolation[] = [];
  let last = 0n;

  const report = (invariant: AuditViolation['invariant'], subject: string, detail: string) => {
    violations.push({ invariant, subject, detail });
  };

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
    const total = (used.get(day) ?? 0n) + amount;
    used.set(day, total);
    if (total > budget) report('day_within_budget', day, `${total} is used of ${budget}`);
  }

  function resolve(sequence: bigint, id: string, isPosted: boolean): void {
    const reservation = pending.get(id);
    const wallet = reservation && wallets.get(reservation.wallet);
    if (!reservation || !wallet) {
      report('one_resolution', id, 'resolved while not pending');
      return;
    }
    const { amount, day } = reservation;
    pending.delete(id);
    const reserved = wallet.reserved - amount;
    if (isPosted) {
      setWallet(reservation.wallet, { ...wallet, reserved, spent: wallet.spent + amount, sequence });
    } else {
      setWallet(reservation.wallet, { ...wallet, reserved, balance: wallet.balance + amount, sequence });
      used.set(day, (used.get(day) ?? 0n) - amount);
    }
  }

  return {
    get sequence() {
      return last;
    },
    wallets,
    pending,
    violations,
    usedOn: (day) => used.get(day) ?? 0n,
    apply(sequence, entry) {
      if (sequence !== last + 1n) report('stored_as_journaled', `entry ${sequence}`, `follows entry ${last}`);
      last = sequence;
      const reserved = parseReserve(entry);
      const [type, id = ''] = entry.split('|');
      if (reserved) reserve(sequence, reserved);
      else if (type === 'post' || type === 'void') resolve(sequence, id, type === 'post');
      else if (type !== 'tombstone') report('stored_as_journaled', `entry ${sequence}`, `not readable: ${entry}`);
    },
  };
}
