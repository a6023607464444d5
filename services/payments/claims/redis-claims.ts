import { randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { Hex } from 'viem';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { LaterFormatError } from '../../platform/redis/later-format.ts';
import { answerWithin, type RedisClient } from '../../platform/redis/redis-client.ts';
import { callFunction } from '../../platform/redis/redis-functions.ts';
import type { RedisGuard, StorePosition } from '../../platform/redis/redis-guard.ts';
import { watchChannel } from './channel-watch.ts';
import type { ClaimRecord, RecordedResult } from './claim-records.ts';
import {
  readBegunEpoch,
  readEntered,
  readFinished,
  readFound,
  readNonces,
  readNoted,
  readOpened,
  readPointer,
  readReleased,
  readRestored,
  readStarted,
  readStorePosition,
  readThrottled,
} from './claim-replies.ts';
import type { Claim, ClaimRef, Claims, OpenOptions, PaymentKey, Result } from './claims.ts';
import { CLAIMS_LIBRARY, claimsStoreKey } from './claims-library.ts';
import { toFields } from './redis-claim.ts';

const MAX_FAILURES_AN_HOUR = 5;
const MAX_WAITING = 8;
/** With a known balance, the sum of the amounts is the limit and this bounds the list. */
const MAX_OPEN = 256;
/** Without a known balance, this is the only limit. */
const MAX_OPEN_UNSEEN = 16;

export interface RedisClaimsOptions {
  readonly client: RedisClient;
  /** A second connection: a connection that listens takes no other commands. */
  readonly subscriber: RedisClient;
  /** Decides whether claims may be opened. */
  readonly guard: Pick<RedisGuard, 'admit' | 'position' | 'saw' | 'suspect'>;
  /** Longest wait for a reply of Redis. */
  readonly timeoutMs: number;
  /** CAIP-2. Each network has its own claims. */
  readonly network: string;
  readonly asset: Hex;
  /** Clock for tests. Absent: the clock of Redis, the same for all copies. */
  readonly now?: () => number;
}

/** Claims in Redis. Those whose result is retained can be rebuilt. */
export interface RedisClaims extends Omit<Claims, 'finish' | 'recordOutcome'> {
  /** `gone`: the claim does not exist. `kept`: it has another result, or another attempt. */
  finish(...args: Parameters<Claims['finish']>): Promise<'gone' | 'kept' | 'finished'>;
  /** Stores a claim again whose result is retained. */
  restore(record: ClaimRecord): Promise<void>;
}

/**
 * Reads the position of the store, and creates the store if it does not exist. Reading needs no memory of Redis: a
 * process that starts while Redis is full must still settle what was executed.
 */
export async function readClaimsPosition(client: RedisClient, network: string): Promise<StorePosition> {
  const keys = [claimsStoreKey(network)];
  const read = { name: 'position', keys, args: [], isRead: true };
  const found = readStorePosition(await callFunction(client, CLAIMS_LIBRARY, read));
  if (found !== undefined) return found;
  const make = { name: 'make_store', keys, args: [randomUUID()] };
  const made = readStorePosition(await callFunction(client, CLAIMS_LIBRARY, make));
  if (made === undefined) throw new Error('Redis did not create the store of claims');
  return made;
}

/** Ends an epoch of the store. @returns false when it has ended already */
export async function beginEpoch(
  client: RedisClient,
  network: string,
  { from, to, timeoutMs }: { readonly from: string; readonly to: string; readonly timeoutMs: number },
): Promise<boolean> {
  const call = { name: 'begin_epoch', keys: [claimsStoreKey(network)], args: [from, to] };
  return readBegunEpoch(await answerWithin(callFunction(client, CLAIMS_LIBRARY, call), timeoutMs));
}

/** Keys of one network and asset. */
function createKeys(network: string, asset: Hex) {
  const prefix = `tollhouse:{${network}}:`;
  const claim = ({ payer, nonce }: PaymentKey) => `${prefix}payment:${asset}:${payer}:${nonce}`.toLowerCase();
  const ofPayer = (payer: Hex, what: string) => `${prefix}payer:${asset}:${payer}:${what}`.toLowerCase();
  const pointer = (claimId: string) => `${prefix}payment-id:${claimId}`;
  const failures = (payer: Hex) => ofPayer(payer, 'failures');
  const inFlight = (payer: Hex) => ofPayer(payer, 'in-flight');
  /** Keys of every function that changes a claim, in the order that claims.lua expects. */
  const ofClaim = (ref: ClaimRef) => [
    claim(ref),
    pointer(ref.claimId),
    inFlight(ref.payer),
    failures(ref.payer),
    claimsStoreKey(network),
  ];
  return { claim, pointer, failures, inFlight, ofClaim };
}

export function createRedisClaims(options: RedisClaimsOptions): RedisClaims {
  const { client, subscriber, guard, network, timeoutMs } = options;
  const keys = createKeys(network, options.asset);
  const time = () => (options.now === undefined ? '' : String(options.now()));
  const ask = <T>(command: () => Promise<T>) => askWithin(timeoutMs, command);
  const store = claimsStoreKey(network);
  const call: Call = (name, callKeys, args) =>
    ask(() => callFunction(client, CLAIMS_LIBRARY, { name, keys: callKeys, args: [time(), ...args] }));

  async function find(key: PaymentKey): Promise<Claim | undefined> {
    const read = { name: 'find', keys: [keys.claim(key), store], args: [time()], isRead: true };
    return readFound(await ask(() => callFunction(client, CLAIMS_LIBRARY, read)));
  }

  return {
    find,
    async findById(claimId) {
      const pointer = await ask(() => client.get(keys.pointer(claimId)));
      if (pointer === null) return undefined;
      const claim = await find(readPointer(pointer));
      return claim?.claimId === claimId ? claim : undefined;
    },
    admit: guard.admit,
    isThrottled: async (payer) =>
      readThrottled(await call('is_throttled', [keys.failures(payer), store], [`${MAX_FAILURES_AN_HOUR}`])),
    inFlight: async (payer) => readNonces(await ask(() => client.hKeys(keys.inFlight(payer)))),
    async open(details, openOptions) {
      guard.admit();
      const { epoch, sequence } = guard.position();
      const args = [epoch, `${sequence}`, ...limitsOf(openOptions), ...toFields(details)];
      const opened = readOpened(await call('open', keys.ofClaim(details), args));
      if (opened.outcome === 'rolled_back') {
        guard.suspect(`the claims are at ${opened.sequence}, they were at ${sequence}`);
        throw new ServiceError('PAYMENT_UNAVAILABLE', 'claims were lost and are being rebuilt');
      }
      guard.saw(opened.sequence);
      return opened.outcome;
    },
    ...createTransitions(call, keys.ofClaim),
    async enterQueue(key, waitMs) {
      const queue = `${keys.claim(key)}:queue`;
      const id = uuidv7();
      const args = [id, `${Math.ceil(waitMs)}`, `${MAX_WAITING}`];
      if (!readEntered(await call('enter_queue', [queue, store], args))) return undefined;
      return async () => {
        // A failure is harmless: a place that is not given back ends with its time.
        await answerWithin(client.zRem(queue, id), timeoutMs).catch(() => {});
      };
    },
    watch: (key) => watchChannel(subscriber, keys.claim(key)),
  };
}

type Call = (name: string, keys: readonly string[], args: readonly string[]) => Promise<unknown>;
type Transitions = Pick<RedisClaims, 'restore' | 'release' | 'startSettling' | 'noteTransaction' | 'finish'>;

/** Transitions of a claim that exists. None of them needs free memory in Redis. */
function createTransitions(call: Call, keysOf: (ref: ClaimRef) => readonly string[]): Transitions {
  return {
    async restore(record) {
      const { outcome, transaction } = record;
      const extra = [
        ...(transaction === undefined ? [] : ['transaction', transaction]),
        ...(outcome === undefined
          ? []
          : ['final', isProven(outcome) ? '1' : '0', 'response', outcome.paymentResponseJson]),
      ];
      const state = outcome === undefined ? 'settling' : outcome.state;
      readRestored(await call('restore', keysOf(record), [state, ...toFields(record), ...extra]));
    },
    async release(ref, isCausedByCaller) {
      readReleased(await call('release', keysOf(ref), [ref.claimId, isCausedByCaller ? '1' : '0']));
    },
    async startSettling(ref, { attemptId, leaseMs }) {
      return readStarted(await call('start_settling', keysOf(ref), [ref.claimId, attemptId, `${leaseMs}`]));
    },
    async noteTransaction(ref, attemptId, transaction) {
      const args = [ref.claimId, attemptOf(attemptId), transaction];
      return readNoted(await call('note_transaction', keysOf(ref), args));
    },
    async finish(ref, attemptId, result) {
      const proven = isProven(result) ? '1' : '0';
      const response = 'paymentResponseJson' in result ? result.paymentResponseJson : '';
      const counts = result.state === 'failed' && result.isPayersFault ? '1' : '0';
      const args = [ref.claimId, attemptOf(attemptId), result.state, proven, response, counts];
      return readFinished(await call('finish', keysOf(ref), args));
    },
  };
}

/** claims.lua takes an empty text for a caller that makes no attempt. */
const attemptOf = (attemptId: string | undefined): string => (attemptId === undefined ? '' : attemptId);

/** Repeats a command once if its reply is lost or late: every function gives the same reply to the same arguments. */
async function askWithin<T>(timeoutMs: number, command: () => Promise<T>): Promise<T> {
  try {
    return await answerWithin(command(), timeoutMs);
  } catch (first) {
    try {
      if (first instanceof LaterFormatError) throw first;
      return await answerWithin(command(), timeoutMs);
    } catch (error) {
      const reason = error instanceof LaterFormatError ? error.message : 'the claim store does not answer';
      throw new ServiceError('PAYMENT_UNAVAILABLE', reason, { cause: error });
    }
  }
}

const MAX_EXACT = BigInt(Number.MAX_SAFE_INTEGER);

function limitsOf({ replaces = '', leaseMs, balance, used = [] }: OpenOptions): string[] {
  // Lua counts in doubles. A larger balance makes no difference to a limit.
  const exact = balance !== undefined && balance > MAX_EXACT ? MAX_EXACT : balance;
  const maxOpen = balance === undefined ? MAX_OPEN_UNSEEN : MAX_OPEN;
  const limits = [exact === undefined ? '' : `${exact}`, `${MAX_FAILURES_AN_HOUR}`, `${maxOpen}`, used.join(',')];
  return [replaces, `${leaseMs}`, ...limits];
}

const isProven = (result: Result | RecordedResult) =>
  result.state === 'settled' || (result.state === 'failed' && result.final);
