import { channel } from 'node:diagnostics_channel';
import { LaterFormatError } from '../../platform/redis/later-format.ts';
import { answerWithin, createRedisClient, type RedisClient } from '../../platform/redis/redis-client.ts';
import { createRedisClock } from '../../platform/redis/redis-clock.ts';
import { RedisReplyError } from '../../platform/redis/redis-replies.ts';
import {
  type Ledger,
  type LedgerPosition,
  LedgerUnavailableError,
  type Reservation,
  type ReserveOutcome,
} from '../contract/ledger.ts';
import { DAILY_BUDGET_MICRO_USD, GRANT_MICRO_USD } from '../contract/trial-terms.ts';
import { auditLedger } from './audit.ts';
import { createChannelLedger } from './channel-ledger.ts';
import { type CallOptions, callOnce } from './function-calls.ts';
import { readJournal } from './journal-pages.ts';
import {
  readOpenReservations,
  readOverdue,
  readReserve,
  readResolution,
  readTotals,
  readWallets,
} from './ledger-replies.ts';
import { readServer } from './ledger-server.ts';
import { createLedgerGuard } from './ledger-store.ts';
import { createWrite, type Write } from './ledger-writes.ts';
import { assertAmount } from './micro-usd.ts';
import { createWalletLock } from './wallet-lock.ts';

export interface RedisLedgerOptions extends LedgerOptions {
  readonly url: string;
}

export interface LedgerOptions {
  /** CAIP-2, such as eip155:8453. Each network has its own credit. */
  readonly network: string;
  readonly grantMicroUsd?: bigint;
  readonly dailyBudgetMicroUsd?: bigint;
  /** Maximum of new grants per `grantScope` and UTC day; 0: unlimited. */
  readonly grantsPerScope?: number;
  /** Number of `caller_failed` voids within an hour that throttle a wallet; 0: unlimited. */
  readonly failuresPerHour?: number;
  /** Whether the operator vouches for durability, for a managed Redis that forbids CONFIG. */
  readonly isDurabilityVouched?: boolean;
  /**
   * Records the ledger's position outside Redis and returns the farthest recorded position of the valid epoch. A ledger
   * that is behind that position, or has another epoch, stays closed until it is restored.
   */
  readonly attest?: (position: LedgerPosition) => Promise<LedgerPosition>;
  readonly checkEveryMs?: number;
  /** Longest wait for one reply of Redis. */
  readonly commandTimeoutMs?: number;
  /** How long a call is repeated while its replies are lost. */
  readonly answerWithinMs?: number;
  /** Longest wait for the wallet's lock. */
  readonly lockWaitMs?: number;
  /** Clock for tests that cross midnight. Absent: the clock of Redis, the same for all copies. */
  readonly now?: () => number;
  /** Largest accepted difference between the clocks of this machine and of Redis. Absent: unlimited. */
  readonly clockToleranceMs?: number;
  readonly onError?: (error: Error) => void;
}

/** What a ledger has where its owner sets nothing. The deployed ledger sets what the environment decides. */
const DEFAULTS = {
  grantMicroUsd: GRANT_MICRO_USD,
  dailyBudgetMicroUsd: DAILY_BUDGET_MICRO_USD,
  grantsPerScope: 0,
  failuresPerHour: 5,
  isDurabilityVouched: false,
  checkEveryMs: 3000,
  commandTimeoutMs: 1000,
  answerWithinMs: 3000,
  lockWaitMs: 1000,
  clockToleranceMs: Number.POSITIVE_INFINITY,
};

const step = channel('tollhouse:step');

/** Opens a ledger in Redis 7. It connects and reconnects by itself; `ready()` tells whether it may be used. */
export function createRedisLedger({ url, ...options }: RedisLedgerOptions): Ledger {
  const { onError } = options;
  return createLedger(createRedisClient({ url, ...(onError && { onError }) }), options);
}

/** Opens a ledger over a client that is not connected yet. The ledger connects the client, and closes it. */
export function createLedger(client: RedisClient, given: LedgerOptions): Ledger {
  const options = { ...DEFAULTS, ...given };
  assertAmount(options.grantMicroUsd, 1n);
  assertAmount(options.dailyBudgetMicroUsd, 0n);
  const { commandTimeoutMs: timeoutMs } = options;
  const prefix = `tollhouse:{${options.network}}:`;
  const clock = createRedisClock({ client, timeoutMs, toleranceMs: options.clockToleranceMs });
  const call = { client, prefix, timeoutMs };
  const guard = createLedgerGuard({ ...options, ...call, findClockFault: clock.findFault });
  const locks = createWalletLock({ client, prefix, waitMs: options.lockWaitMs });
  const now = () => (options.now ? String(options.now()) : '');
  const { grantMicroUsd, dailyBudgetMicroUsd, grantsPerScope, failuresPerHour } = options;
  const limits = [grantMicroUsd, dailyBudgetMicroUsd, grantsPerScope, failuresPerHour].map(String);
  const write = createWrite({ ...call, guard, limits, answerWithinMs: options.answerWithinMs, now });
  const connected = client.connect();
  connected.catch(() => {});

  async function reserve(reservation: Reservation): Promise<ReserveOutcome> {
    assertAmount(reservation.amountMicroUsd, 1n);
    guard.admit();
    step.publish('reserve.before');
    const wallet = reservation.wallet.toLowerCase();
    const lock = await locks.acquire(wallet).catch((error: unknown) => {
      const isBusy = error instanceof LedgerUnavailableError && error.code === 'lock_timeout';
      if (!isBusy) guard.suspect('a wallet could not be locked');
      throw error;
    });
    const outcome = await reserveLocked(write, reservation, { wallet, token: lock.token }).catch((error: unknown) => {
      lock.release();
      throw error;
    });
    // The function in Redis has released the lock.
    lock.leave();
    step.publish('reserve.after');
    return outcome;
  }

  return {
    reserve,
    async post(reservationId) {
      step.publish('post.before');
      const resolution = await write('post', [reservationId, ''], readResolution);
      step.publish('post.after');
      return resolution;
    },
    void: (reservationId, reason) => write('void', [reservationId, reason], readResolution),
    ...createChannelLedger({ write, call, guard, reading }),
    ...createReads(call, { grantMicroUsd, dailyBudgetMicroUsd, now }),
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

interface HeldWallet {
  /** Address in lower case. */
  readonly wallet: string;
  /** Token of its lock. */
  readonly token: string;
}

async function reserveLocked(
  write: Write,
  reservation: Reservation,
  { wallet, token }: HeldWallet,
): Promise<ReserveOutcome> {
  const { reservationId, nonce, operation, amountMicroUsd, expirationTimeMs, deadlineMs, grantScope } = reservation;
  const subject = [reservationId, wallet, nonce, operation, amountMicroUsd, expirationTimeMs, deadlineMs];
  // An empty scope is not bounded.
  const args = [...subject, token, grantScope ?? ''].map(String);
  const outcome = await write('reserve', args, ({ position, ...reply }): ReserveOutcome | 'conflict' => {
    if (reply.state === 'conflict') return reply.state;
    const { state, balanceMicroUsd } = readReserve(reply);
    return state === 'reserved' ? { state, balanceMicroUsd, position } : { state, balanceMicroUsd };
  });
  if (outcome === 'conflict') throw new Error(`reservation id ${reservationId} belongs to another reservation`);
  return outcome;
}

interface ReadOptions {
  readonly grantMicroUsd: bigint;
  readonly dailyBudgetMicroUsd: bigint;
  /** Time argument of the functions. */
  readonly now: () => string;
}

function createReads(
  call: CallOptions,
  options: ReadOptions,
): Pick<Ledger, 'balance' | 'budget' | 'figures' | 'server' | 'overdue' | 'journal' | 'audit'> {
  const { grantMicroUsd, dailyBudgetMicroUsd, now } = options;
  return {
    balance: (wallet) =>
      reading(async () => {
        const [stored] = readWallets(await callOnce(call, 'wallets', [wallet.toLowerCase()]), 1);
        return stored === undefined ? grantMicroUsd : BigInt(stored.balance);
      }),
    budget: () =>
      reading(async () => {
        const { day, used } = readTotals(await callOnce(call, 'totals', [now()]));
        const left = dailyBudgetMicroUsd - BigInt(used);
        return { dayUtc: dayUtc(Number(day)), remainingMicroUsd: left > 0n ? left : 0n };
      }),
    figures: () =>
      reading(async () => {
        const [totals, reservations] = await Promise.all([
          callOnce(call, 'totals', [now()]).then(readTotals),
          callOnce(call, 'open_reservations', []).then(readOpenReservations),
        ]);
        const { count, summed, sum, least } = reservations;
        return {
          dayUtc: dayUtc(Number(totals.day)),
          usedMicroUsd: BigInt(totals.used),
          open: Number(count),
          summed: Number(summed),
          reservedMicroUsd: BigInt(sum),
          oldestAtMs: least === '' ? undefined : timeOf(least),
        };
      }),
    server: () => reading(() => readServer(call)),
    overdue: ({ graceMs, limit, of }) =>
      reading(async () => readOverdue(await callOnce(call, 'overdue', [now(), String(graceMs), String(limit), of]))),
    journal: (from, limit) => reading(() => readJournal(call, from, limit)),
    audit: () => reading(() => auditLedger({ ...call, now: now() })),
  };
}

/** @throws {LedgerUnavailableError} `refused`: a read that fails has changed nothing */
async function reading<Value>(read: () => Promise<Value>): Promise<Value> {
  try {
    return await read();
  } catch (cause) {
    const isExplained = cause instanceof RedisReplyError || cause instanceof LaterFormatError;
    const detail = isExplained ? `: ${cause.message}` : '';
    throw new LedgerUnavailableError('refused', `the ledger could not be read${detail}`, { cause });
  }
}

/** The first 48 bits of a UUIDv7 (RFC 9562, section 5.7). */
const timeOf = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);

function dayUtc(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10);
}
