import type {
  ChannelAccount as AccountMessage,
  ChannelCharge as ChargeMessage,
  ChargeResult,
  HoldRefundRequest,
  HoldRefundResponse,
  KeepResult,
  PostResult,
  ReserveResult,
  TrialReservation,
  VoidResult,
} from '../../../proto/gen/tollhouse/ledger/v1/ledger.ts';
import { defined } from '../../../workers/exact/defined.ts';
import type { ChannelAccount, ChannelCharge, RefundHold } from './channels.ts';
import type { Reservation } from './ledger.ts';
import {
  type ChannelChargeOutcome,
  isIdentifierDenial,
  type Keeping,
  type Posting,
  type RefundHoldOutcome,
  type TrialOutcome,
  type Voiding,
} from './outcomes.ts';
import { CHANNEL_STATES, KEEP_STATES, nameIn, POST_STATES, RESERVE_STATES, VOID_STATES } from './states.ts';

/* Writes the requests of the ledger's service, and reads its answers. Readers throw for an answer that is not whole. */

export const formatReservation = (reservation: Reservation): Omit<TrialReservation, 'lockLeftMs'> => ({
  ...reservation,
  expirationTimeMs: BigInt(reservation.expirationTimeMs),
  deadlineMs: BigInt(reservation.deadlineMs),
  grantScope: reservation.grantScope,
});

export const formatCharge = (charge: ChannelCharge): ChargeMessage => ({
  ...charge,
  signature: bytesOf(charge.signature.slice(2)),
  deadlineMs: BigInt(charge.deadlineMs),
  fingerprint: bytesOf(charge.fingerprint),
  isNew: charge.isNew ?? false,
  holder: charge.holder === undefined ? Buffer.alloc(0) : bytesOf(charge.holder),
  identifier: charge.identifier && { ...charge.identifier, hash: bytesOf(charge.identifier.hash) },
});

export const formatHold = (hold: RefundHold): HoldRefundRequest => ({
  ...hold,
  signature: bytesOf(hold.signature.slice(2)),
  amountMicroUsd: hold.amountMicroUsd,
  deadlineMs: BigInt(hold.deadlineMs),
});

const bytesOf = (hex: string): Buffer => Buffer.from(hex, 'hex');

export function readReserve({ state: number, balanceMicroUsd }: ReserveResult): TrialOutcome {
  const state = defined(nameIn(RESERVE_STATES, number));
  return state === 'lock_lost' ? { state } : { state, balanceMicroUsd: defined(balanceMicroUsd) };
}

export function readCharge({ state: number, account, repeatedId }: ChargeResult): ChannelChargeOutcome {
  const state = defined(nameIn(CHANNEL_STATES, number));
  const read = readAccount(account);
  if (state !== 'repeated') return { state, account: read };
  return { state, account: read, reservationId: defined(repeatedId) };
}

export function readHold({ state: number, account, amountMicroUsd }: HoldRefundResponse): RefundHoldOutcome {
  const state = defined(nameIn(CHANNEL_STATES, number));
  const read = readAccount(account);
  if (state === 'repeated' || isIdentifierDenial(state)) throw new TypeError('a refund was answered as a call');
  if (state !== 'reserved') return { state, account: read };
  return { state, account: read, amountMicroUsd: defined(amountMicroUsd) };
}

export const readPost = ({ state, balanceMicroUsd }: PostResult): Posting => ({
  state: defined(nameIn(POST_STATES, state)),
  balanceMicroUsd,
});

export const readKeep = ({ state }: KeepResult): Keeping => defined(nameIn(KEEP_STATES, state));

export function readVoid({ state: number, balanceMicroUsd }: VoidResult): Voiding | 'busy' {
  const state = defined(nameIn(VOID_STATES, number));
  return state === 'busy' ? state : { state, balanceMicroUsd };
}

export function readAccount(message: AccountMessage | undefined): ChannelAccount {
  const { voucher, ...amounts } = defined(message);
  return {
    ...amounts,
    voucher: voucher && {
      cumulativeMicroUsd: voucher.cumulativeMicroUsd,
      signature: `0x${voucher.signature.toString('hex')}`,
    },
  };
}
