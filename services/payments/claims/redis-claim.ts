import type { Hex } from 'viem';
import type { Claim, ClaimDetails, ClaimState } from './claims.ts';

const STATES: readonly ClaimState[] = ['executing', 'retained', 'settling', 'unsent', 'settled', 'failed'];

/** Fields and values of a claim, as Redis keeps them. */
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

/**
 * Reads a claim from its fields and values.
 * @param now the time of Redis, in milliseconds
 * @returns undefined when there are no fields
 * @throws when a field is missing
 */
export function readClaim(now: unknown, flat: unknown): Claim | undefined {
  if (!Array.isArray(flat)) throw new Error(`unexpected claim ${JSON.stringify(flat)}`);
  if (flat.length === 0) return undefined;
  const record = new Map<string, string>();
  for (let i = 0; i + 1 < flat.length; i += 2) record.set(String(flat[i]), String(flat[i + 1]));
  const text = (name: string): string => {
    const value = record.get(name);
    if (value === undefined) throw new Error(`a claim without ${name}`);
    return value;
  };
  const state = STATES.find((one) => one === text('state'));
  if (state === undefined) throw new Error(`a claim in state ${text('state')}`);
  const fromBlock = record.get('from_block');
  return {
    claimId: text('claim_id'),
    state,
    payer: text('payer') as Hex,
    nonce: text('nonce') as Hex,
    digest: text('digest'),
    fingerprint: text('fingerprint'),
    offerSecretHash: text('offer_secret_hash'),
    paymentIdentifierHash: record.get('identifier_hash'),
    amount: BigInt(text('amount')),
    validBeforeS: Number(text('valid_before')),
    fromBlock: fromBlock === undefined ? undefined : BigInt(fromBlock),
    isLeased: Number(text('lease')) > Number(now),
    transaction: record.get('transaction') as Hex | undefined,
    paymentResponseJson: record.get('response'),
    final: record.get('final') === '1',
  };
}
