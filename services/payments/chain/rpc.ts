import {
  BaseError,
  BlockNotFoundError,
  ExecutionRevertedError,
  formatLog,
  formatTransaction,
  formatTransactionReceipt,
  type Hex,
  type Log,
  numberToHex,
  type RpcTransactionReceipt,
  type Transaction,
} from 'viem';
import { toLowerHex } from '../payment/hex.ts';
import { NodeReplyError } from './node-replies.ts';
import { oneNode, type Rpc } from './nodes.ts';

/** Versions of a transaction of which one node is asked, beside what else it is asked: with more, the batch would be split. */
export const MOST_VERSIONS = 40;

/** Whether the chain reverted what was estimated, in contrast to a node that did not answer. */
export const isRevert = (error: unknown): boolean =>
  error instanceof BaseError && error.walk((cause) => cause instanceof ExecutionRevertedError) !== null;

export interface Block {
  readonly number: bigint;
  /** Lower case. */
  readonly hash: Hex;
  /** Unix seconds. */
  readonly timestamp: bigint;
}

const toBlock = ({ number, hash, timestamp }: Block): Block => ({ number, hash: toLowerHex(hash), timestamp });

/** @throws {NodeReplyError} */
export const readLatestBlock = async (rpc: Rpc): Promise<Block> => toBlock(await rpc.getBlock({ blockTag: 'latest' }));

/**
 * Reads a block of the canonical chain.
 * @returns undefined where the chain of the node has no such block
 * @throws {NodeReplyError}
 */
export async function readBlock(rpc: Rpc, blockNumber: bigint): Promise<Block | undefined> {
  try {
    return toBlock(await rpc.getBlock({ blockNumber }));
  } catch (error) {
    if (error instanceof BlockNotFoundError) return undefined;
    throw error;
  }
}

/** viem's own method gives a caller the answer to another one, which may come from another node. @throws {NodeReplyError} */
export const readBlockNumber = async (rpc: Rpc): Promise<bigint> =>
  BigInt(await rpc.request({ method: 'eth_blockNumber' }));

/** A log of a mined transaction. */
export type EventLog = Log<bigint, number, false>;

export interface Receipt {
  readonly success: boolean;
  /** The called contract; null for a transaction that makes one. */
  readonly to: Hex | null;
  readonly gasUsed: bigint;
  /** What its gas cost, with the fee of the first layer where the chain has one; `unknown` where the node does not say. */
  readonly costWei: bigint | 'unknown';
  /** The number of its block. */
  readonly block: bigint;
  readonly logs: readonly EventLog[];
}

/**
 * Finds the receipt of a mined transaction. viem's own method throws an error with a stack for each receipt that does not
 * exist yet.
 * @throws {NodeReplyError}
 */
export async function findReceipt(rpc: Rpc, hash: Hex): Promise<Receipt | undefined> {
  const reply: (RpcTransactionReceipt & { readonly l1Fee?: Hex | null }) | null = await rpc.request({
    method: 'eth_getTransactionReceipt',
    params: [hash],
  });
  if (reply === null) return undefined;
  const { status, to, gasUsed, blockNumber: block, logs } = formatTransactionReceipt(reply);
  const price: Hex | undefined = reply.effectiveGasPrice;
  const costWei = price === undefined ? 'unknown' : gasUsed * BigInt(price) + BigInt(reply.l1Fee ?? 0);
  return { success: status === 'success', to, gasUsed, costWei, block, logs };
}

/** Like `findReceipt`, for a transaction of which a node has shown a log. @throws {NodeReplyError} where another one lags */
export async function readReceipt(rpc: Rpc, hash: Hex): Promise<Receipt> {
  const receipt = await findReceipt(rpc, hash);
  if (receipt === undefined) throw new NodeReplyError('eth_getTransactionReceipt', null);
  return receipt;
}

/** Whether an account has code now, which decides by itself what it signed. @throws {NodeReplyError} */
export const hasCode = async (rpc: Rpc, address: Hex): Promise<boolean> =>
  (await rpc.request({ method: 'eth_getCode', params: [address, 'latest'] })) !== '0x';

export interface LogFilter {
  readonly address: Hex;
  readonly topics: (Hex | null | Hex[])[];
}

/** Blocks, both included. */
export interface LogRange {
  readonly from: bigint;
  readonly to: bigint;
  /** The hash of the last block, where it is known. */
  readonly hash?: Hex | undefined;
}

/** Most blocks that public nodes search in one request. */
export const LOG_RANGE_BLOCKS = 1000n;

/** The parts of a range that are each searched by one request. */
export function* pagesOf({ from, to, hash }: LogRange): Generator<LogRange> {
  for (let first = from; first <= to; first += LOG_RANGE_BLOCKS) {
    const end = first + LOG_RANGE_BLOCKS - 1n;
    yield end < to ? { from: first, to: end } : { from: first, to, hash };
  }
}

/**
 * Asks one node for the logs of blocks, and for the last block.
 * @throws {BlockNotFoundError} if this node lacks the last block, or has another one: it would leave out logs in silence
 * @throws {NodeReplyError}
 */
export async function readLogs(rpc: Rpc, filter: LogFilter, { from, to, hash }: LogRange): Promise<EventLog[]> {
  const range = { fromBlock: numberToHex(from), toBlock: numberToHex(to) };
  const [logs, last] = await oneNode(() =>
    Promise.all([rpc.request({ method: 'eth_getLogs', params: [{ ...filter, ...range }] }), readBlock(rpc, to)]),
  );
  if (last === undefined || (hash !== undefined && last.hash !== hash))
    throw new BlockNotFoundError({ blockNumber: to });
  return logs.map((log) => formatLog(log) as EventLog);
}

/** @returns undefined when the node does not know the transaction. @throws {NodeReplyError} */
export async function findTransaction(rpc: Rpc, hash: Hex): Promise<Transaction | undefined> {
  const transaction = await rpc.request({ method: 'eth_getTransactionByHash', params: [hash] });
  return transaction === null ? undefined : formatTransaction(transaction);
}

const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 500;

/** Calls `find` with growing pauses until it returns a value. @returns undefined after `timeoutMs` */
export async function pollFor<T>(
  find: () => Promise<T | undefined>,
  timeoutMs: number,
  now = () => performance.now(),
): Promise<T | undefined> {
  const untilMs = now() + timeoutMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.6, LONGEST_PAUSE_MS)) {
    const found = await find();
    if (found !== undefined || now() + pauseMs > untilMs) return found;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
