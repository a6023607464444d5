import { readRedisTimeMs } from '../../platform/redis/redis-clock.ts';
import type { StorePosition } from '../../platform/redis/redis-guard.ts';
import { findUnsafe } from '../../platform/redis/redis-safety.ts';
import { isDatabaseRestored, RESTORED } from '../../store/database-identity.ts';
import { type CopyHead, readCopyHead } from '../../store/ledger-copy.ts';
import { parseEntry } from '../contract/journal-entries.ts';
import { readStream } from '../redis/journal-pages.ts';
import { callOf, type LedgerStores, readStoredLedger, readWitness, type StoredLedger } from './ledger-stores.ts';
import { RESTORING } from './prepare.ts';

export interface LedgerStatus {
  readonly network: string;
  /** Why the ledger is closed. Undefined if it is open. */
  readonly closedBecause: string | undefined;
  /** What Redis has. Undefined if it has no ledger. */
  readonly position: StorePosition | undefined;
  /** The farthest recorded position of the valid epoch. Undefined if none was recorded. */
  readonly recorded: StorePosition | undefined;
  /** Sequence of the last copied entry. */
  readonly copiedSequence: bigint;
  /** Entries that are not copied yet. */
  readonly lagEntries: bigint;
  /** Age of the oldest entry that is not copied yet. */
  readonly lagMs: number;
  /** The current UTC day by the clock of Redis, and how much credit was used on it. */
  readonly dayUtc: string;
  readonly usedMicroUsd: bigint;
  readonly pending: number;
}

const DAY_MS = 86_400_000;

/** Reads the state of the ledger. It changes nothing, and it needs no functions in Redis. */
export async function readLedgerStatus(stores: LedgerStores): Promise<LedgerStatus> {
  const { client, network, timeoutMs } = stores;
  const call = callOf(stores);
  // The copy and the witness are read first, so that they are never ahead of a healthy Redis.
  const [recorded, head] = [await readWitness(stores), await readCopyHead(stores.database, network)];
  const stored = await readStoredLedger(stores);
  const nowMs = await readRedisTimeMs(client, timeoutMs);
  const copiedSequence = head === undefined ? 0n : head.sequence;
  const sequence = stored.meta === undefined ? 0n : stored.meta.sequence;
  const lagEntries = sequence > copiedSequence ? sequence - copiedSequence : 0n;
  const [oldest] = lagEntries > 0n ? await readStream(call, copiedSequence + 1n, 1) : [];
  const oldestMs = oldest?.text === undefined ? undefined : parseEntry(oldest.text)?.timeMs;
  const today = String(Math.floor(nowMs / DAY_MS));
  return {
    network,
    closedBecause: await findFault(stores, { recorded, head, stored }),
    position: stored.meta && { epoch: stored.meta.epoch, sequence },
    recorded,
    copiedSequence,
    lagEntries,
    lagMs: oldestMs === undefined ? 0 : Math.max(0, Math.floor(nowMs - oldestMs)),
    dayUtc: new Date(nowMs).toISOString().slice(0, 10),
    usedMicroUsd: stored.meta?.day === today ? stored.meta.used : 0n,
    pending: await client.zCard(`${call.prefix}pending`),
  };
}

interface Found {
  readonly recorded: StorePosition | undefined;
  readonly head: CopyHead | undefined;
  readonly stored: StoredLedger;
}

async function findFault(stores: LedgerStores, { recorded, head, stored }: Found): Promise<string | undefined> {
  const unsafe = await findUnsafe(stores.client, stores.isDurabilityVouched);
  if (unsafe !== undefined) return `this Redis is not safe for money: ${unsafe}`;
  if (await isDatabaseRestored(stores.database)) return RESTORED;
  const { meta } = stored;
  if (stored.laterFormat !== undefined) return stored.laterFormat.message;
  if (recorded === undefined) return 'no ledger was recorded yet';
  if (meta?.epoch.startsWith(RESTORING)) return 'a restore was not finished: run it again';
  if (meta === undefined) return 'Redis has no ledger: it was lost';
  if (meta.epoch !== recorded.epoch && meta.sequence === 0n)
    return 'Redis lost the ledger, and an empty one was created';
  if (meta.epoch !== recorded.epoch) return `Redis has the epoch ${meta.epoch}, the valid epoch is ${recorded.epoch}`;
  const known = head !== undefined && head.sequence > recorded.sequence ? head.sequence : recorded.sequence;
  if (meta.sequence < known) return `Redis was rolled back: it has entry ${meta.sequence}, it had entry ${known}`;
  return head?.text === undefined ? undefined : findDivergence(stores, head.sequence, head.text);
}

async function findDivergence(stores: LedgerStores, sequence: bigint, text: string): Promise<string | undefined> {
  const [found] = await readStream(callOf(stores), sequence, 1);
  if (found?.sequence === sequence && found.text === text) return undefined;
  return `the journal in Redis differs from its copy at entry ${sequence}`;
}
