import type { ChannelChargeOutcome } from '../../../../services/ledger/contract/outcomes.ts';

export interface ModelVoucher {
  readonly id: string;
  readonly cumulative: bigint;
  readonly request: string;
}

interface ModelReservation {
  readonly kind: 'charge' | 'refund';
  readonly voucher: ModelVoucher;
  readonly amount: bigint;
}

const max = (one: bigint, other: bigint): bigint => (one > other ? one : other);
const min = (one: bigint, other: bigint): bigint => (one < other ? one : other);

/** One channel, as plain arithmetic. */
export class ChannelModel {
  /** What the contract shows: what may be used, and what is claimed. */
  usable = 0n;
  claimed = 0n;
  /** Claims were started with vouchers up to it. */
  published = 0n;
  charged = 0n;
  /** Whether the contract ever showed a deposit when something was reserved. */
  isKnown = false;
  isSettled = true;
  latest: ModelVoucher | undefined;
  open: (ModelReservation & { readonly id: string }) | undefined;
  readonly posted = new Map<string, ModelReservation>();

  get reserved(): bigint {
    return this.open?.amount ?? 0n;
  }

  get funded(): bigint {
    return max(this.usable, this.charged + this.reserved);
  }

  reserve(kind: 'charge' | 'refund', voucher: ModelVoucher, wanted: bigint | undefined): ChannelChargeOutcome['state'] {
    if (this.open?.id === voucher.id) return 'reserved';
    if (this.posted.has(voucher.id)) return 'posted';
    this.isKnown ||= this.usable > 0n;
    if (!this.isKnown) return 'channel_not_found';
    const { latest } = this;
    const isRepeat = latest?.cumulative === voucher.cumulative && latest.request === voucher.request;
    if (kind === 'charge' && isRepeat && this.charged === latest.cumulative) return 'repeated';
    const { claimed, published, charged } = this;
    // Anyone can read on the chain what was claimed.
    const most = max(claimed, min(published, charged));
    const isPublic = voucher.cumulative > 0n && (voucher.cumulative <= most || voucher.cumulative === published);
    if (isPublic) return this.usable <= claimed ? 'exceeds_balance' : 'cumulative_below_claimed';
    if (this.open !== undefined) return 'channel_busy';
    const before = voucher.cumulative - (kind === 'charge' ? (wanted ?? 0n) : 0n);
    if (!this.isSettled || this.claimed > this.charged) {
      if (kind === 'charge' && isRepeat) return 'unsettled';
      if (before < claimed) return 'cumulative_below_claimed';
      if (before < charged) return 'cumulative_mismatch';
      if (voucher.cumulative > this.usable) return 'exceeds_balance';
      this.isSettled = true;
      this.charged = before;
      // Nobody can ask for an answer again that was charged before.
      if (voucher.cumulative > (latest?.cumulative ?? 0n)) this.latest = { ...voucher, request: 'none' };
    }
    const left = max(this.usable - this.charged, 0n);
    const amount = wanted ?? left;
    if (before !== this.charged) return 'cumulative_mismatch';
    if (amount > left || amount === 0n) return 'exceeds_balance';
    this.open = { kind, voucher, amount, id: voucher.id };
    return 'reserved';
  }

  resolve(id: string, state: 'posted' | 'voided'): 'posted' | 'voided' | 'unknown' {
    const { open } = this;
    if (open?.id !== id || (open.kind === 'refund' && state === 'posted')) {
      return this.posted.has(id) ? 'posted' : 'unknown';
    }
    this.open = undefined;
    if (state === 'posted') {
      this.charged += open.amount;
      this.latest = open.voucher;
      this.posted.set(id, open);
    }
    return state;
  }
}
