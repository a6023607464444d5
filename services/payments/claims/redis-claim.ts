import { Type } from 'typebox';
import { createReplyReader, RedisReplyError } from '../../platform/redis/redis-replies.ts';
import { Address, Bytes32 } from '../payment/hex.ts';
import { CLAIM_STATES, type Claim, type ClaimDetails } from './claims.ts';

/** Fields and values of a claim, as Redis stores them. */
export function toFields(details: ClaimDetails): string[] {
  // Lua counts in doubles.
  if (details.amount > BigInt(Number.MAX_SAFE_INTEGER)) throw new RangeError('amount is too large');
  const fields: readonly (readonly [string, string | undefined])[] = [
    ['claim_id', details.claimId],
    ['payer', details.payer],
    ['nonce', details.nonce],
    ['digest', details.digest],
    ['fingerprint', details.fingerprint],
    ['offer_secret_hash', details.offerSecretHash],
    ['identifier_hash', details.paymentIdentifierHash],
    ['amount', `${details.amount}`],
    ['valid_before', `${details.validBeforeS}`],
    ['from_block', details.fromBlock === undefined ? undefined : `${details.fromBlock}`],
  ];
  return fields.flatMap(([name, value]) => (value === undefined ? [] : [name, value]));
}

const Whole = Type.String({ pattern: '^[0-9]+$' });
const Text = Type.String({ minLength: 1 });

const readFields = createReplyReader(
  'a function of the claims: the fields of a claim',
  Type.Object({
    state: Type.Enum([...CLAIM_STATES]),
    claim_id: Text,
    payer: Address,
    nonce: Bytes32,
    digest: Text,
    fingerprint: Text,
    offer_secret_hash: Text,
    identifier_hash: Type.Optional(Text),
    amount: Whole,
    valid_before: Whole,
    from_block: Type.Optional(Whole),
    lease: Whole,
    transaction: Type.Optional(Bytes32),
    response: Type.Optional(Text),
    final: Type.Optional(Type.Enum(['0', '1'])),
  }),
);

/**
 * Reads a claim from its fields and values.
 * @param now the time of Redis, in milliseconds
 * @returns undefined when there are no fields
 * @throws {RedisReplyError} when a field is missing or malformed
 */
export function readClaim(now: string, flat: readonly string[]): Claim | undefined {
  if (flat.length === 0) return undefined;
  const fields = readFields(Object.fromEntries(pairsOf(flat)));
  const { state, response, from_block: fromBlock } = fields;
  if ((state === 'settled' || state === 'failed') && response === undefined) {
    throw new RedisReplyError('a function of the claims: a resolved claim without its response', flat);
  }
  return {
    claimId: fields.claim_id,
    state,
    payer: fields.payer,
    nonce: fields.nonce,
    digest: fields.digest,
    fingerprint: fields.fingerprint,
    offerSecretHash: fields.offer_secret_hash,
    paymentIdentifierHash: fields.identifier_hash,
    amount: BigInt(fields.amount),
    validBeforeS: Number(fields.valid_before),
    fromBlock: fromBlock === undefined ? undefined : BigInt(fromBlock),
    isLeased: Number(fields.lease) > Number(now),
    transaction: fields.transaction,
    paymentResponseJson: response,
    final: fields.final === '1',
  };
}

function pairsOf(flat: readonly string[]): readonly (readonly [string, string])[] {
  const pairs: (readonly [string, string])[] = [];
  for (let at = 0; at < flat.length; at += 2) {
    const [name, value] = [flat[at], flat[at + 1]];
    if (name === undefined || value === undefined) {
      throw new RedisReplyError('a function of the claims: a field without its value', flat);
    }
    pairs.push([name, value]);
  }
  return pairs;
}
