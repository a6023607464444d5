import { randomUUID } from 'node:crypto';
import { channel } from 'node:diagnostics_channel';
import { createBatch } from '../../platform/batch.ts';
import { answerWithin, createRedisClient, type RedisClient } from '../../platform/redis/redis-client.ts';
import { createRedisClock } from '../../platform/redis/redis-clock.ts';
import { createRedisGuard } from '../../platform/redis/redis-guard.ts';
import {
  type Ledger,
  type LedgerPosition,
  LedgerUnavailableError,
  type OverdueReservation,
  type Reservation,
  type ReserveDenial,
  type ReserveOutcome,
  type Resolution,
} from '../contract/ledger.ts';
import { auditLedger } from './audit.ts';
import { callOnce, callUntilAnswered } from './function-calls.ts';
import { ensureLibrary } from './function-library.ts';
import { createWalletLock } from './wallet-lock.ts';

export interface RedisLedgerOptions {
  readonly url: string;
  /** CAIP-2, such as eip155:8453: credit of one network is unknown on another. */
  readonly network: string;
  readonly grantMicroUsd?: bigint;
  readonly dailyBudgetMicroUsd?: bigint;
  /** Most new grants per `grantScope` and UTC day; 0: any number. */
  readonly grantsPerScope?: number;
  /** Voids for `caller_failed` within an hour after which a wallet is throttled; 0: any number. */
  readonly failuresPerHour?: number;
  /** The operator answers for durability where Redis does not tell (a managed one that forbids CONFIG). */
  readonly isDurabilityVouched?: boolean;
  /**
   * Records how far the ledger is outside Redis, and returns the farthest position that was ever recorded there:
   * a ledger behind it, or another one, stays shut.
   */
  readonly attest?: (position: LedgerPosition) => Promise<LedgerPosition>;
  readonly checkEveryMs?: number;
  /** Longest wait for one answer of Redis. */
  readonly commandTimeoutMs?: number;
  /** How long a call is repeated while its answers are lost. */
  readonly answerWithinMs?: number;
  /** Longest wait for the wallet's lock. */
  readonly lockWaitMs?: number;
  /** For tests that cross midnight. Without it the clock of Redis decides, for all copies alike. */
  readonly now?: () => number;
  /** Largest difference between the clocks of this machine and of Redis at which it is ready. Absent: any. */
  readonly clockToleranceMs?: number;
  readonly onError?: (error: Error) => void;
}

const DEFAULTS = {
  grantMicroUsd: 50_000n,
  dailyBudgetMicroUsd: 5_000_000n,
  grantsPerScope: 0,
  failuresPerHour: 5,
  isDurabilityVouched: false,
  attest: async (position: LedgerPosition) => position,
  checkEveryMs: 3000,
  commandTimeoutMs: 1000,
  answerWithinMs: 3000,
  lockWaitMs: 1000,
  clockToleranceMs: Number.POSITIVE_INFINITY,
};

/** Below it every sum is exact in Lua, whose numbers are doubles. */
const MAX_MICRO_USD = 2n ** 53n - 1n;

const step = channel('tollhouse:step');

/** A ledger in Redis 7. Connects by itself, and again when disconnected; `ready()` tells. */
export function createRedisLedger(given: RedisLedgerOptions): Ledger {
  const options = { ...DEFAULTS, ...given };
  assertAmount(options.grantMicroUsd, 1n);
  assertAmount(options.dailyBudgetMicroUsd, 0n);
  const { commandTimeoutMs: timeoutMs } = options;
  const prefix = `tollhouse:{${options.network}}:`;
  const client = createRedisClient({ url: options.url, ...(options.onError && { onError: options.onError }) });
  const clock = createRedisClock({ client, timeoutMs, toleranceMs: options.clockToleranceMs });
  const guard = createRedisGuard({
    client,
    isVouched: options.isDurabilityVouched,
    loadFunctions: () => ensureLibrary(client),
    readPosition: () => readPosition(client, prefix),
    attest: options.attest,
    findFault: async () => {
      // A Redis without memory refuses this write. By now the position is known, so posts and voids go on.
      await answerWithin(openJournal(client, prefix), timeoutMs);
      return clock.findFault();
    },
    checkEveryMs: options.checkEveryMs,
    timeoutMs,
    toError: (fault, reason) => new LedgerUnavailableError(fault, reason),
    ...(options.onError && { onError: options.onError }),
  });
  const locks = createWalletLock({ client, prefix, waitMs: options.lockWaitMs });
  const now = () => (options.now ? String(options.now()) : '');
  const connected = client.connect();
  connected.catch(() => {});

  /** Writes of one kind, which must find the ledger at least where this process saw it. */
  const createWrite = (name: 'reserve' | 'post' | 'void', limits: readonly string[]) =>
    createBatch(async (items: readonly WriteItem[]): Promise<readonly WriteAnswer[]> => {
      const { epoch, sequence } = guard.position();
      const leftMs = Math.min(...items.map(({ untilMs }) => untilMs)) - performance.now();
      const args = [epoch, String(sequence), now(), ...limits, ...items.flatMap(({ args }) => args)];
      const call = { client, prefix, timeoutMs: Math.max(1, Math.min(timeoutMs, leftMs)) };
      const [state, found = '', ...outcomes] = (await callOnce(call, name, args)) as readonly string[];
      if (state === 'rolled_back')
        throw new LedgerUnavailableError('rolled_back', `the ledger is at ${found}, it was at ${sequence}`);
      const position = { epoch, sequence: BigInt(found) };
      guard.saw(position.sequence);
      return items.map((_, index) => ({
        state: outcomes[2 * index] ?? '',
        balance: outcomes[2 * index + 1] ?? '',
        position,
      }));
    });
  const { grantMicroUsd, dailyBudgetMicroUsd, grantsPerScope, failuresPerHour } = options;
  const limits = [grantMicroUsd, dailyBudgetMicroUsd, grantsPerScope, failuresPerHour].map(String);
  const writes = {
    reserve: createWrite('reserve', limits),
    post: createWrite('post', []),
    void: createWrite('void', []),
  };

  async function write(name: 'reserve' | 'post' | 'void', args: readonly string[]): Promise<WriteAnswer> {
    guard.position();
    const untilMs = performance.now() + options.answerWithinMs;
    try {
      const call = () => writes[name]({ args, untilMs });
      return await callUntilAnswered(call, { untilMs, isRefusalRepeated: name !== 'reserve' });
    } catch (error) {
      guard.suspect('a write failed');
      throw error;
    }
  }

  async function reserveLocked(reservation: Reservation, wallet: string, token: string): Promise<ReserveOutcome> {
    const { reservationId, nonce, operation, amountMicroUsd, expirationTimeMs, deadlineMs, grantScope } = reservation;
    const subject = [reservationId, wallet, nonce, operation, amountMicroUsd, expirationTimeMs, deadlineMs];
    const args = [...subject, token, grantScope ?? ''].map(String);
    const { state, balance, position } = await write('reserve', args);
    if (state === 'conflict') throw new Error(`reservation id ${reservationId} belongs to another reservation`);
    const balanceMicroUsd = BigInt(balance);
    if (state === 'reserved') return { state, balanceMicroUsd, position };
    return { state: state as ReserveDenial, balanceMicroUsd };
  }

  async function reserve(reservation: Reservation): Promise<ReserveOutcome> {
    assertAmount(reservation.amountMicroUsd, 1n);
    guard.admit();
    step.publish('reserve.before');
    const wallet = reservation.wallet.toLowerCase();
    const lock = await locks.acquire(wallet).catch((error: LedgerUnavailableError) => {
      if (error.code !== 'lock_timeout') guard.suspect('a wallet could not be locked');
      throw error;
    });
    const outcome = await reserveLocked(reservation, wallet, lock.token).catch((error: unknown) => {
      lock.release();
      throw error;
    });
    // The function gave the lock back.
    lock.leave();
    step.publish('reserve.after');
    return outcome;
  }

  async function resolve(name: 'post' | 'void', reservationId: string, reason: string): Promise<Resolution> {
    const { state, balance } = await write(name, [reservationId, reason]);
    return { state: state as Resolution['state'], balanceMicroUsd: balance === '' ? undefined : BigInt(balance) };
  }

  return {
    reserve,
    async post(reservationId) {
      step.publish('post.before');
      const resolution = await resolve('post', reservationId, '');
      step.publish('post.after');
      return resolution;
    },
    void: (reservationId, reason) => resolve('void', reservationId, reason),
    async balance(wallet) {
      const reply = await callOnce({ client, prefix, timeoutMs }, 'wallets', [wallet.toLowerCase()]).catch(unreachable);
      const [stored] = reply as readonly (readonly string[])[];
      return stored?.[0] === undefined ? options.grantMicroUsd : BigInt(stored[0]);
    },
    async budget() {
      const reply = await callOnce({ client, prefix, timeoutMs }, 'totals', [now()]).catch(unreachable);
      const [, , day, used] = reply as readonly [string, string, string, string, string];
      const left = options.dailyBudgetMicroUsd - BigInt(used);
      return { dayUtc: dayUtc(Number(day)), remainingMicroUsd: left > 0n ? left : 0n };
    },
    async overdue({ graceMs, limit }) {
      const reply = await callOnce({ client, prefix, timeoutMs }, 'overdue', [
        now(),
        String(graceMs),
        String(limit),
      ]).catch(unreachable);
      return (reply as readonly OverdueRow[]).map(toOverdue);
    },
    audit: () => auditLedger({ client, prefix, timeoutMs, now: now() }).catch(unreachable),
    now: options.now ?? clock.now,
    clockSkewMs: clock.skewMs,
    ready: guard.ready,
    async check() {
      await answerWithin(connected, timeoutMs).catch(() => {});
      return guard.check();
    },
    async close() {
      guard.close();
      await locks.close();
      client.destroy();
    },
  };
}

interface WriteItem {
  readonly args: readonly string[];
  /** When to stop waiting, on the clock of `performance.now()`. */
  readonly untilMs: number;
}

interface WriteAnswer {
  readonly state: string;
  readonly balance: string;
  readonly position: LedgerPosition;
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

function assertAmount(microUsd: bigint, atLeast: bigint): void {
  if (microUsd < atLeast || microUsd > MAX_MICRO_USD)
    throw new RangeError(`amount out of range: ${microUsd} micro-USD`);
}

function unreachable(cause: unknown): never {
  throw new LedgerUnavailableError('refused', 'the ledger could not be read', { cause });
}

function dayUtc(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10);
}

type OverdueRow = readonly [id: string, wallet: string, operation: string, amount: string, deadline: string];

function toOverdue([reservationId, wallet, operation, amount, deadline]: OverdueRow): OverdueReservation {
  return { reservationId, wallet, operation, amountMicroUsd: BigInt(amount), deadlineMs: Number(deadline) };
}
