import { randomUUID } from 'node:crypto';
import { createLibraryLoader } from '../../platform/redis/library-use.ts';
import { answerWithin, type RedisClient } from '../../platform/redis/redis-client.ts';
import { callFunction } from '../../platform/redis/redis-functions.ts';
import { createRedisGuard, type RedisGuard } from '../../platform/redis/redis-guard.ts';
import { type LedgerPosition, LedgerUnavailableError } from '../contract/ledger.ts';
import { LEDGER_LIBRARY } from './function-library.ts';
import { readOpenedPosition, readTotals } from './ledger-replies.ts';

export interface LedgerGuardOptions {
  readonly client: RedisClient;
  readonly prefix: string;
  readonly isDurabilityVouched: boolean;
  readonly attest?: (position: LedgerPosition) => Promise<LedgerPosition>;
  /** Why the clock of this machine may not be trusted, or undefined. */
  readonly findClockFault: () => Promise<string | undefined>;
  readonly checkEveryMs: number;
  readonly timeoutMs: number;
  readonly onError?: (error: Error) => void;
}

/** Knows whether the ledger in Redis may be used, and how far this process has seen its journal. */
export function createLedgerGuard(options: LedgerGuardOptions): RedisGuard {
  const { client, prefix, timeoutMs, onError } = options;
  return createRedisGuard({
    client,
    isVouched: options.isDurabilityVouched,
    loadFunctions: createLibraryLoader({ client, library: LEDGER_LIBRARY, timeoutMs, ...(onError && { onError }) }),
    readPosition: () => readPosition(client, prefix),
    ...(options.attest && { attest: options.attest }),
    findFault: async () => {
      // A Redis without free memory refuses this write. The position is known by now, so posts and voids continue.
      await answerWithin(openJournal(client, prefix), timeoutMs);
      return options.findClockFault();
    },
    checkEveryMs: options.checkEveryMs,
    timeoutMs,
    toError: (fault, reason) => new LedgerUnavailableError(fault, reason),
    ...(onError && { onError }),
  });
}

/** Reading needs no memory: a process that starts while Redis is full must still resolve what is reserved. */
async function readPosition(client: RedisClient, prefix: string): Promise<LedgerPosition> {
  const call = { name: 'totals', keys: [prefix], args: [''] };
  const reply = await callFunction(client, LEDGER_LIBRARY, call);
  const { epoch, sequence } = readTotals(reply);
  return epoch === '' ? openJournal(client, prefix) : { epoch, sequence: BigInt(sequence) };
}

/**
 * Creates the ledger if it does not exist. Its epoch is also recorded outside Redis, which tells a new ledger from one
 * that lost its data.
 */
async function openJournal(client: RedisClient, prefix: string): Promise<LedgerPosition> {
  const call = { name: 'open', keys: [prefix], args: [randomUUID()] };
  const reply = await callFunction(client, LEDGER_LIBRARY, call);
  return readOpenedPosition(reply);
}
