import { ErrorReply } from 'redis';
import { answerWithin, type RedisClient, RedisTimeoutError } from './redis-client.ts';
import { findUnsafe } from './redis-safety.ts';

/** How far a store is: the random id made with it, and the number of its writes. */
export interface StorePosition {
  readonly epoch: string;
  readonly sequence: bigint;
}

/** `reason` is for the public: it holds no addresses and no texts of libraries. */
export type StoreReadiness =
  | { readonly ok: true; readonly position: StorePosition }
  | { readonly ok: false; readonly reason: string };

/** - `not_ready`: the store may not be used now. - `rolled_back`: it has lost what it had answered before. */
export type StoreFault = 'not_ready' | 'rolled_back';

export interface RedisGuardOptions {
  readonly client: RedisClient;
  /** The operator answers for durability where Redis does not show its settings. */
  readonly isVouched: boolean;
  /** Loads the store's functions where Redis has none, or others. */
  readonly loadFunctions: () => Promise<void>;
  /** Where the store is. Makes the store where there is none, and otherwise needs no memory of Redis. */
  readonly readPosition: () => Promise<StorePosition>;
  /** Records the position outside Redis. Returns the farthest that was ever recorded. */
  readonly attest: (position: StorePosition) => Promise<StorePosition>;
  /**
   * Replaces what a rolled-back store has lost, and has a new epoch recorded as the valid one, unless another process
   * does so. Without it a rolled-back store stays shut.
   */
  readonly recover?: (found: StorePosition, lost: StorePosition) => Promise<void>;
  /** What else forbids the use of the store, such as a Redis without memory. Asked last, when the position is known. */
  readonly findFault?: () => Promise<string | undefined>;
  readonly checkEveryMs: number;
  /** Longest wait for one answer of Redis. */
  readonly timeoutMs: number;
  /** The error that `admit` and `position` throw. */
  readonly toError: (fault: StoreFault, reason: string) => Error;
  /** Takes what made a check fail, for the log. */
  readonly onError?: (error: Error) => void;
}

/** Knows whether a store in Redis may be written to, and how far this process has seen it. */
export interface RedisGuard {
  ready(): StoreReadiness;
  /** @throws `not_ready` unless `ready()` */
  admit(): void;
  /**
   * What a write must find at least. Known also while the store is shut for another reason than a rollback: what was
   * begun must be resolved.
   * @throws `not_ready`, `rolled_back`
   */
  position(): StorePosition;
  saw(sequence: bigint): void;
  /** Shuts the store until the next check passes, which starts at once. */
  suspect(reason: string): void;
  check(): Promise<StoreReadiness>;
  close(): void;
}

const NOT_CONNECTED = 'not connected yet';
const ROLLED_BACK = 'rolled_back';
/** A Redis that was restarted answers at first that it still loads its file. */
const RECHECK_MS = 250;

export function createRedisGuard(options: RedisGuardOptions): RedisGuard {
  const { client, timeoutMs, toError } = options;
  let shut: string | undefined = NOT_CONNECTED;
  let known: StorePosition | undefined;
  let isClosed = false;
  let running: Promise<StoreReadiness> | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** Counts faults, so that a check that began before a fault cannot open the store after it. */
  let faults = 0;

  const saw = (sequence: bigint) => {
    if (known && sequence > known.sequence) known = { epoch: known.epoch, sequence };
  };
  const ready = (): StoreReadiness => {
    if (shut === undefined && known) return { ok: true, position: known };
    return { ok: false, reason: shut ?? NOT_CONNECTED };
  };
  const readPosition = () => answerWithin(options.readPosition(), timeoutMs);

  /** The farthest known position that the store is behind, if any. */
  async function findLost(): Promise<{ readonly latest: StorePosition; readonly lost: StorePosition | undefined }> {
    const seen = known;
    const found = await readPosition();
    const recorded = await options.attest(found).catch((cause: unknown) => {
      throw new WitnessError('the position of the store cannot be recorded outside Redis', { cause });
    });
    // Read again: other processes may have gone on in the meantime, and recorded that.
    const latest = await readPosition();
    // Another process may have recovered the store since, and recorded its epoch: then ours is over.
    const isSuperseded = options.recover !== undefined && seen?.epoch !== recorded.epoch;
    const lost = [recorded, found, isSuperseded ? undefined : seen].find(
      (before) => before && (latest.epoch !== before.epoch || latest.sequence < before.sequence),
    );
    return { latest, lost };
  }

  /** Why the store may not be used, or undefined. */
  async function findFault(): Promise<string | undefined> {
    const unsafe = await answerWithin(findUnsafe(client, options.isVouched), timeoutMs);
    if (unsafe !== undefined) return `this Redis is not safe for money: ${unsafe}`;
    await answerWithin(options.loadFunctions(), timeoutMs);
    let { latest, lost } = await findLost();
    if (lost !== undefined && options.recover !== undefined) {
      shut = `${ROLLED_BACK}: recovering`;
      await options.recover(latest, lost);
      ({ latest, lost } = await findLost());
    }
    if (lost !== undefined) return `${ROLLED_BACK}: it is ${describe(latest)}, it was ${describe(lost)}`;
    if (known?.epoch !== latest.epoch) known = latest;
    saw(latest.sequence);
    return options.findFault?.();
  }

  async function runCheck(): Promise<StoreReadiness> {
    if (isClosed) return ready();
    clearTimeout(timer);
    const before = faults;
    let nextMs = options.checkEveryMs;
    try {
      const fault = await findFault();
      if (fault !== undefined || before === faults) shut = fault;
      else nextMs = Math.min(RECHECK_MS, nextMs);
    } catch (error) {
      shut = `unreachable: ${describeFailure(error)}`;
      options.onError?.(error instanceof Error ? error : new Error(String(error)));
      nextMs = Math.min(RECHECK_MS, nextMs);
    }
    if (!isClosed) timer = setTimeout(() => void check(), nextMs).unref();
    return ready();
  }

  const check = () => {
    running ??= runCheck().finally(() => {
      running = undefined;
    });
    return running;
  };
  const fail = (reason: string) => {
    faults += 1;
    shut = reason;
  };

  client.on('error', () => fail('disconnected'));
  client.on('reconnecting', () => fail('disconnected'));
  client.on('ready', () => {
    fail('checking');
    // A check that is under way speaks of the connection before.
    void (running ?? Promise.resolve()).then(() => check());
  });

  return {
    ready,
    admit() {
      if (shut !== undefined) throw toError('not_ready', shut);
    },
    position() {
      if (shut?.startsWith(ROLLED_BACK)) throw toError('rolled_back', shut);
      if (!known) throw toError('not_ready', shut ?? NOT_CONNECTED);
      return known;
    },
    saw,
    suspect(reason) {
      fail(reason);
      void check();
    },
    check,
    close() {
      isClosed = true;
      fail('closed');
      clearTimeout(timer);
    },
  };
}

class WitnessError extends Error {
  override readonly name = 'WitnessError';
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
