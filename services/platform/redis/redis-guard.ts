import { ErrorReply } from 'redis';
import { LaterFormatError } from './later-format.ts';
import { type RedisClient, RedisSlowError, RedisTimeoutError, replyWithin } from './redis-client.ts';
import { findUnsafe } from './redis-safety.ts';
import { StoreClosedError } from './store-closed-error.ts';

/** Position of a store: the random id that was created with it, and the number of its writes. */
export interface StorePosition {
  readonly epoch: string;
  readonly sequence: bigint;
}

/** `reason` may be published: it has no addresses and no messages of libraries. */
export type StoreReadiness =
  | { readonly ok: true; readonly position: StorePosition }
  | { readonly ok: false; readonly reason: string };

/** - `not_ready`: the store may not be used now. - `rolled_back`: it has lost writes that it had confirmed. */
export type StoreFault = 'not_ready' | 'rolled_back';

/** The position could not be recorded in time. The place where it is recorded may only be slow. */
export class SlowWitnessError extends Error {
  override readonly name = 'SlowWitnessError';
}

export interface RedisGuardOptions {
  readonly client: RedisClient;
  /** Whether the operator vouches for durability where Redis does not show its settings. */
  readonly isVouched: boolean;
  /** Loads the store's functions of this release if they are missing. */
  readonly loadFunctions: () => Promise<void>;
  /** Reads the position. Creates the store if it does not exist; otherwise needs no memory of Redis. */
  readonly readPosition: () => Promise<StorePosition>;
  /**
   * Records the position outside Redis. Returns the farthest recorded position of the valid epoch. Only a recovery or a
   * restore makes another epoch the valid one. Absent: only what this process has seen counts.
   * @throws {StoreClosedError} while an operator must decide first
   * @throws {SlowWitnessError} after its time limit
   */
  readonly attest?: (position: StorePosition) => Promise<StorePosition>;
  /**
   * Recovers a rolled-back store: begins a new epoch and records it as the valid one, unless another process has done so.
   * Without this option, a rolled-back store stays closed until an operator has restored it.
   */
  readonly recover?: (found: StorePosition, lost: StorePosition) => Promise<void>;
  /** Finds another reason not to use the store, such as a full Redis. Called last, when the position is known. */
  readonly findFault?: () => Promise<string | undefined>;
  readonly checkEveryMs: number;
  /** Longest wait for one reply of Redis. */
  readonly timeoutMs: number;
  /** The error that `admit` and `position` throw. */
  readonly toError: (fault: StoreFault, reason: string) => Error;
  /** Receives the error of a failed check, for the log. */
  readonly onError?: (error: Error) => void;
}

/** Knows whether a store in Redis may be written to, and how far this process has seen it. */
export interface RedisGuard {
  ready(): StoreReadiness;
  /** @throws `not_ready` unless `ready()` */
  admit(): void;
  /**
   * The position that a write must find at least. Also known while the store is closed for another reason than a
   * rollback: open reservations and claims must still be resolved.
   * @throws `not_ready`, `rolled_back`
   */
  position(): StorePosition;
  saw(sequence: bigint): void;
  /** Closes the store until the next check passes. That check starts at once. */
  suspect(reason: string): void;
  check(): Promise<StoreReadiness>;
  close(): void;
}

const NOT_CONNECTED = 'not connected yet';
const ROLLED_BACK = 'rolled_back';
/** Time until the check after a failed one. A restarted Redis refuses calls until it has loaded its file. */
const RECHECK_MS = 250;

/**
 * How long an open store stays open without a check that passes, while its connection lasts and answers are only slow. To
 * close it would turn a moment of overload into an outage. A Redis that loses writes also loses its connections.
 */
const SLOW_GRACE_MS = 15_000;

/** What a guard knows. */
interface GuardState {
  /** Why the store may not be used; undefined while it may. */
  shut: string | undefined;
  /** The farthest position that this process has seen. */
  known: StorePosition | undefined;
  /** Counts faults, so that a check that began before a fault cannot open the store after it. */
  faults: number;
  isClosed: boolean;
}

export function createRedisGuard(options: RedisGuardOptions): RedisGuard {
  const { client, toError } = options;
  const state: GuardState = { shut: NOT_CONNECTED, known: undefined, faults: 0, isClosed: false };
  const checks = createChecks(options, state);
  const fail = (reason: string) => {
    state.faults += 1;
    state.shut = reason;
  };

  client.on('error', () => fail('disconnected'));
  client.on('reconnecting', () => fail('disconnected'));
  client.on('ready', () => {
    fail('checking');
    checks.restart();
  });

  return {
    ready: () => readinessOf(state),
    admit() {
      if (state.shut !== undefined) throw toError('not_ready', state.shut);
    },
    position() {
      const { shut, known } = state;
      if (shut?.startsWith(ROLLED_BACK)) throw toError('rolled_back', shut);
      if (!known) throw toError('not_ready', shut ?? NOT_CONNECTED);
      return known;
    },
    saw: (sequence) => advance(state, sequence),
    suspect(reason) {
      fail(reason);
      void checks.check();
    },
    check: checks.check,
    close() {
      state.isClosed = true;
      fail('closed');
      checks.stop();
    },
  };
}

function readinessOf({ shut, known }: GuardState): StoreReadiness {
  if (shut === undefined && known) return { ok: true, position: known };
  return { ok: false, reason: shut ?? NOT_CONNECTED };
}

function advance(state: GuardState, sequence: bigint): void {
  const { known } = state;
  if (known && sequence > known.sequence) state.known = { epoch: known.epoch, sequence };
}

interface Checks {
  /** Starts a check, or joins the running one. */
  check(): Promise<StoreReadiness>;
  /** Starts a check after the running one, which applies to the connection before. */
  restart(): void;
  stop(): void;
}

/** Checks the store at intervals, one check at a time. */
function createChecks(options: RedisGuardOptions, state: GuardState): Checks {
  let running: Promise<StoreReadiness> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let passedMs = Number.NEGATIVE_INFINITY;

  async function runCheck(): Promise<StoreReadiness> {
    if (state.isClosed) return readinessOf(state);
    clearTimeout(timer);
    const before = state.faults;
    let nextMs = options.checkEveryMs;
    try {
      const fault = await findFault(options, state);
      passedMs = performance.now();
      if (fault !== undefined || before === state.faults) state.shut = fault;
      else nextMs = Math.min(RECHECK_MS, nextMs);
    } catch (error) {
      const isOpen = state.shut === undefined && before === state.faults;
      if (!isOpen || !isSlow(error) || performance.now() - passedMs > SLOW_GRACE_MS) state.shut = reasonOf(error);
      options.onError?.(error instanceof Error ? error : new Error(String(error)));
      nextMs = Math.min(RECHECK_MS, nextMs);
    }
    if (!state.isClosed) timer = setTimeout(() => void check(), nextMs).unref();
    return readinessOf(state);
  }

  const check = () => {
    running ??= runCheck().finally(() => {
      running = undefined;
    });
    return running;
  };
  const restart = () => {
    if (running === undefined) void check();
    else void running.then(check);
  };
  return { check, restart, stop: () => clearTimeout(timer) };
}

/** Why the store may not be used, or undefined. */
async function findFault(options: RedisGuardOptions, state: GuardState): Promise<string | undefined> {
  const { client, timeoutMs } = options;
  const unsafe = await replyWithin(client, findUnsafe(client, options.isVouched), timeoutMs);
  if (unsafe !== undefined) return `this Redis is not safe for money: ${unsafe}`;
  await options.loadFunctions();
  let { latest, lost } = await findLost(options, state);
  if (lost !== undefined && options.recover !== undefined) {
    state.shut = `${ROLLED_BACK}: recovering`;
    await options.recover(latest, lost);
    ({ latest, lost } = await findLost(options, state));
  }
  if (lost !== undefined) return `${ROLLED_BACK}: it is ${describe(latest)}, it was ${describe(lost)}`;
  if (state.known?.epoch !== latest.epoch) state.known = latest;
  advance(state, latest.sequence);
  return options.findFault?.();
}

interface Positions {
  readonly latest: StorePosition;
  /** A known position that the store is behind, if any. */
  readonly lost: StorePosition | undefined;
}

async function findLost(options: RedisGuardOptions, { known: seen }: GuardState): Promise<Positions> {
  const readPosition = () => replyWithin(options.client, options.readPosition(), options.timeoutMs);
  const found = await readPosition();
  const recorded = await options.attest?.(found).catch((cause: unknown) => {
    if (cause instanceof StoreClosedError) throw cause;
    throw new WitnessError('the position of the store cannot be recorded outside Redis', { cause });
  });
  // Read again: other processes may have written in the meantime, and recorded that.
  const latest = await readPosition();
  // The store may have been recovered or restored since, in an epoch that was recorded as the valid one. Then the epoch
  // that this process has seen has ended.
  const isSuperseded = recorded !== undefined && seen?.epoch !== recorded.epoch;
  const lost = [recorded, found, isSuperseded ? undefined : seen].find(
    (before) => before && (latest.epoch !== before.epoch || latest.sequence < before.sequence),
  );
  return { latest, lost };
}

class WitnessError extends Error {
  override readonly name = 'WitnessError';
}

const isSlow = (error: unknown): boolean =>
  error instanceof RedisSlowError || (error instanceof WitnessError && error.cause instanceof SlowWitnessError);

function reasonOf(error: unknown): string {
  const isDecided = error instanceof StoreClosedError || error instanceof LaterFormatError;
  return isDecided ? error.message : `unreachable: ${describeFailure(error)}`;
}

function describeFailure(error: unknown): string {
  if (error instanceof RedisTimeoutError || error instanceof WitnessError) return error.message;
  // The first word of an error is its code, such as OOM or READONLY.
  if (error instanceof ErrorReply) return `Redis answers ${error.message.split(' ', 1)[0]}`;
  return 'Redis does not answer';
}

function describe({ epoch, sequence }: StorePosition): string {
  return `${epoch} at ${sequence}`;
}
