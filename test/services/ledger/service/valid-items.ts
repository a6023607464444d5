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
  expirationTimeMs: 9n,
  deadlineMs: 8n,
};
export const VOUCHER = {
  reservationId: ID,
  channelId: `0x${'07'.repeat(32)}`,
  cumulativeMicroUsd: 5n,
  signature: bytes(65),
  deadlineMs: 8n,
};
export const CHARGE = {
  ...VOUCHER,
  amountMicroUsd: 5n,
  operation: 'geocode',
  fingerprint: bytes(32),
  holder: bytes(0),
  identifier: undefined,
  isNew: false,
};
