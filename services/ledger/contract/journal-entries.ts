import { defined } from '../../../workers/exact/defined.ts';

/** An entry of the journal, as `book.lua` describes it. Times are milliseconds since the epoch. */
export type ParsedEntry = ReserveEntry | ResolveEntry | TombstoneEntry | FundEntry;

export interface ReserveEntry {
  readonly type: 'reserve';
  readonly id: string;
  /** Address of a wallet, or id of a channel. */
  readonly address: string;
  /** Nonce of the proof, or voucher of the channel. */
  readonly nonce: string;
  readonly amount: bigint;
  readonly operation: string;
  /** Days since 1970, UTC; 0 for a channel. */
  readonly day: string;
  /** The budget of that day when the amount was reserved. */
  readonly budget: bigint;
  /** 0, or the grant of a new account. */
  readonly grant: bigint;
  readonly timeMs: number;
}

export interface ResolveEntry {
  readonly type: 'post' | 'void';
  readonly id: string;
  /** Empty for most posts. */
  readonly reason: string;
  readonly timeMs: number;
}

/** The void of a reservation that the ledger did not know. */
interface TombstoneEntry {
  readonly type: 'tombstone';
  readonly id: string;
  readonly reason: string;
  readonly timeMs: number;
}

/** What the contract holds of a channel. */
export interface FundEntry {
  readonly type: 'fund';
  /** The channel. */
  readonly id: string;
  /** What the payer may use, by the contract at `block`. */
  readonly usable: bigint;
  readonly block: bigint;
  /** The credit that follows: at least what is charged and reserved. */
  readonly funded: bigint;
  readonly timeMs: number;
}

/** Whether the account of a reservation is a channel. */
export const isChannel = (address: string): boolean => address.length === 66;

const FUND = /^fund\|([^|]+)\|(\d+)\|(\d+)\|(\d+)\|(\d+)$/;
const RESERVE = /^reserve\|([^|]+)\|([^|]+)\|([^|]+)\|(\d+)\|([^|]*)\|(\d+)\|(\d+)\|(\d+)\|(\d+)$/;
const OTHER = /^(post|void|tombstone)\|([^|]+)\|([^|]*)\|(\d+)$/;

/** @returns undefined for text of another form */
export function parseEntry(text: string): ParsedEntry | undefined {
  const reserve = RESERVE.exec(text);
  if (reserve !== null) {
    return {
      type: 'reserve',
      id: defined(reserve[1]),
      address: defined(reserve[2]),
      nonce: defined(reserve[3]),
      amount: BigInt(defined(reserve[4])),
      operation: defined(reserve[5]),
      day: defined(reserve[6]),
      budget: BigInt(defined(reserve[7])),
      grant: BigInt(defined(reserve[8])),
      timeMs: Number(reserve[9]),
    };
  }
  const fund = FUND.exec(text);
  if (fund !== null) {
    return {
      type: 'fund',
      id: defined(fund[1]),
      usable: BigInt(defined(fund[2])),
      block: BigInt(defined(fund[3])),
      funded: BigInt(defined(fund[4])),
      timeMs: Number(fund[5]),
    };
  }
  const other = OTHER.exec(text);
  const type = other?.[1];
  if (other === null || (type !== 'post' && type !== 'void' && type !== 'tombstone')) return undefined;
  return { type, id: defined(other[2]), reason: defined(other[3]), timeMs: Number(other[4]) };
}

/** The text of an entry, as the functions in Redis write it. */
export function formatEntry(entry: ReserveEntry | ResolveEntry | FundEntry): string {
  if (entry.type === 'fund') {
    return ['fund', entry.id, entry.usable, entry.block, entry.funded, entry.timeMs].join('|');
  }
  if (entry.type !== 'reserve') return [entry.type, entry.id, entry.reason, entry.timeMs].join('|');
  const { id, address, nonce, amount, operation, day, budget, grant, timeMs } = entry;
  return ['reserve', id, address, nonce, amount, operation, day, budget, grant, timeMs].join('|');
}
