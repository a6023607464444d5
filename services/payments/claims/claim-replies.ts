import { Type } from 'typebox';
import type { Hex } from 'viem';
import type { StorePosition } from '../../platform/redis/redis-guard.ts';
import { createReplyReader, RedisReplyError } from '../../platform/redis/redis-replies.ts';
import { Bytes32, isBytes32, isHexAddress } from '../payment/hex.ts';
import type { Claim, PaymentKey, StartOutcome } from './claims.ts';
import { readClaim } from './redis-claim.ts';

/* Every reader throws RedisReplyError for a short, long or malformed reply. */

const Whole = Type.String({ pattern: '^[0-9]+$' });
const Fields = Type.Array(Type.String());

/** 1 or 0. */
const createFlagReader = (name: string) => {
  const read = createReplyReader(name, Type.Integer({ minimum: 0, maximum: 1 }));
  return (reply: unknown): boolean => read(reply) === 1;
};

export const readBegunEpoch = createFlagReader('claims_begin_epoch');
export const readThrottled = createFlagReader('claims_is_throttled');
export const readNoted = createFlagReader('claims_note_transaction');
export const readEntered = createFlagReader('claims_enter_queue');
export const readRestored = createReplyReader('claims_restore', Type.Enum(['kept', 'restored']));
export const readReleased = createReplyReader('claims_release', Type.Enum(['kept', 'released']));
export const readFinished = createReplyReader('claims_finish', Type.Enum(['gone', 'kept', 'finished']));

const readPosition = createReplyReader(
  'claims_position',
  Type.Union([Type.Tuple([Type.String({ minLength: 1 }), Whole]), Type.Tuple([])]),
);

/** @returns undefined where the store does not exist */
export function readStorePosition(reply: unknown): StorePosition | undefined {
  const found = readPosition(reply);
  return found.length === 0 ? undefined : { epoch: found[0], sequence: BigInt(found[1]) };
}

const readFoundParts = createReplyReader('claims_find', Type.Tuple([Whole, Fields]));

export function readFound(reply: unknown): Claim | undefined {
  return readClaim(...readFoundParts(reply));
}

/** `sequence`: of the store, as text; a store that was emptied answers -1. */
export interface OpenReply {
  readonly outcome: 'opened' | 'changed' | 'throttled' | 'rolled_back';
  readonly sequence: bigint;
}

const readOpenParts = createReplyReader(
  'claims_open',
  Type.Union([
    Type.Tuple([Type.Enum(['opened', 'changed', 'throttled']), Whole]),
    Type.Tuple([Type.Literal('rolled_back'), Type.String({ pattern: '^(-1|[0-9]+)$' })]),
  ]),
);

export function readOpened(reply: unknown): OpenReply {
  const [outcome, sequence] = readOpenParts(reply);
  return { outcome, sequence: BigInt(sequence) };
}

const readStartParts = createReplyReader(
  'claims_start_settling',
  Type.Union([
    Type.Tuple([Type.Enum(['busy', 'gone'])]),
    Type.Tuple([Type.Enum(['started', 'resolved']), Whole, Fields]),
  ]),
);

export function readStarted(reply: unknown): StartOutcome {
  const parts = readStartParts(reply);
  if (parts.length === 1) return { kind: parts[0] };
  const [kind, now, fields] = parts;
  const claim = readClaim(now, fields);
  if (claim === undefined) throw new RedisReplyError('claims_start_settling: a claim without fields', reply);
  return kind === 'started' ? { kind, before: claim } : { kind, claim };
}

export const readNonces: (reply: unknown) => readonly Hex[] = createReplyReader('HKEYS', Type.Array(Bytes32));

/** Reads where the claim with an id is: `payer:nonce`. */
export function readPointer(pointer: string): PaymentKey {
  const [payer, nonce, ...rest] = pointer.split(':');
  const isWhole = payer !== undefined && nonce !== undefined && rest.length === 0;
  if (!isWhole || !isHexAddress(payer) || !isBytes32(nonce)) {
    throw new RedisReplyError('GET: the pointer of a claim', pointer);
  }
  return { payer, nonce };
}
