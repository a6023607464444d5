import { hash as digest } from 'node:crypto';
import type { Hex } from 'viem';
import type { Random } from '../engine/random.ts';
import type { Effect, MinedBlock, MinedTransaction, PooledTransaction, TokenCall } from './block.ts';
import { type TokenState, tokenStateAt } from './token.ts';

export const BLOCK_MS = 2000;
const USUAL_FEE = 1_000_000_000n;
const HIGH_FEE = 3_000_000_000n;

export interface BlocksOptions {
  readonly startMs: number;
  readonly random: Random;
  readonly fund: ReadonlyMap<string, bigint>;
}

/** The canonical chain and the pool of transactions. */
export interface Blocks {
  /** Mines every block that is due. */
  readonly advance: (nowMs: number) => void;
  readonly latest: () => MinedBlock;
  readonly blockAt: (number: number) => MinedBlock | undefined;
  readonly find: (
    hash: Hex,
  ) => { readonly transaction: PooledTransaction; readonly block: MinedBlock | undefined } | undefined;
  readonly all: () => readonly MinedBlock[];
  /** The token after a block. */
  readonly tokenAt: (number: number) => TokenState;
  readonly transactionCount: (from: Hex, isPending: boolean) => number;
  readonly add: (transaction: PooledTransaction) => void;
  readonly waiting: (from: Hex, nonce: number) => PooledTransaction | undefined;
  /** Forgets a transaction that is not mined. */
  readonly drop: (hash: Hex) => void;
  /** Removes the last blocks. Most of their transactions wait to be mined again. */
  readonly reorganize: (depth: number, keep: (transaction: PooledTransaction) => boolean) => void;
  readonly raiseFee: (untilMs: number) => void;
  /**
   * Gives an account code (EIP-7702) that accepts its signatures in simulations, and refuses them and uses up all gas in
   * transactions.
   */
  readonly giveCode: (account: Hex) => void;
  readonly hasCode: (account: Hex) => boolean;
}

export function createBlocks({ startMs, random, fund }: BlocksOptions): Blocks {
  const blocks: MinedBlock[] = [block(0, startMs, USUAL_FEE, [], '')];
  let pool: PooledTransaction[] = [];
  let feeHighUntilMs = 0;
  let forks = 0;
  const coded = new Set<string>();
  const key = (hex: Hex) => hex.toLowerCase();
  const refuses = (call: TokenCall) => call.kind === 'transferWithAuthorization' && coded.has(key(call.from));
  /** What a transaction does. After a call that uses up the gas, a batch does nothing more. */
  const effectsOf = ({ calls }: PooledTransaction, token: TokenState, atS: number): readonly Effect[] => {
    const first = calls.findIndex(refuses);
    const runnable = first < 0 ? calls : calls.slice(0, first);
    return runnable.map((call) => token.apply(call, atS)).filter((effect) => effect !== undefined);
  };
  const latest = () => blocks.at(-1) ?? block(0, startMs, USUAL_FEE, [], '');
  const minedCount = (from: Hex) =>
    blocks.reduce(
      (sum, { transactions }) => sum + transactions.filter((each) => key(each.from) === key(from)).length,
      0,
    );

  function mine(atMs: number): void {
    const baseFee = atMs < feeHighUntilMs ? HIGH_FEE : USUAL_FEE;
    const mined: MinedTransaction[] = [];
    if (pool.length === 0) {
      blocks.push(block(latest().number + 1, atMs, baseFee, mined, `${latest().hash} ${forks}`));
      return;
    }
    const token = tokenStateAt(blocks, latest().number, fund);
    const next = new Map<string, number>();
    for (const transaction of pool.toSorted((one, other) => one.nonce - other.nonce)) {
      const sender = key(transaction.from);
      const expected = next.get(sender) ?? minedCount(transaction.from);
      next.set(sender, expected);
      const isPayable = transaction.maxFeePerGas >= baseFee && transaction.notBeforeMs <= atMs;
      if (transaction.nonce !== expected || !isPayable) continue;
      mined.push({ ...transaction, effects: effectsOf(transaction, token, Math.floor(atMs / 1000)) });
      next.set(sender, expected + 1);
    }
    const hashes = new Set(mined.map(({ hash }) => hash));
    pool = pool.filter(({ hash, from, nonce }) => !hashes.has(hash) && nonce >= (next.get(key(from)) ?? 0));
    blocks.push(block(latest().number + 1, atMs, baseFee, mined, `${latest().hash} ${forks}`));
  }

  return {
    advance(nowMs) {
      while (latest().atMs + BLOCK_MS <= nowMs) mine(latest().atMs + BLOCK_MS);
    },
    latest,
    blockAt: (number) => blocks[number],
    find(hash) {
      for (const mined of blocks) {
        const transaction = mined.transactions.find((each) => each.hash === hash);
        if (transaction !== undefined) return { transaction, block: mined };
      }
      const transaction = pool.find((each) => each.hash === hash);
      return transaction && { transaction, block: undefined };
    },
    all: () => blocks,
    tokenAt: (number) => tokenStateAt(blocks, number, fund),
    transactionCount(from, isPending) {
      let count = minedCount(from);
      while (isPending && pool.some((each) => key(each.from) === key(from) && each.nonce === count)) count += 1;
      return count;
    },
    add(transaction) {
      pool = pool.filter(({ from, nonce }) => key(from) !== key(transaction.from) || nonce !== transaction.nonce);
      pool.push(transaction);
    },
    waiting: (from, nonce) => pool.find((each) => key(each.from) === key(from) && each.nonce === nonce),
    drop(hash) {
      pool = pool.filter((each) => each.hash !== hash);
    },
    reorganize(depth, keep) {
      forks += 1;
      const removed = blocks.splice(Math.max(1, blocks.length - depth));
      const orphans = removed.flatMap(({ transactions }) => transactions).filter(keep);
      pool.push(...orphans.map(({ effects: _, ...transaction }) => transaction));
      // The other branch is as long as the removed one, and has none of its transactions yet.
      const held = pool;
      pool = [];
      for (const { atMs } of removed) mine(atMs);
      pool = held.map((each) => ({ ...each, notBeforeMs: each.notBeforeMs + random.below(4 * BLOCK_MS) }));
    },
    raiseFee(untilMs) {
      feeHighUntilMs = untilMs;
    },
    giveCode: (account) => void coded.add(key(account)),
    hasCode: (account) => coded.has(key(account)),
  };
}

function block(
  number: number,
  atMs: number,
  baseFee: bigint,
  transactions: readonly MinedTransaction[],
  parent: string,
): MinedBlock {
  // Any digest of the parent and the transactions will do.
  const hash = `0x${digest('sha256', `${parent} ${number} ${transactions.map((each) => each.hash).join()}`)}` as const;
  return { number, hash, atMs, baseFee, transactions };
}
