import { v7 as uuidv7 } from 'uuid';

// Items of the streams of the ledger that are accepted.

export const ID = uuidv7();
export const bytes = (length: number) => Buffer.alloc(length, 7);
export const RESERVATION = {
  reservationId: ID,
  wallet: `0x${'aa'.repeat(20)}`,
  nonce: 'ab'.repeat(16),
  operation: 'geocode',
  amountMicroUsd: 5n,
  grantScope: undefined,
  lockLeftMs: 3,
  expirationTimeMs: 9,
  deadlineMs: 8,
};
export const VOUCHER = {
  reservationId: ID,
  channelId: `0x${'07'.repeat(32)}`,
  cumulativeMicroUsd: 5n,
  signature: `0x${'07'.repeat(65)}`,
  deadlineMs: 8,
};
export const CHARGE = {
  ...VOUCHER,
  amountMicroUsd: 5n,
  operation: 'geocode',
  fingerprint: '07'.repeat(32),
  holder: undefined,
  identifier: undefined,
  isNew: false,
};
