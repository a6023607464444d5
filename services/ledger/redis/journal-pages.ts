import { answerWithin } from '../../platform/redis/redis-client.ts';
import { RedisReplyError } from '../../platform/redis/redis-replies.ts';
import type { JournalPage } from '../contract/ledger.ts';
import { type CallOptions, callOnce } from './function-calls.ts';
import type { Replay } from './journal-replay.ts';
import { readTotals } from './ledger-replies.ts';

/** An entry of the stream. The text is undefined unless the entry has exactly one field, `entry`. */
export interface StreamEntry {
  readonly sequence: bigint;
  readonly text: string | undefined;
}

/** Reads up to `limit` entries from the sequence `from` on. */
export async function readStream(
  { client, prefix, timeoutMs }: CallOptions,
  from: bigint,
  limit: number,
): Promise<readonly StreamEntry[]> {
  const page = await answerWithin(client.xRange(`${prefix}journal`, `${from}-0`, '+', { COUNT: limit }), timeoutMs);
  if (page === null) return [];
  return page.map(({ id, message }) => {
    // A later release may add fields. Without them, the copy would lack a part of the entry.
    const text = Object.keys(message).length === 1 ? message['entry'] : undefined;
    return { sequence: BigInt(id.slice(0, id.indexOf('-'))), text };
  });
}

const PAGE_ENTRIES = 1000;

/** Applies the journal entries that the replay does not have yet. */
export async function catchUp(call: CallOptions, replay: Replay): Promise<void> {
  for (;;) {
    const page = await readStream(call, replay.sequence + 1n, PAGE_ENTRIES);
    for (const { sequence, text } of page) replay.apply(sequence, text);
    if (page.length < PAGE_ENTRIES) return;
  }
}

/** The position is read first. So the entries are of its epoch, or of a later one that is recorded outside Redis by now. */
export async function readJournal(call: CallOptions, from: bigint, limit: number): Promise<JournalPage> {
  const { epoch, sequence } = readTotals(await callOnce(call, 'totals', ['']));
  const entries = (await readStream(call, from, limit)).map(({ sequence: at, text }) => {
    if (text === undefined) throw new RedisReplyError(`XRANGE of the journal at ${at}`, 'an entry of an unknown form');
    return { sequence: at, text };
  });
  return { position: { epoch, sequence: BigInt(sequence) }, entries };
}
