import type { StorePosition } from '../../platform/redis/redis-guard.ts';
import { findUnsafe } from '../../platform/redis/redis-safety.ts';
import { type JournalEntry, type LedgerEpoch, readEpochs } from '../../store/ledger-copy.ts';
import { readStream } from '../redis/journal-pages.ts';
import { createReplay, type Replay } from '../redis/journal-replay.ts';
import {
  callOf,
  type LedgerStores,
  readBoth,
  readStoredLedger,
  readWitness,
  type StoredLedger,
} from './ledger-stores.ts';

/** The ledger cannot be restored, or only with a decision of the operator. Nothing was changed. */
export class RestoreRefusedError extends Error {
  override readonly name = 'RestoreRefusedError';
}

/**
 * What Redis has: nothing, a part of an unfinished restore, an earlier state of the ledger, or all that the restored
 * database knows.
 */
type Condition = 'lost' | 'unfinished' | 'rolled back' | 'complete';

export interface RestoreScope {
  /**
   * Whether PostgreSQL was restored from a backup. Then Redis may be ahead of it, even in an epoch that the database does
   * not know yet, and a ledger that looks healthy may have lost entries together with the database.
   */
  readonly isDatabaseRestored: boolean;
}

/** What is known before the lost end of the journal is decided. */
export interface Prepared {
  readonly condition: Condition;
  readonly stored: StoredLedger;
  /** The farthest recorded position of the valid epoch. */
  readonly witness: StorePosition;
  readonly epochs: readonly LedgerEpoch[];
  /** Entries of the valid epoch that Redis has and the copy lacks. */
  readonly uncopied: readonly JournalEntry[];
  /** The journal, with the uncopied entries. */
  readonly replay: Replay;
}

/** Epoch of a ledger while it is being rebuilt. It is never valid. */
export const RESTORING = 'restoring:';
const PAGE = 1000;

/** Reads both stores and compares them. @throws {RestoreRefusedError} */
export async function prepareRestore(stores: LedgerStores, scope: RestoreScope): Promise<Prepared> {
  const unsafe = await findUnsafe(stores.client, stores.isDurabilityVouched);
  if (unsafe !== undefined) throw new RestoreRefusedError(`this Redis is not safe for money: ${unsafe}`);
  const [witness, epochs, stored] = [
    await readWitness(stores),
    await readEpochs(stores.database, stores.network),
    await readStoredLedger(stores),
  ];
  if (witness === undefined) throw new RestoreRefusedError(`no ledger of ${stores.network} was ever recorded`);
  const found = conditionOf(stored);
  const { replay, uncopied } = await readJournal(stores, { ...scope, condition: found, witness, epochs, stored });
  const isComplete = hasEveryEntry(stored, witness, replay, uncopied);
  if (isComplete && !scope.isDatabaseRestored && stored.meta?.epoch === witness.epoch)
    throw new RestoreRefusedError('the ledger is healthy: Redis has every recorded entry');
  const condition = isComplete && found === 'rolled back' && scope.isDatabaseRestored ? 'complete' : found;
  const [violation] = replay.violations;
  if (violation !== undefined) {
    const { invariant, subject, detail } = violation;
    throw new RestoreRefusedError(`the journal breaks the rule ${invariant}: ${subject}: ${detail}`);
  }
  return { condition, stored, witness, epochs, uncopied, replay };
}

function conditionOf({ text, meta, laterFormat, journalLength }: StoredLedger): Condition {
  if (laterFormat !== undefined) throw new RestoreRefusedError(laterFormat.message);
  if (text !== null && meta === undefined) throw new RestoreRefusedError(`Redis has an unreadable ledger: ${text}`);
  if (meta?.epoch.startsWith(RESTORING)) return 'unfinished';
  return journalLength === 0 && (meta === undefined || meta.sequence === 0n) ? 'lost' : 'rolled back';
}

function hasEveryEntry(
  { meta }: StoredLedger,
  { sequence }: StorePosition,
  replay: Replay,
  uncopied: readonly JournalEntry[],
): boolean {
  const copied = replay.sequence - BigInt(uncopied.length);
  return meta !== undefined && meta.sequence >= sequence && meta.sequence >= copied;
}

type Found = Pick<Prepared, 'condition' | 'stored' | 'witness' | 'epochs'> & RestoreScope;

/** Replays the copy, and then the entries that only Redis has. What both have must be equal. */
async function readJournal(stores: LedgerStores, found: Found): Promise<Pick<Prepared, 'replay' | 'uncopied'>> {
  const isCompared = found.condition === 'rolled back';
  const comparedTo = lastOf(found);
  const replay = createReplay();
  let storedTo = 0n;
  for await (const page of readBoth(stores)) {
    for (const { sequence, text, stored } of page) {
      replay.apply(sequence, text);
      if (!isCompared || stored === undefined || (comparedTo !== undefined && sequence > comparedTo)) continue;
      if (stored !== text || storedTo !== sequence - 1n)
        throw new RestoreRefusedError(`the journal in Redis differs from its copy at entry ${sequence}`);
      storedTo = sequence;
    }
  }
  if (!isCompared || comparedTo !== undefined) return { replay, uncopied: [] };
  const uncopied = await readUncopied(stores, replay.sequence);
  // The epoch of a restore that the database lost is as unknown to it as that of another ledger. Only the entries tell.
  const isKnownEpoch = found.isDatabaseRestored || found.stored.meta?.epoch === found.witness.epoch;
  if (uncopied.length > 0 && (!isKnownEpoch || storedTo !== replay.sequence))
    throw new RestoreRefusedError('Redis has a journal that does not continue the copy: it is of another ledger');
  for (const { sequence, text } of uncopied) replay.apply(sequence, text);
  return { replay, uncopied };
}

/** The last sequence of an ended epoch. What Redis has after it was decided by an earlier restore. */
function lastOf({ stored, epochs }: Found): bigint | undefined {
  const index = epochs.findIndex(({ epoch }) => epoch === stored.meta?.epoch);
  return index === -1 ? undefined : epochs[index + 1]?.base;
}

async function readUncopied(stores: LedgerStores, after: bigint): Promise<readonly JournalEntry[]> {
  const entries: JournalEntry[] = [];
  for (let from = after + 1n; ; from += BigInt(PAGE)) {
    const page = await readStream(callOf(stores), from, PAGE);
    for (const { sequence, text } of page) {
      if (text === undefined)
        throw new RestoreRefusedError(`entry ${sequence} in Redis has a form that this release does not know`);
      entries.push({ sequence, text });
    }
    if (page.length < PAGE) return entries;
  }
}
