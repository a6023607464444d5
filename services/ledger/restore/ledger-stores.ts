import { findLaterFormat, type LaterFormatError } from '../../platform/redis/later-format.ts';
import type { RedisClient } from '../../platform/redis/redis-client.ts';
import type { StorePosition } from '../../platform/redis/redis-guard.ts';
import type { Database } from '../../store/database.ts';
import { type JournalEntry, readCopy } from '../../store/ledger-copy.ts';
import type { CallOptions } from '../redis/function-calls.ts';
import { LEDGER_LIBRARY } from '../redis/function-library.ts';
import { readStream } from '../redis/journal-pages.ts';
import { formatOf, type LedgerMeta, parseMeta } from '../redis/record-texts.ts';

/** The stores of a ledger: Redis, and the copy of its journal in PostgreSQL. */
export interface LedgerStores {
  readonly database: Database;
  readonly client: RedisClient;
  /** CAIP-2. */
  readonly network: string;
  /** Whether the operator vouches for a Redis that does not show its settings. */
  readonly isDurabilityVouched: boolean;
  /** Longest wait for a reply of Redis. */
  readonly timeoutMs: number;
}

export const callOf = ({ client, network, timeoutMs }: LedgerStores): CallOptions => ({
  client,
  timeoutMs,
  prefix: `tollhouse:{${network}}:`,
});

/** The farthest recorded position of the valid epoch. Undefined if no ledger was recorded. */
export function readWitness({ database, network }: Pick<LedgerStores, 'database' | 'network'>) {
  return database
    .selectFrom('ledger_witness')
    .select(['epoch', 'sequence'])
    .where('network', '=', network)
    .executeTakeFirst() satisfies Promise<StorePosition | undefined>;
}

/** What Redis has of the ledger, read without its functions: a new Redis does not have them. */
export interface StoredLedger {
  /** The stored text, or null. */
  readonly text: string | null;
  /** Undefined if there is no text, or if it cannot be read. */
  readonly meta: LedgerMeta | undefined;
  /** Set if a later release wrote the ledger. Then this release must not read or change it. */
  readonly laterFormat: LaterFormatError | undefined;
  readonly journalLength: number;
}

export async function readStoredLedger(stores: LedgerStores): Promise<StoredLedger> {
  const { client, prefix } = callOf(stores);
  const [text, journalLength] = await Promise.all([client.get(`${prefix}meta`), client.xLen(`${prefix}journal`)]);
  if (text === null) return { text, meta: undefined, laterFormat: undefined, journalLength };
  const laterFormat = findLaterFormat('ledger', formatOf(text), LEDGER_LIBRARY.format);
  return { text, meta: parseMeta(text), laterFormat, journalLength };
}

/** A copied entry, with the text of the entry in Redis that has its sequence. */
export interface ComparedEntry extends JournalEntry {
  readonly stored: string | undefined;
}

/** Reads the copy together with the entries in Redis, in pages. */
export async function* readBoth(stores: LedgerStores): AsyncGenerator<readonly ComparedEntry[]> {
  for await (const page of readCopy(stores.database, stores.network)) {
    const [first] = page;
    if (first === undefined) continue;
    const stream = await readStream(callOf(stores), first.sequence, page.length);
    const texts = new Map(stream.map(({ sequence, text }) => [sequence, text]));
    yield page.map((copied) => ({ ...copied, stored: texts.get(copied.sequence) }));
  }
}
