import { readFileSync } from 'node:fs';
import { v7 as uuidv7 } from 'uuid';
import type { Hex } from 'viem';
import { answerWithin, type RedisClient } from '../shared/redis-client.ts';
import { ServiceError } from '../shared/service-error.ts';
import { watchChannel } from './channel-watch.ts';
import type { Claim, ClaimDetails, ClaimRef, Claims, OpenOptions, PaymentKey, Result, StartOutcome } from './claims.ts';

const LIBRARY = readFileSync(new URL('claims.lua', import.meta.url), 'utf8');
const ANSWER_MS = 1000;
const MAX_FAILURES_AN_HOUR = 5;
const MAX_WAITING = 8;
/** With a balance that is known the sum decides; this bounds the list. Without one it is all there is. */
const MAX_OPEN = 256;
const MAX_OPEN_UNSEEN = 16;
const HOUR_MS = 3_600_000;

export interface RedisClaimsOptions {
  readonly client: RedisClient;
  /** A second connection: one that listens can do nothing else. */
  readonly subscriber: RedisClient;
  /** CAIP-2. Claims of different networks never meet. */
  readonly network: string;
  readonly asset: Hex;
  readonly now: () => number;
}

/** Loads the functions. Needed at every connect: the server may be a new one. */
export async function loadClaimFunctions(client: RedisClient): Promise<void> {
  await answerWithin(client.functionLoad(LIBRARY, { REPLACE: true }), ANSWER_MS);
}

export function createRedisClaims({ client, subscriber, network, asset, now }: RedisClaimsOptions): Claims {
  const prefix = `tollhouse:{${network}}:`;
  const claimKey = ({ payer, nonce }: PaymentKey) => `${prefix}claim:${asset}:${payer}:${nonce}`.toLowerCase();
  const payerKey = (payer: Hex, what: string) => `${prefix}payer:${asset}:${payer}:${what}`.toLowerCase();
  const keysOf = (ref: ClaimRef) => [
    claimKey(ref),
    `${prefix}claim-id:${ref.claimId}`,
    payerKey(ref.payer, 'in-flight'),
    payerKey(ref.payer, 'failures'),
  ];
  const call = (name: string, keys: string[], args: readonly string[]) =>
    ask(() => client.fCall(name, { keys, arguments: [...args] }));

  const find = async (key: PaymentKey) => toClaim(await ask(() => client.hGetAll(claimKey(key))));

  return {
    find,
    async findById(claimId) {
      const pointer = await ask(() => client.get(`${prefix}claim-id:${claimId}`));
      const [payer, nonce] = pointer?.split(':') ?? [];
      if (payer === undefined || nonce === undefined) return undefined;
      const claim = await find({ payer: payer as Hex, nonce: nonce as Hex });
      return claim?.claimId === claimId ? claim : undefined;
    },
    async isThrottled(payer) {
      const failures = await ask(() => client.zCount(payerKey(payer, 'failures'), now() - HOUR_MS, '+inf'));
      return failures >= MAX_FAILURES_AN_HOUR;
    },
    async open(details, options) {
      const answer = await call('claims_open', keysOf(details), openArguments(details, options, now()));
      return oneOf(answer, ['opened', 'changed', 'throttled'] as const);
    },
    async release(ref) {
      await call('claims_release', keysOf(ref), [ref.claimId, `${now()}`]);
    },
    async startSettling(ref, { attemptId, leaseUntilMs }) {
      const answer = await call('claims_start_settling', keysOf(ref), [
        ref.claimId,
        `${now()}`,
        attemptId,
        `${leaseUntilMs}`,
      ]);
      return toStartOutcome(answer);
    },
    async noteTransaction(ref, attemptId, transaction) {
      return (await call('claims_note_transaction', keysOf(ref), [ref.claimId, attemptId, transaction])) === 1;
    },
    async finish(ref, attemptId, result) {
      const proven = isProven(result) ? '1' : '0';
      const response = 'paymentResponseJson' in result ? result.paymentResponseJson : '';
      await call('claims_finish', keysOf(ref), [
        ref.claimId,
        `${now()}`,
        attemptId ?? '',
        result.state,
        proven,
        response,
      ]);
    },
    async enterQueue(key, untilMs) {
      const queue = `${claimKey(key)}:queue`;
      const id = uuidv7();
      const entered = await call(
        'claims_enter_queue',
        [queue],
        [id, `${now()}`, `${Math.ceil(untilMs)}`, `${MAX_WAITING}`],
      );
      if (entered !== 1) return undefined;
      return async () => {
        // Not worth an error: a place that is not given back ends with its time.
        await answerWithin(client.zRem(queue, id), ANSWER_MS).catch(() => {});
      };
    },
    watch: (key) => watchChannel(subscriber, claimKey(key)),
  };
}

/** A lost or late answer is asked for once more: every function gives the same answer to the same arguments. */
async function ask<T>(command: () => Promise<T>): Promise<T> {
  try {
    return await answerWithin(command(), ANSWER_MS);
  } catch {
    try {
      return await answerWithin(command(), ANSWER_MS);
    } catch (error) {
      throw new ServiceError('PAYMENT_UNAVAILABLE', 'the claim store does not answer', { cause: error });
    }
  }
}

function openArguments(details: ClaimDetails, options: OpenOptions, nowMs: number): string[] {
  // Lua counts in doubles. What a payer holds beyond that is the same to a limit.
  const balance = options.balance === undefined ? '' : `${options.balance > MAX_EXACT ? MAX_EXACT : options.balance}`;
  if (details.amount > MAX_EXACT) throw new RangeError('amount is too large');
  const maxOpen = options.balance === undefined ? MAX_OPEN_UNSEEN : MAX_OPEN;
  const fields: readonly (readonly [string, string])[] = [
    ['claim_id', details.claimId],
    ['payer', details.payer],
    ['nonce', details.nonce],
    ['digest', details.digest],
    ['fingerprint', details.fingerprint],
    ['header_hash', details.headerHash],
    ['identifier', details.paymentIdentifier ?? ''],
    ['amount', `${details.amount}`],
    ['valid_before', `${details.validBeforeS}`],
    ['from_block', details.fromBlock === undefined ? '' : `${details.fromBlock}`],
    ['lease', `${options.leaseUntilMs}`],
  ];
  return [options.replaces ?? '', `${nowMs}`, balance, `${MAX_FAILURES_AN_HOUR}`, `${maxOpen}`, ...fields.flat()];
}

const MAX_EXACT = BigInt(Number.MAX_SAFE_INTEGER);

const isProven = (result: Result) => result.state === 'settled' || (result.state === 'failed' && result.final);

function oneOf<T extends string>(answer: unknown, words: readonly T[]): T {
  const word = words.find((candidate) => candidate === answer);
  if (word === undefined) throw new Error(`unexpected answer ${JSON.stringify(answer)}`);
  return word;
}

function toStartOutcome(answer: unknown): StartOutcome {
  const [word, flat] = Array.isArray(answer) ? (answer as [unknown, unknown]) : [answer, undefined];
  const kind = oneOf(word, ['started', 'busy', 'resolved', 'gone'] as const);
  if (kind === 'busy' || kind === 'gone') return { kind };
  const pairs = Array.isArray(flat) ? flat.map(String) : [];
  const claim = toClaim(
    Object.fromEntries(pairs.flatMap((name, i) => (i % 2 === 0 ? [[name, pairs[i + 1] ?? '']] : []))),
  );
  if (claim === undefined) throw new Error('a claim without fields');
  return kind === 'started' ? { kind, before: claim } : { kind, claim };
}

function toClaim(record: Readonly<Record<string, string>>): Claim | undefined {
  const text = (name: string) => record[name] ?? '';
  const optional = (name: string) => record[name] || undefined;
  if (text('claim_id') === '') return undefined;
  const fromBlock = optional('from_block');
  return {
    claimId: text('claim_id'),
    state: oneOf(text('state'), ['executing', 'settling', 'unsent', 'settled', 'failed'] as const),
    payer: text('payer') as Hex,
    nonce: text('nonce') as Hex,
    digest: text('digest'),
    fingerprint: text('fingerprint'),
    headerHash: text('header_hash'),
    paymentIdentifier: optional('identifier'),
    amount: BigInt(text('amount')),
    validBeforeS: Number(text('valid_before')),
    fromBlock: fromBlock === undefined ? undefined : BigInt(fromBlock),
    leaseUntilMs: Number(text('lease')),
    transaction: optional('transaction') as Hex | undefined,
    paymentResponseJson: optional('response'),
    final: text('final') === '1',
  };
}
