import { setTimeout as delay } from 'node:timers/promises';
import type { Ledger } from '../../ledger/contract/ledger.ts';
import type { Database } from '../../store/database.ts';
import { CopyRefusedError, copyEntries, type JournalEntry, readCopyHead } from '../../store/ledger-copy.ts';

export interface JournalCopierDeps {
  readonly database: Database;
  readonly ledger: Pick<Ledger, 'journal'>;
  /** CAIP-2. */
  readonly network: string;
}

/** Time between two reads of a journal that has nothing new. */
const POLL_MS = 250;
const BATCH = 1000;

/**
 * Copies the journal of the ledger from Redis to PostgreSQL, where it survives the loss of Redis. It follows the journal
 * until `signal` aborts.
 * @throws {CopyRefusedError} if the journal does not continue the copy: Redis lost entries, or it is another ledger. The
 *   copy keeps what it has.
 */
export async function followJournal(deps: JournalCopierDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const isFull = await copyBatch(deps);
    if (!isFull) await delay(POLL_MS, undefined, { signal }).catch(() => {});
  }
}

/** Copies the next entries. @returns whether there may be more */
async function copyBatch({ database, ledger, network }: JournalCopierDeps): Promise<boolean> {
  const head = await readCopyHead(database, network);
  // Reading the last copied entry again shows whether the journal still continues the copy.
  const from = head === undefined || head.sequence === 0n ? 1n : head.sequence;
  const { position, entries } = await ledger.journal(from, BATCH + 1);
  if (head?.text !== undefined) assertContinues(head.sequence, head.text, entries[0]);
  const fresh = entries.filter(({ sequence }) => head === undefined || sequence > head.sequence);
  if (fresh.length > 0) await copyEntries(database, { network, epoch: position.epoch }, fresh);
  return fresh.length >= BATCH;
}

function assertContinues(sequence: bigint, text: string, found: JournalEntry | undefined): void {
  if (found === undefined) throw new CopyRefusedError(`Redis has lost the journal from entry ${sequence} or before`);
  if (found.sequence !== sequence || found.text !== text)
    throw new CopyRefusedError(`the journal in Redis differs from its copy at entry ${sequence}`);
}
