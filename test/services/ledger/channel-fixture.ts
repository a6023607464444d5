import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { ChannelCharge, HoldRefundRequest } from '../../../proto/gen/tollhouse/ledger/v1/ledger.ts';

const hex = (bytes: number): string => randomBytes(bytes).toString('hex');

export const newChannel = (): string => `0x${hex(32)}`;
export const newSignature = (): string => `0x${hex(65)}`;

/** The first call of a new channel, at 14,000 micro-USD. */
export function newCharge(given: Partial<ChannelCharge> = {}): ChannelCharge {
  return {
    reservationId: uuidv7(),
    channelId: newChannel(),
    cumulativeMicroUsd: 14_000n,
    signature: newSignature(),
    amountMicroUsd: 14_000n,
    operation: 'geocode',
    deadlineMs: Date.now() + 30_000,
    fingerprint: hex(32),
    holder: randomBytes(32),
    isNew: false,
    ...given,
  };
}

export function newHold(given: Partial<HoldRefundRequest> = {}): HoldRefundRequest {
  return {
    reservationId: uuidv7(),
    channelId: newChannel(),
    cumulativeMicroUsd: 0n,
    signature: newSignature(),
    deadlineMs: Date.now() + 30_000,
    ...given,
  };
}
