import { randomUUID } from 'node:crypto';
import { answerWithin, type RedisClient } from '../shared/redis-client.ts';
import { ensureLibrary } from './function-library.ts';
import { type LedgerPosition, type LedgerReadiness, LedgerUnavailableError } from './ledger.ts';
import { findUnsafe } from './redis-safety.ts';

interface GuardOptions {
  readonly client: RedisClient;
  readonly prefix: string;
  readonly isVouched: boolean;
  /** Records the position outside Redis. The farthest that was ever recorded. */
  readonly attest: (position: LedgerPosition) => Promise<LedgerPosition>;
  /** Why the clock of this machine may not be trusted, or undefined. */
  readonly findClockFault: () => Promise<string | undefined>;
  readonly checkEveryMs: number;
  readonly timeoutMs: number;
}

/** Knows whether the ledger may be written to, and how far this process has seen it. */
interface LedgerGuard {
  ready(): LedgerReadiness;
  /** @throws {LedgerUnavailableError} `not_ready` unless `ready()` */
  admit(): void;
  /**
   * What a write must find at least. Known also while the ledger is shut for another reason than a roll-back: what
   * was reserved is to be resolved.
   * @throws {LedgerUnavailableError} `not_ready`, `rolled_back`
   */
  position(): LedgerPosition;
  saw(sequence: bigint): void;
  /** Shuts until the next check passes, which starts at once. */
  suspect(reason: string): void;
  check(): Promise<LedgerReadiness>;
  close(): void;
}

const NOT_CONNECTED = 'not connected yet';
const ROLLED_BACK = 'rolled_back';
/** A Redis that was started again answers at first that it still loads its file. */
const RECHECK_MS = 250;

export function createLedgerGuard(options: GuardOptions): LedgerGuard {
  const { client, timeoutMs } = options;
  let shut: string | undefined = NOT_CONNECTED;
  let known: LedgerPosition | undefined;
  let isClosed = false;
  let running: Promise<LedgerReadiness> | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** Counts what went wrong, so that a check begun before a fault cannot open after it. */
  let faults = 0;

  const saw = (sequence: bigint) => {
    if (known && sequence > known.sequence) known = { epoch: known.epoch, sequence };
  };
  const ready = (): LedgerReadiness => {
    if (shut === undefined && known) return { ok: true, position: known };
    return { ok: false, reason: shut ?? NOT_CONNECTED };
  };

  /** Why the ledger may not be used, or undefined. */
  async function findFault(): Promise<string | undefined> {
    const unsafe = await answerWithin(findUnsafe(client, options.isVouched), timeoutMs);
    if (unsafe !== undefined) return `this Redis is not safe for money: ${unsafe}`;
    await answerWithin(ensureLibrary(client), timeoutMs);
    const seen = known;
    const found = await answerWithin(readPosition(client, options.prefix), timeoutMs);
    const recorded = await options.attest(found);
    // Read again: meanwhile other processes may have gone on, and recorded that.
    const latest = await answerWithin(readPosition(client, options.prefix), timeoutMs);
    for (const before of [seen, found, recorded]) {
      if (before && (latest.epoch !== before.epoch || latest.sequence < before.sequence)) {
        return `${ROLLED_BACK}: it is ${describe(latest)}, it was ${describe(before)}`;
      }
    }
    known ??= latest;
    saw(latest.sequence);
    // A Redis without memory refuses this write. By now the position is known, so posts and voids go on.
    await answerWithin(openJournal(client, options.prefix), timeoutMs);
    return options.findClockFault();
  }

  async function runCheck(): Promise<LedgerReadiness> {
    if (isClosed) return ready();
    clearTimeout(timer);
    const before = faults;
    let nextMs = options.checkEveryMs;
    try {
      const fault = await findFault();
      if (fault !== undefined || before === faults) shut = fault;
      else nextMs = Math.min(RECHECK_MS, nextMs);
    } catch (error) {
      shut = `unreachable: ${error instanceof Error ? error.message : String(error)}`;
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
    // A check that was under way speaks of the connection before.
    void (running ?? Promise.resolve()).then(() => check());
  });

  return {
    ready,
    admit() {
      if (shut !== undefined) throw new LedgerUnavailableError('not_ready', shut);
    },
    position() {
      if (shut?.startsWith(ROLLED_BACK)) throw new LedgerUnavailableError('rolled_back', shut);
      if (!known) throw new LedgerUnavailableError('not_ready', shut ?? NOT_CONNECTED);
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

function describe({ epoch, sequence }: LedgerPosition): string {
  return `${epoch} at ${sequence}`;
}

/** Reading needs no memory: also a process that starts without any must be able to resolve what is reserved. */
async function readPosition(client: RedisClient, prefix: string): Promise<LedgerPosition> {
  const reply = await client.fCall('tollhouse_totals', { keys: [prefix], arguments: [''] });
  const [epoch, sequence] = reply as unknown as readonly [string, string];
  return epoch === '' ? openJournal(client, prefix) : { epoch, sequence: BigInt(sequence) };
}

/** Makes the ledger where there is none. Its epoch, which is also kept elsewhere, tells a new one from a lost one. */
async function openJournal(client: RedisClient, prefix: string): Promise<LedgerPosition> {
  const reply = await client.fCall('tollhouse_open', { keys: [prefix], arguments: [randomUUID()] });
  const [epoch, sequence] = reply as unknown as readonly [string, string];
  return { epoch, sequence: BigInt(sequence) };
}
