import { parseEntry } from '../../ledger/contract/journal-entries.ts';
import { readCopyHead } from '../../store/ledger-copy.ts';
import type { JournalCopierDeps } from './copy-journal.ts';

/** How far the copy of the journal is behind Redis. */
export interface JournalLag {
  /** Entries that are not copied yet. */
  readonly entries: bigint;
  /** Age of the oldest of them, by the clock of Redis; 0 without one. */
  readonly milliseconds: number;
}

export interface ObservedJournal extends JournalCopierDeps {
  /** The clock of Redis. */
  readonly now: () => number;
}

export async function readJournalLag({ database, ledger, network, now }: ObservedJournal): Promise<JournalLag> {
  // The copy is read first, so that it is never ahead of the journal.
  const head = await readCopyHead(database, network);
  const copied = head === undefined ? 0n : head.sequence;
  const { position, entries } = await ledger.journal(copied + 1n, 1);
  const lag = position.sequence > copied ? position.sequence - copied : 0n;
  const [oldest] = entries;
  const writtenMs = oldest === undefined ? undefined : parseEntry(oldest.text)?.timeMs;
  return {
    entries: lag,
    milliseconds: lag === 0n || writtenMs === undefined ? 0 : Math.max(0, Math.floor(now() - writtenMs)),
  };
}
