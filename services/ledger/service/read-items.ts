import type {
  Answer,
  ChannelCharge as ChannelChargeMessage,
  ClaimedAnswer,
  HoldRefundRequest,
  TrialReservation,
  Void,
} from '../../../proto/gen/tollhouse/ledger/v1/ledger.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { isUuidV7 } from '../../platform/patterns.ts';
import { type ChannelCharge, MAX_MICRO_USD, type RefundHold } from '../contract/channels.ts';
import type { Reservation, VoidReason } from '../contract/ledger.ts';
import { nameIn, VOID_REASONS } from '../contract/states.ts';
import type { LockedReservation } from '../store/reserve.ts';

/* Reads requests. Every function throws INVALID_ARGUMENT for a field of another form. */

const ADDRESS = /^0x[0-9a-f]{40}$/i;
const CHANNEL = /^0x[0-9a-f]{64}$/;
const NONCE = /^[0-9a-f]{32}$/;
const OPERATION = /^[a-z][a-z0-9_-]{0,63}$/;
/** A prefix of IPv4 or IPv6. */
const SCOPE = /^[0-9a-f:.]{2,45}\/\d{1,3}$/;
const SIGNATURE_BYTES = 65;
const HASH_BYTES = 32;
/** The end of the year 9999: later times have no form that every reader knows. */
const MAX_TIME_MS = 253_402_300_799_999n;

export function readReservation(item: TrialReservation): Reservation & LockedReservation {
  const { reservationId, wallet, nonce, operation, amountMicroUsd, grantScope, lockLeftMs } = item;
  require(isUuidV7(reservationId), 'reservation_id');
  require(ADDRESS.test(wallet), 'wallet');
  require(NONCE.test(nonce), 'nonce');
  require(OPERATION.test(operation), 'operation');
  require(isAmount(amountMicroUsd), 'amount_micro_usd');
  require(grantScope === undefined || SCOPE.test(grantScope), 'grant_scope');
  return {
    reservationId,
    wallet,
    nonce,
    operation,
    amountMicroUsd,
    lockLeftMs,
    expirationTimeMs: readTime(item.expirationTimeMs, 'expiration_time_ms'),
    deadlineMs: readTime(item.deadlineMs, 'deadline_ms'),
    ...(grantScope === undefined ? {} : { grantScope }),
  };
}

export function readCharge(item: ChannelChargeMessage): ChannelCharge {
  const { amountMicroUsd, operation, fingerprint, holder, identifier, isNew } = item;
  require(isAmount(amountMicroUsd), 'amount_micro_usd');
  require(OPERATION.test(operation), 'operation');
  require(fingerprint.length === HASH_BYTES, 'fingerprint');
  require(holder.length === 0 || holder.length === HASH_BYTES, 'holder');
  require(identifier === undefined || identifier.hash.length === HASH_BYTES, 'identifier.hash');
  require(identifier === undefined || ADDRESS.test(identifier.signer), 'identifier.signer');
  return {
    ...readVoucher(item),
    amountMicroUsd,
    operation,
    fingerprint: fingerprint.toString('hex'),
    ...(holder.length === 0 ? {} : { holder: holder.toString('hex') }),
    ...(identifier && {
      identifier: { signer: identifier.signer.toLowerCase(), hash: identifier.hash.toString('hex') },
    }),
    ...(isNew && { isNew }),
  };
}

export function readHold(request: HoldRefundRequest): RefundHold {
  const { amountMicroUsd } = request;
  require(amountMicroUsd === undefined || isAmount(amountMicroUsd), 'amount_micro_usd');
  return { ...readVoucher(request), ...(amountMicroUsd === undefined ? {} : { amountMicroUsd }) };
}

/** What a charge and the hold of a refund have in common. */
function readVoucher(item: ChannelChargeMessage | HoldRefundRequest): Omit<RefundHold, 'amountMicroUsd'> {
  const { reservationId, channelId, cumulativeMicroUsd, signature, deadlineMs } = item;
  require(isUuidV7(reservationId), 'reservation_id');
  require(cumulativeMicroUsd <= MAX_MICRO_USD, 'cumulative_micro_usd');
  require(signature.length === SIGNATURE_BYTES, 'signature');
  return {
    reservationId,
    channelId: readChannelId(channelId),
    cumulativeMicroUsd,
    signature: `0x${signature.toString('hex')}`,
    deadlineMs: readTime(deadlineMs, 'deadline_ms'),
  };
}

export function readAnswer(item: Answer): Answer {
  require(isUuidV7(item.reservationId), 'reservation_id');
  require(item.requestId === undefined || isUuidV7(item.requestId), 'request_id');
  return item;
}

export function readClaimedAnswer(item: ClaimedAnswer): ClaimedAnswer {
  require(isUuidV7(item.claimId), 'claim_id');
  require(item.requestId === undefined || isUuidV7(item.requestId), 'request_id');
  require(OPERATION.test(item.operation), 'operation');
  return item;
}

export function readVoid({ reservationId, reason: number }: Void): {
  readonly reservationId: string;
  readonly reason: VoidReason;
} {
  require(isUuidV7(reservationId), 'reservation_id');
  const reason = nameIn(VOID_REASONS, number);
  if (reason === undefined) throw invalid('reason');
  return { reservationId, reason };
}

export function readChannelId(text: string): string {
  require(CHANNEL.test(text), 'channel_id');
  return text;
}

function readTime(ms: bigint, field: string): number {
  require(ms > 0n && ms <= MAX_TIME_MS, field);
  return Number(ms);
}

const isAmount = (microUsd: bigint): boolean => microUsd > 0n && microUsd <= MAX_MICRO_USD;

function require(isRight: boolean, field: string): void {
  if (!isRight) throw invalid(field);
}

const invalid = (field: string) => new ServiceError('INVALID_ARGUMENT', `${field} is missing or of another form`);
