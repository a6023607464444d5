import type { ChannelDenial } from '../../../../services/ledger/contract/channels.ts';

export interface ModelVoucher {
  readonly id: string;
  readonly cumulative: bigint;
  readonly request: string;
}

interface ModelReservation {
  readonly kind: 'charge' | 'refund';
  readonly voucher: ModelVoucher;
  readonly amount: bigint;
  state: 'pending' | 'posted' | 'voided';
}

function notNegative(amount: bigint): bigint {
  return amount < 0n ? 0n : amount;
}

/** One channel, as plain arithmetic. */
export class ChannelModel {
  usable = 0n;
  block = 0n;
  balance = 0n;
  reserved = 0n;
  charged = 0n;
  isKnown = false;
  latest: ModelVoucher | undefined;
  readonly reservations = new Map<string, ModelReservation>();

  get funded(): bigint {
    return this.balance + this.reserved + this.charged;
  }

  fund(usable: bigint, block: bigint, refundId?: string): void {
    const refund = refundId === undefined ? undefined : this.reservations.get(refundId);
    if (refund?.state === 'pending') this.resolve(refundId ?? '', 'voided');
    if (block >= this.block && usable !== this.usable) {
      this.usable = usable;
      this.block = block;
      this.isKnown = true;
    }
    const used = this.reserved + this.charged;
    this.balance = notNegative(this.usable - used);
  }

  reserve(
    kind: 'charge' | 'refund',
    voucher: ModelVoucher,
    wanted: bigint | undefined,
  ): ChannelDenial | 'reserved' | 'repeated' {
    const known = this.reservations.get(voucher.id);
    if (known !== undefined) return known.state === 'voided' ? 'voided' : 'reserved';
    if (!this.isKnown) return 'channel_not_found';
    const { latest } = this;
    const isRepeat = latest?.cumulative === voucher.cumulative && latest.request === voucher.request;
    if (kind === 'charge' && isRepeat) return 'repeated';
    if (this.reserved > 0n) return 'channel_busy';
    const withdrawn = notNegative(this.balance - (this.usable - this.charged));
    const usable = notNegative(this.balance - withdrawn);
    const amount = wanted ?? usable;
    if (voucher.cumulative !== this.charged + (kind === 'charge' ? amount : 0n)) return 'cumulative_mismatch';
    if (amount > usable || amount === 0n) return 'exceeds_balance';
    this.balance -= amount;
    this.reserved = amount;
    this.reservations.set(voucher.id, { kind, voucher, amount, state: 'pending' });
    return 'reserved';
  }

  resolve(id: string, state: 'posted' | 'voided'): 'posted' | 'voided' | 'unknown' {
    const reservation = this.reservations.get(id);
    if (reservation === undefined) return 'unknown';
    if (reservation.state !== 'pending') return reservation.state;
    reservation.state = state;
    this.reserved = 0n;
    if (state === 'posted') {
      this.charged += reservation.amount;
      this.latest = reservation.voucher;
    } else this.balance += reservation.amount;
    return state;
  }
}
