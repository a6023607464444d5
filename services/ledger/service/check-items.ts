import type {
  Answer,
  ChannelCharge,
  ClaimedAnswer,
  HoldRefundRequest,
  TrialReservation,
  Void,
} from '../../../proto/gen/tollhouse/ledger/v1/ledger.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { isUuidV7 } from '../../platform/patterns.ts';
import { MAX_MICRO_USD, REFUND_OPERATION } from '../contract/channels.ts';
import { VOID_REASONS, type VoidReason } from '../contract/outcomes.ts';

/* The only check of what callers send, besides the domains of the tables: an item that a table refuses costs its batch a repeat. */

type Check<Value> = (value: Value) => boolean;
type Checks<Item> = { readonly [Name in keyof Item]-?: Check<Exclude<Item[Name], undefined>> };

const matching =
  (pattern: RegExp): Check<string> =>
  (text) =>
    pattern.test(text);
const isAddress = matching(/^0x[0-9a-f]{40}$/i);
const isLowerAddress = matching(/^0x[0-9a-f]{40}$/);
const isChannel = matching(/^0x[0-9a-f]{64}$/);
const isSignature = matching(/^0x[0-9a-f]{130}$/);
const isHash = matching(/^[0-9a-f]{64}$/);
const isNonce = matching(/^[0-9a-f]{32}$/);
const isOperation = matching(/^[a-z][a-z0-9_-]{0,63}$/);
/** A prefix of IPv4 or IPv6. */
const isScope = matching(/^[0-9a-f:.]{2,45}\/\d{1,3}$/);
const HASH_BYTES = 32;
/** The end of the year 9999: later times have no form that every reader knows. */
const MAX_TIME_MS = 253_402_300_799_999;

const isTime = (ms: number): boolean => Number.isInteger(ms) && ms > 0 && ms <= MAX_TIME_MS;
const isAmount = (microUsd: bigint): boolean => microUsd > 0n && microUsd <= MAX_MICRO_USD;
const isAny = (): boolean => true;

const VOUCHER = {
  reservationId: isUuidV7,
  channelId: isChannel,
  cumulativeMicroUsd: (microUsd: bigint) => microUsd <= MAX_MICRO_USD,
  signature: isSignature,
  amountMicroUsd: isAmount,
  deadlineMs: isTime,
};
const BODIES = { requestId: isUuidV7, requestBody: isAny, responseBody: isAny };

/* Each throws INVALID_ARGUMENT for a field of another form. */

export const checkReservation = checking<TrialReservation>(
  {
    reservationId: isUuidV7,
    wallet: isAddress,
    nonce: isNonce,
    expirationTimeMs: isTime,
    deadlineMs: isTime,
    operation: isOperation,
    amountMicroUsd: isAmount,
    grantScope: isScope,
    lockLeftMs: isAny,
  },
  ['grantScope'],
);

export const checkCharge = checking<ChannelCharge>(
  {
    ...VOUCHER,
    operation: (name) => isOperation(name) && name !== REFUND_OPERATION,
    fingerprint: isHash,
    holder: ({ length }) => length === HASH_BYTES,
    identifier: ({ signer, hash }) => isLowerAddress(signer) && isHash(hash),
    isNew: isAny,
  },
  ['holder', 'identifier'],
);

export const checkHold = checking<HoldRefundRequest>(VOUCHER, ['amountMicroUsd']);
export const checkAnswer = checking<Answer>({ reservationId: isUuidV7, ...BODIES }, ['requestId']);
export const checkClaimedAnswer = checking<ClaimedAnswer>(
  { claimId: isUuidV7, ...BODIES, operation: isOperation, dueInMs: isAny },
  ['requestId'],
);
export const checkVoid: (item: Void) => asserts item is Void & { reason: VoidReason } = checking<Void>(
  { reservationId: isUuidV7, reason: (reason) => VOID_REASONS.some((known) => known === reason) },
  [],
);
export const checkChannelId = (channelId: string): void => checking({ channelId: isChannel }, [])({ channelId });

function checking<Item extends object>(checks: Checks<Item>, optional: readonly (keyof Item)[]): (item: Item) => void {
  const fields = Object.entries(checks) as [keyof Item & string, Check<unknown>][];
  return (item) => {
    for (const [name, isRight] of fields) {
      const value = item[name];
      if (value === undefined ? !optional.includes(name) : !isRight(value)) throw invalid(name);
    }
  };
}

/** @param name as in TypeScript; the message has that of the proto */
const invalid = (name: string) => {
  const field = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return new ServiceError('INVALID_ARGUMENT', `${field} is missing or of another form`);
};
