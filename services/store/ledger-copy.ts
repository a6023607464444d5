import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database, Tables } from './database.ts';

/** An entry of the ledger's journal. */
export interface JournalEntry {
  readonly sequence: bigint;
  readonly text: string;
}

/** The last entry that was copied. Before the first one, the sequence is 0 and there is no text. */
export interface CopyHead {
  readonly epoch: string;
  readonly sequence: bigint;
  readonly text: string | undefined;
}

export interface LedgerEpoch {
  readonly generation: number;
  readonly epoch: string;
  /** Sequence of the last entry before this epoch. */
  readonly base: bigint;
}

/** The journal in Redis does not continue the copy. Nothing was copied. */
export class CopyRefusedError extends Error {
  override readonly name = 'CopyRefusedError';
}

const PAGE = 1000;

type Reader = Kysely<Tables>;

/** The epochs of a ledger, the oldest first. Empty until the first entry is copied. */
export function readEpochs(database: Reader, network: string): Promise<readonly LedgerEpoch[]> {
  return database
    .selectFrom('ledger_epoch')
    .select(['generation', 'epoch', 'base'])
    .where('network', '=', network)
    .orderBy('generation')
    .execute();
}

/** The end of the copy. Undefined until the first entry is copied. */
export async function readCopyHead(database: Reader, network: string): Promise<CopyHead | undefined> {
  const epochs = await readEpochs(database, network);
  const current = epochs.at(-1);
  if (current === undefined) return undefined;
  for (const { epoch } of epochs.toReversed()) {
    const last = await database
      .selectFrom('ledger_entry')
      .select(['sequence', 'entry'])
      .where('network', '=', network)
      .where('epoch', '=', epoch)
      .orderBy('sequence', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (last !== undefined) return { epoch: current.epoch, sequence: last.sequence, text: last.entry };
  }
  return { epoch: current.epoch, sequence: 0n, text: undefined };
}

/** The copied entries of all epochs in pages, in the order of their sequences. */
export async function* readCopy(database: Reader, network: string): AsyncGenerator<readonly JournalEntry[]> {
  for (const { epoch, base } of await readEpochs(database, network)) {
    let after = base;
    for (;;) {
      const page = await database
        .selectFrom('ledger_entry')
        .select(['sequence', 'entry as text'])
        .where('network', '=', network)
        .where('epoch', '=', epoch)
        .where('sequence', '>', after)
        .orderBy('sequence')
        .limit(PAGE)
        .execute();
      if (page.length > 0) yield page;
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) break;
      after = last.sequence;
    }
  }
}

/** Serializes everything that appends to the copy of a ledger, until the transaction ends. */
export async function lockCopy(transaction: Transaction<Tables>, network: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('ledger_entry'), hashtext(${network}))`.execute(transaction);
}

/**
 * Appends entries that Redis has. Entries that are copied already are skipped, so several copiers may run.
 * @throws {CopyRefusedError} if the entries do not continue the copy, or if their epoch is not the valid one
 */
export async function copyEntries(
  database: Database,
  { network, epoch }: { readonly network: string; readonly epoch: string },
  entries: readonly JournalEntry[],
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await lockCopy(transaction, network);
    const valid = await transaction
      .selectFrom('ledger_witness')
      .select('epoch')
      .where('network', '=', network)
      .executeTakeFirst();
    if (valid?.epoch !== epoch)
      throw new CopyRefusedError(
        `Redis has the epoch ${epoch}, but the valid epoch is ${valid?.epoch ?? 'not recorded'}`,
      );
    const head = (await readCopyHead(transaction, network)) ?? (await beginFirstEpoch(transaction, network, epoch));
    if (head.epoch !== epoch) throw new CopyRefusedError(`the copy is of the epoch ${head.epoch}, not ${epoch}`);
    const fresh = entries.filter(({ sequence }) => sequence > head.sequence);
    await appendEntries(transaction, { network, epoch, after: head.sequence }, fresh);
  });
  // The entries prove how far the ledger was. This is a statement of its own, so that it holds no lock for long.
  const last = entries.at(-1);
  if (last === undefined) return;
  await database
    .updateTable('ledger_witness')
    .set({ sequence: last.sequence })
    .where('network', '=', network)
    .where('epoch', '=', epoch)
    .where('sequence', '<', last.sequence)
    .execute();
}

/** Appends entries that follow the sequence `after`. The caller holds the lock of `lockCopy`. @throws {CopyRefusedError} */
export async function appendEntries(
  transaction: Transaction<Tables>,
  { network, epoch, after }: { readonly network: string; readonly epoch: string; readonly after: bigint },
  entries: readonly JournalEntry[],
): Promise<void> {
  for (const [index, { sequence }] of entries.entries()) {
    const expected = after + BigInt(index) + 1n;
    if (sequence !== expected) throw new CopyRefusedError(`the journal has entry ${sequence} instead of ${expected}`);
  }
  for (let at = 0; at < entries.length; at += PAGE) {
    const page = entries.slice(at, at + PAGE);
    await sql`INSERT INTO ledger_entry (network, epoch, sequence, entry)
      SELECT ${network}, ${epoch}, sequence, entry FROM unnest(
        ${page.map(({ sequence }) => String(sequence))}::bigint[], ${page.map(({ text }) => text)}::text[]
      ) AS copied (sequence, entry)`.execute(transaction);
  }
}

async function beginFirstEpoch(transaction: Transaction<Tables>, network: string, epoch: string): Promise<CopyHead> {
  await beginEpoch(transaction, network, { generation: 1, epoch, base: 0n });
  return { epoch, sequence: 0n, text: undefined };
}

/** Adds an epoch. The caller holds the lock of `lockCopy`. */
export async function beginEpoch(transaction: Transaction<Tables>, network: string, epoch: LedgerEpoch): Promise<void> {
  await transaction
    .insertInto('ledger_epoch')
    .values({ network, ...epoch })
    .execute();
}
