import { randomBytes, randomInt } from 'node:crypto';
import type { ExecutionContext } from 'ava';
import { v7 as uuidv7 } from 'uuid';
import type { LedgerUnavailableCode, Reservation } from '../../../services/ledger/contract/ledger.ts';
import { LedgerUnavailableError } from '../../../services/ledger/contract/ledger.ts';

export function newNetwork(): string {
  return `eip155:${randomInt(2 ** 40)}`;
}

export function newWallet(): string {
  return `0x${randomBytes(20).toString('hex')}`;
}

export function newReservation(given: Partial<Reservation> = {}): Reservation {
  const nowMs = Date.now();
  return {
    reservationId: uuidv7(),
    wallet: newWallet(),
    nonce: randomBytes(16).toString('hex'),
    expirationTimeMs: nowMs + 300_000,
    deadlineMs: nowMs + 30_000,
    operation: 'geocode',
    amountMicroUsd: 14_000n,
    ...given,
  };
}

export async function throwsUnavailable(
  t: ExecutionContext,
  promise: Promise<unknown>,
  code: LedgerUnavailableCode,
): Promise<void> {
  const error = await t.throwsAsync(promise, { instanceOf: LedgerUnavailableError });
  t.is(error.code, code, error.message);
}
