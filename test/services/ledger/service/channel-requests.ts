import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { ChannelCharge, RefundHold } from '../../../../services/ledger/contract/channels.ts';

const hex = (bytes: number) => randomBytes(bytes).toString('hex');

/** A voucher's fields. */
const newVoucher = () => ({
  reservationId: uuidv7(),
  channelId: `0x${hex(32)}`,
  cumulativeMicroUsd: 14_000n,
  signature: `0x${hex(65)}`,
  deadlineMs: Date.now() + 30_000,
});

export const newCharge = (given: Partial<ChannelCharge> = {}): ChannelCharge => ({
  ...newVoucher(),
  amountMicroUsd: 14_000n,
  operation: 'geocode',
  fingerprint: hex(32),
  holder: hex(32),
  ...given,
});

export const newHold = (given: Partial<RefundHold> = {}): RefundHold => ({ ...newVoucher(), ...given });
