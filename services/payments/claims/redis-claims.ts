import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { v7 as uuidv7 } from 'uuid';
import type { Hex } from 'viem';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { answerWithin, type RedisClient } from '../../platform/redis/redis-client.ts';
import { ensureFunctions } from '../../platform/redis/redis-functions.ts';
import type { RedisGuard, StorePosition } from '../../platform/redis/redis-guard.ts';
import { watchChannel } from './channel-watch.ts';
import type { ClaimRecord, Outcome } from './claim-records.ts';
import type { Claim, ClaimDetails, ClaimRef, Claims, OpenOptions, PaymentKey, Result, StartOutcome } from './claims.ts';
import { readClaim, toFields } from './redis-claim.ts';

const LIBRARY = readFileSync(new URL('claims.lua', import.meta.url), 'utf8');
const ANSWER_MS = 1000;
const MAX_FAILURES_AN_HOUR = 5;
const MAX_WAITING = 8;
/** With a balance that is known the sum decides; this bounds the list. Without one it is all there is. */
const MAX_OPEN = 256;
const MAX_OPEN_UNSEEN = 16;

export interface RedisClaimsOptions {
  readonly client: RedisClient;
  /** A second connection: one that listens can do nothing else. */
  readonly subscriber: RedisClient;
  /** Decides whether claims may be opened. */
  readonly guard: Pick<RedisGuard, 'admit' | 'position' | 'saw' | 'suspect'>;
  /** CAIP-2. Claims of different networks never meet. */
  readonly network: string;
  readonly asset: Hex;
  /** For tests. Without it the clock of Redis decides, for all copies alike. */
  readonly now?: () => number;
}

/** Claims in Redis, some of which can be rebuilt. */
export interface RedisClaims extends Omit<Claims, 'finish' | 'recordOutcome'> {
  /** @returns false when the claim is not there */
  finish(...args: Parameters<Claims['finish']>): Promise<boolean>;
  /** Puts a claim whose result is retained back in place. */
  restore(record: ClaimRecord): Promise<void>;
}

const storeKey = (network: string) => `tollhouse:{${network}}:claims`;

export const loadClaimFunctions = (client: RedisClient): Promise<void> =>
  ensureFunctions(client, 'tollhouse_claims', LIBRARY);

/**
 * Where the store of claims is. Makes it where there is none. Reading needs no memory of Redis: a process that starts
 * without any must be able to settle what was executed.
 */
export async function readClaimsPosition(client: RedisClient, network: string): Promise<StorePosition> {
  const keys = [storeKey(network)];
  const found = await client.fCallRo('claims_position', { keys, arguments: [] });
  const isThere = !Array.isArray(found) || found.length > 0;
  const answer = isThere ? found : await client.fCall('claims_make_store', { keys, arguments: [randomUUID()] });
  const [epoch, sequence] = textsOf(answer, 2);
  return { epoch, sequence: BigInt(sequence) };
}

/** Ends an epoch of the store. @returns false when it has ended already */
export async function beginEpoch(
  client: RedisClient,
  network: string,
  epochs: { readonly from: string; readonly to: string },
): Promise<boolean> {
  const call = { keys: [storeKey(network)], arguments: [epochs.from, epochs.to] };
  return (await answerWithin(client.fCall('claims_begin_epoch', call), ANSWER_MS)) === 1;
}

export function createRedisClaims(options: RedisClaimsOptions): RedisClaims {
  const { client, subscriber, guard, network, asset } = options;
  const store = storeKey(network);
  const prefix = `tollhouse:{${network}}:`;
  const claimKey = ({ payer, nonce }: PaymentKey) => `${prefix}payment:${asset}:${payer}:${nonce}`.toLowerCase();
  const payerKey = (payer: Hex, what: string) => `${prefix}payer:${asset}:${payer}:${what}`.toLowerCase();
  const keysOf = (ref: ClaimRef) => [
    claimKey(ref),
    `${prefix}payment-id:${ref.claimId}`,
    payerKey(ref.payer, 'in-flight'),
    payerKey(ref.payer, 'failures'),
    store,
  ];
  const time = () => (options.now === undefined ? '' : String(options.now()));
  const call = (name: string, keys: string[], args: readonly string[]) =>
    ask(() => client.fCall(name, { keys, arguments: [time(), ...args] }));
  const read = (name: string, keys: string[], args: readonly string[] = []) =>
    ask(() => client.fCallRo(name, { keys, arguments: [time(), ...args] }));

  async function find(key: PaymentKey): Promise<Claim | undefined> {
    const [now, fields] = partsOf(await read('claims_find', [claimKey(key), store]), 2);
    return readClaim(now, fields);
  }

  async function open(details: ClaimDetails, openOptions: OpenOptions) {
    guard.admit();
    const { epoch, sequence } = guard.position();
    const args = [epoch, `${sequence}`, ...limitsOf(openOptions), ...toFields(details)];
    const [word, found] = textsOf(await call('claims_open', keysOf(details), args), 2);
    const outcome = oneOf(word, ['opened', 'changed', 'throttled', 'rolled_back'] as const);
    if (outcome === 'rolled_back') {
      guard.suspect(`the claims are at ${found}, they were at ${sequence}`);
      throw new ServiceError('PAYMENT_UNAVAILABLE', 'claims were lost and are being rebuilt');
    }
    guard.saw(BigInt(found));
    return outcome;
  }

  return {
    find,
    open,
    admit: guard.admit,
    async findById(claimId) {
      const pointer = await ask(() => client.get(`${prefix}payment-id:${claimId}`));
      if (pointer === null) return undefined;
      const [payer, nonce] = pointer.split(':');
      if (payer === undefined || nonce === undefined)
        throw new Error(`the pointer of claim ${claimId} is not readable`);
      const claim = await find({ payer: payer as Hex, nonce: nonce as Hex });
      return claim?.claimId === claimId ? claim : undefined;
    },
    async isThrottled(payer) {
      const key = payerKey(payer, 'failures');
      return (await call('claims_is_throttled', [key], [`${MAX_FAILURES_AN_HOUR}`])) === 1;
    },
    async inFlight(payer) {
      return (await ask(() => client.hKeys(payerKey(payer, 'in-flight')))) as Hex[];
    },
    async restore(record) {
      const { outcome, transaction } = record;
      const extra = [
        ...(transaction === undefined ? [] : ['transaction', transaction]),
        ...(outcome === undefined
          ? []
          : ['final', isProven(outcome) ? '1' : '0', 'response', outcome.paymentResponseJson]),
      ];
      await call('claims_restore', keysOf(record), [outcome?.state ?? 'settling', ...toFields(record), ...extra]);
    },
    async release(ref, isCausedByCaller) {
      await call('claims_release', keysOf(ref), [ref.claimId, isCausedByCaller ? '1' : '0']);
    },
    async startSettling(ref, { attemptId, leaseMs }) {
      return toStartOutcome(await call('claims_start_settling', keysOf(ref), [ref.claimId, attemptId, `${leaseMs}`]));
    },
    async noteTransaction(ref, attemptId, transaction) {
      return (await call('claims_note_transaction', keysOf(ref), [ref.claimId, attemptId ?? '', transaction])) === 1;
    },
    async finish(ref, attemptId, result) {
      const proven = isProven(result) ? '1' : '0';
      const response = 'paymentResponseJson' in result ? result.paymentResponseJson : '';
      const counts = result.state === 'failed' && result.isPayersFault ? '1' : '0';
      const args = [ref.claimId, attemptId ?? '', result.state, proven, response, counts];
      return (await call('claims_finish', keysOf(ref), args)) !== 'gone';
    },
    async enterQueue(key, waitMs) {
      const queue = `${claimKey(key)}:queue`;
      const id = uuidv7();
      const entered = await call('claims_enter_queue', [queue], [id, `${Math.ceil(waitMs)}`, `${MAX_WAITING}`]);
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

const MAX_EXACT = BigInt(Number.MAX_SAFE_INTEGER);

function limitsOf({ replaces = '', leaseMs, balance, used = [] }: OpenOptions): string[] {
  // Lua counts in doubles. What a payer holds beyond that is the same to a limit.
  const exact = balance !== undefined && balance > MAX_EXACT ? MAX_EXACT : balance;
  const maxOpen = balance === undefined ? MAX_OPEN_UNSEEN : MAX_OPEN;
  const limits = [exact === undefined ? '' : `${exact}`, `${MAX_FAILURES_AN_HOUR}`, `${maxOpen}`, used.join(',')];
  return [replaces, `${leaseMs}`, ...limits];
}

const isProven = (result: Result | Outcome) =>
  result.state === 'settled' || (result.state === 'failed' && result.final);

function oneOf<T extends string>(answer: unknown, words: readonly T[]): T {
  const word = words.find((candidate) => candidate === answer);
  if (word === undefined) throw new Error(`unexpected answer ${JSON.stringify(answer)}`);
  return word;
}

/** The parts of an answer, all of them there. */
function partsOf(answer: unknown, count: number): readonly [unknown, unknown, ...unknown[]] {
  if (!Array.isArray(answer) || answer.length < count) throw new Error(`unexpected answer ${JSON.stringify(answer)}`);
  return answer as [unknown, unknown, ...unknown[]];
}

function textsOf(answer: unknown, count: number): readonly [string, string] {
  const [first, second] = partsOf(answer, count);
  if (typeof first !== 'string' || typeof second !== 'string') {
    throw new Error(`unexpected answer ${JSON.stringify(answer)}`);
  }
  return [first, second];
}

function toStartOutcome(answer: unknown): StartOutcome {
  const [word, now, fields] = Array.isArray(answer) ? (answer as unknown[]) : [];
  const kind = oneOf(word, ['started', 'busy', 'resolved', 'gone'] as const);
  if (kind === 'busy' || kind === 'gone') return { kind };
  const claim = readClaim(now, fields);
  if (claim === undefined) throw new Error('a claim without fields');
  return kind === 'started' ? { kind, before: claim } : { kind, claim };
}
