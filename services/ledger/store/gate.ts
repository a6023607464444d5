import type pg from 'pg';
import type { Logger } from '../../platform/process/logger.ts';
import { createRepeatedErrorLog } from '../../platform/process/repeated-errors.ts';
import { LedgerUnavailableError } from '../contract/ledger.ts';
import { isDiskFull } from './ledger-errors.ts';
import { probeDisk, probeDurability, readDatabaseStatus } from './status.ts';

export interface GateOptions {
  readonly pool: pg.Pool;
  readonly logger: Logger;
  /** A post that waits longer closes the gate. */
  readonly lateMs?: number;
  readonly checkEveryMs?: number;
}

export interface GateStatus {
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  readonly closedBecause: string | undefined;
}

interface Answer {
  readonly fault: string | undefined;
  readonly offsetMs: number;
}

/** Decides whether credit may be reserved. */
export interface Gate {
  /** Undefined while it may. The reason may be published. */
  closedBecause(): string | undefined;
  /**
   * The time by the clock of the database, and why the gate is closed. All who ask share the regular looks.
   * @throws {LedgerUnavailableError} if the database does not answer
   */
  status(): Promise<GateStatus>;
  /** @throws {LedgerUnavailableError} `not_ready` while the gate is closed */
  admit(): void;
  /** Closes the gate until the next regular look if the write fails because the disk is full. */
  guard<Outcome>(write: Promise<Outcome>): Promise<Outcome>;
  /** As `guard`, and closes the gate if the post waits too long. The post goes on. */
  watch<Outcome>(post: Promise<Outcome>): Promise<Outcome>;
  /** Looks at the database now, or joins the look that is under way. */
  check(): Promise<void>;
  /** Stops looking. */
  close(): void;
}

const LATE_MS = 1000;
const CHECK_EVERY_MS = 1000;
const FULL = 'the disk of the database is full';

/**
 * Closed from the start until a probe of its own has committed durably, and again when a post waits too long or the
 * database has a fault. Otherwise, while a standby is away, calls would be executed that cannot be charged.
 */
export function createGate({ pool, logger, lateMs = LATE_MS, checkEveryMs = CHECK_EVERY_MS }: GateOptions): Gate {
  const logFailure = createRepeatedErrorLog({ logger, message: 'the database of the ledger failed a check' });
  let reason: string | undefined = 'the database has not been checked yet';
  /** How often a write closed the gate. A probe that began before proves nothing about it. */
  let changes = 0;
  /** Whether a write found the disk full. */
  let isFull = false;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  /** The last question to the database. It answers how far its clock is before the monotonic one. */
  let last: { readonly askedMs: number; readonly answer: Promise<Answer> } | undefined;

  function read(): Promise<Answer> {
    const askedMs = performance.now();
    const answer = readDatabaseStatus(pool).then(({ nowMs, fault }) => {
      // The database answered between the two times. The middle is assumed.
      return { fault, offsetMs: nowMs - (askedMs + performance.now()) / 2 };
    });
    const asked = { askedMs, answer };
    last = asked;
    answer.catch(() => {
      if (last === asked) last = undefined;
    });
    return answer;
  }

  async function look(): Promise<void> {
    const before = changes;
    try {
      const { fault } = await read();
      if (fault !== undefined) reason = fault;
      else if (reason !== undefined) reason = await probe(before);
    } catch (error) {
      reason = isDiskFull(error) ? FULL : 'the database does not answer or commit';
      logFailure(error);
    }
  }

  /** @returns why the gate stays closed */
  async function probe(before: number): Promise<string | undefined> {
    // It begins an epoch if the database is another one.
    await (isFull ? probeDisk(pool) : probeDurability(pool));
    const { fault } = await read();
    if (changes !== before) return reason;
    isFull = false;
    return fault;
  }

  const check = () => {
    clearTimeout(timer);
    running ??= look().finally(() => {
      running = undefined;
      if (!isStopped) timer = setTimeout(check, checkEveryMs).unref();
    });
    return running;
  };
  const closeFor = (why: string) => {
    changes += 1;
    reason = why;
  };
  const guard = async <Outcome>(write: Promise<Outcome>): Promise<Outcome> => {
    try {
      return await write;
    } catch (error) {
      if (isDiskFull(error)) {
        isFull = true;
        closeFor(FULL);
      }
      throw error;
    }
  };
  void check();

  return {
    closedBecause: () => reason,
    async status() {
      const oldestMs = performance.now() - 2 * checkEveryMs;
      const { offsetMs } = await (last !== undefined && last.askedMs >= oldestMs ? last.answer : read());
      return { nowMs: Math.round(performance.now() + offsetMs), closedBecause: reason };
    },
    admit() {
      if (reason !== undefined) throw new LedgerUnavailableError('not_ready', reason);
    },
    guard,
    async watch(post) {
      const lateTimer = setTimeout(() => {
        closeFor('a charge waits for the disk or a standby of the database');
        void check();
      }, lateMs);
      try {
        return await guard(post);
      } finally {
        clearTimeout(lateTimer);
      }
    },
    check,
    close() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
