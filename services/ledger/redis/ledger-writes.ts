import { createBatch } from '../../platform/batch.ts';
import { RedisSlowError } from '../../platform/redis/redis-client.ts';
import type { RedisGuard } from '../../platform/redis/redis-guard.ts';
import { type LedgerPosition, LedgerUnavailableError } from '../contract/ledger.ts';
import { type CallOptions, callOnce, callUntilAnswered } from './function-calls.ts';
import { readBatch, type WriteReply } from './ledger-replies.ts';

export type WriteName = 'reserve' | 'charge' | 'fund' | 'post' | 'void';

export interface WriteAnswer extends WriteReply {
  /** How far the journal was after the write. */
  readonly position: LedgerPosition;
}

/**
 * Writes to the ledger. `read` checks the reply and throws `RedisReplyError` for a malformed one.
 * @throws {LedgerUnavailableError}
 */
export type Write = <Value>(
  name: WriteName,
  args: readonly string[],
  read: (answer: WriteAnswer) => Value,
) => Promise<Value>;

export interface WriteOptions extends CallOptions {
  readonly guard: Pick<RedisGuard, 'position' | 'saw' | 'suspect'>;
  /** Arguments of every `reserve`, before those of its subjects. */
  readonly limits: readonly string[];
  /** How long a call is repeated while its replies are lost. */
  readonly answerWithinMs: number;
  /** Time argument of the functions. */
  readonly now: () => string;
}

interface WriteItem {
  readonly args: readonly string[];
  /** When to stop waiting, on the clock of `performance.now()`. */
  readonly untilMs: number;
}

/** Batches the writes of one turn of the event loop. Each write must find the journal where this process last saw it. */
export function createWrite(options: WriteOptions): Write {
  const { guard, answerWithinMs } = options;
  const batches = {
    reserve: createBatchOf('reserve', options.limits, options),
    charge: createBatchOf('charge', [], options),
    fund: createBatchOf('fund', [], options),
    post: createBatchOf('post', [], options),
    void: createBatchOf('void', [], options),
  };
  return async (name, args, read) => {
    guard.position();
    const untilMs = performance.now() + answerWithinMs;
    try {
      const call = async () => read(await batches[name]({ args, untilMs }));
      return await callUntilAnswered(call, { untilMs, isRefusalRepeated: name === 'post' || name === 'void' });
    } catch (error) {
      const isSlow = error instanceof LedgerUnavailableError && error.cause instanceof RedisSlowError;
      if (!isSlow) guard.suspect('a write failed');
      throw error;
    }
  };
}

function createBatchOf(name: WriteName, limits: readonly string[], options: WriteOptions) {
  const { client, prefix, timeoutMs, guard, now } = options;
  return createBatch(async (items: readonly WriteItem[]): Promise<readonly WriteAnswer[]> => {
    const { epoch, sequence } = guard.position();
    const leftMs = Math.min(...items.map(({ untilMs }) => untilMs)) - performance.now();
    const args = [epoch, String(sequence), now(), ...limits, ...items.flatMap((item) => item.args)];
    const call = { client, prefix, timeoutMs: Math.max(1, Math.min(timeoutMs, leftMs)) };
    const reply = readBatch(await callOnce(call, name, args), items.length);
    if (reply.state === 'rolled_back')
      throw new LedgerUnavailableError('rolled_back', `the ledger is at ${reply.sequence}, it was at ${sequence}`);
    const position = { epoch, sequence: reply.sequence };
    guard.saw(position.sequence);
    return reply.writes.map((write) => ({ ...write, position }));
  });
}
