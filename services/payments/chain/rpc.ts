import {
  BaseError,
  BlockNotFoundError,
  createPublicClient,
  ExecutionRevertedError,
  type Hex,
  http,
  numberToHex,
  type PublicClient,
} from 'viem';
import { isRecord } from '../../platform/is-record.ts';
import { isBytes32, toLowerHex } from '../payment/hex.ts';
import {
  type EventLog,
  NodeReplyError,
  readBlockNumberReply,
  readBlockReply,
  readCodeReply,
  readCountReply,
  readReceiptReply,
  readTransactionReply,
  type Transaction,
} from './node-replies.ts';

export type Rpc = PublicClient;

const ANSWER_MS = 5000;
/** Calls of one turn of the event loop go in one HTTP request. */
const MAX_BATCH = 50;
/** Versions of a transaction of which one node is asked, beside what else it is asked: with more, the batch would be split. */
export const MOST_VERSIONS = 40;

export function createRpc(url: string): Rpc {
  // No retries here: the callers know which calls may be repeated.
  const transport = http(url, {
    fetchFn: fetchOnce,
    timeout: ANSWER_MS,
    retryCount: 0,
    batch: { batchSize: MAX_BATCH },
  });
  return createPublicClient({ transport, cacheTime: 0 });
}

/**
 * Follows no redirect, which would let another host answer for the chain. The time limit includes the body: that of viem
 * ends with the headers. viem takes the answers of a batch by their order, so each call must have its own one: an answer
 * that is left out, or an error without an id, would give calls the answers of others.
 */
const fetchOnce: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) });
  if (!response.ok) return response;
  const text = await readText(response);
  const [asked, answered] = [idsOf(String(init?.body)), idsOf(text)];
  if (answered !== undefined && answered !== asked)
    throw new Error('the node did not answer each call of a batch once');
  const { status, headers } = response;
  return new Response(text, { status, headers: { 'content-type': headers.get('content-type') ?? '' } });
};

/** Longest reply, in UTF-16 units. */
const MAX_REPLY = 10 * 2 ** 20;

async function readText({ body }: Response): Promise<string> {
  let text = '';
  for await (const part of (body ?? new Blob([]).stream()).pipeThrough(new TextDecoderStream())) {
    text += part;
    if (text.length > MAX_REPLY) throw new Error('the reply of the node is too long');
  }
  return text;
}

/** @returns the sorted ids of a batch as JSON; undefined if the text is not a batch */
function idsOf(json: string): string | undefined {
  const batch: unknown = JSON.parse(json);
  if (!Array.isArray(batch)) return undefined;
  const ids: unknown[] = batch.map((each) => (isRecord(each) ? each['id'] : undefined));
  return JSON.stringify(ids.toSorted((one, other) => Number(one) - Number(other)));
}

/** What the requests of one turn of the event loop share that go in one HTTP request, without any others. */
export interface OneNode {
  readonly signal: AbortSignal;
}

/**
 * Behind a URL there can be several nodes, and some lag behind. Requests that are made with one of these are answered by the
 * same node. Without it, a request may wait for the answer to the same one of another caller, or a full batch may be split.
 * viem has a batch for each signal.
 */
export const oneNode = (): OneNode => ({ signal: new AbortController().signal });

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

/** @throws {NodeReplyError} */
export async function readLatestBlock(rpc: Rpc): Promise<Block> {
  return toBlock(await rpc.getBlock({ blockTag: 'latest' }));
}

/**
 * Reads a block of the canonical chain.
 * @returns undefined where the chain of the node has no such block
 * @throws {NodeReplyError}
 */
export async function readBlock(rpc: Rpc, blockNumber: bigint): Promise<Block | undefined> {
  try {
    const block = toBlock(await rpc.getBlock({ blockNumber }));
    if (block.number !== blockNumber) throw new NodeReplyError('eth_getBlockByNumber', block);
    return block;
  } catch (error) {
    if (error instanceof BlockNotFoundError) return undefined;
    throw error;
  }
}

/** viem leaves fields undefined that a node leaves out. */
function toBlock(block: { readonly number: unknown; readonly hash: unknown; readonly timestamp: unknown }): Block {
  const { number, hash, timestamp } = block;
  const isWhole = typeof number === 'bigint' && typeof timestamp === 'bigint' && typeof hash === 'string';
  if (!isWhole || !isBytes32(hash)) throw new NodeReplyError('eth_getBlockByNumber', block);
  return { number, hash: toLowerHex(hash), timestamp };
}

export interface Receipt {
  readonly success: boolean;
  /** The called contract; undefined for a transaction that makes one. */
  readonly to: Hex | undefined;
  readonly gasUsed: bigint;
  /** What its gas cost, with the fee of the first layer where the chain has one; `unknown` where the node does not say. */
  readonly costWei: bigint | 'unknown';
  /** The number of its block. */
  readonly block: bigint;
  readonly logs: readonly EventLog[];
}

/**
 * Finds the receipt of a mined transaction. The raw request avoids viem's formatting, which throws an error with a stack
 * for each receipt that does not exist yet.
 * @throws {NodeReplyError}
 */
export async function findReceipt(rpc: Rpc, hash: Hex, node?: OneNode): Promise<Receipt | undefined> {
  const reply: unknown = await rpc.request({ method: 'eth_getTransactionReceipt', params: [hash] }, node);
  const receipt = readReceiptReply(reply);
  if (receipt === null) return undefined;
  assertSameHash('eth_getTransactionReceipt', receipt.transactionHash, hash);
  const { status, to, gasUsed, effectiveGasPrice, l1Fee, blockNumber, logs } = receipt;
  const costWei =
    effectiveGasPrice === undefined ? 'unknown' : BigInt(gasUsed) * BigInt(effectiveGasPrice) + BigInt(l1Fee ?? 0);
  const block = BigInt(blockNumber);
  return { success: status === '0x1', to: to ?? undefined, gasUsed: BigInt(gasUsed), costWei, block, logs };
}

/** Like `findReceipt`, for a transaction of which a node has shown a log. @throws {NodeReplyError} where another one lags */
export async function readReceipt(rpc: Rpc, hash: Hex): Promise<Receipt> {
  const receipt = await findReceipt(rpc, hash);
  if (receipt === undefined) throw new NodeReplyError('eth_getTransactionReceipt', null);
  return receipt;
}

/**
 * How many transactions of an account are in the blocks up to one, or are in a block or wait to be mined.
 * @throws {NodeReplyError}
 */
export async function countSent(rpc: Rpc, { address, block }: SentUpTo, node: OneNode): Promise<number> {
  const params: [Hex, Hex | 'pending'] = [address, block === 'pending' ? block : numberToHex(block)];
  return Number(readCountReply(await rpc.request({ method: 'eth_getTransactionCount', params }, node)));
}

export interface SentUpTo {
  readonly address: Hex;
  readonly block: bigint | 'pending';
}

/** @throws {NodeReplyError} */
export const readBlockNumber = async (rpc: Rpc, node: OneNode): Promise<bigint> =>
  BigInt(readBlockNumberReply(await rpc.request({ method: 'eth_blockNumber' }, node)));

/** Whether an account has code now, which decides by itself what it signed. @throws {NodeReplyError} */
export async function hasCode(rpc: Rpc, address: Hex): Promise<boolean> {
  return readCodeReply(await rpc.request({ method: 'eth_getCode', params: [address, 'latest'] })) !== '0x';
}

export interface LogFilter {
  readonly address: Hex;
  readonly topics: (Hex | null | Hex[])[];
}

/** @returns undefined where the node has no block of this number. @throws {NodeReplyError} */
export async function readBlockHash(rpc: Rpc, number: bigint, node: OneNode): Promise<Hex | undefined> {
  const reply = await rpc.request({ method: 'eth_getBlockByNumber', params: [numberToHex(number), false] }, node);
  const block = readBlockReply(reply);
  if (block !== null && BigInt(block.number) !== number) throw new NodeReplyError('eth_getBlockByNumber', reply);
  return block === null ? undefined : toLowerHex(block.hash);
}

/** Blocks, both included. */
export interface LogRange {
  readonly from: bigint;
  readonly to: bigint;
  /** The hash of the last block, where it is known. */
  readonly hash?: Hex | undefined;
}

/**
 * Asks one node for the logs of blocks, and for the last block.
 * @throws {BlockNotFoundError} if this node lacks the last block, or has another one: it would leave out logs in silence
 * @throws {NodeReplyError}
 */
export async function requestLogs(
  rpc: Rpc,
  { address, topics }: LogFilter,
  { from, to, hash }: LogRange,
): Promise<unknown> {
  const range = { fromBlock: numberToHex(from), toBlock: numberToHex(to) };
  const params: [LogFilter & typeof range] = [{ address, topics, ...range }];
  const node = oneNode();
  const [reply, last]: readonly [unknown, Hex | undefined] = await Promise.all([
    rpc.request({ method: 'eth_getLogs', params }, node),
    readBlockHash(rpc, to, node),
  ]);
  if (last === undefined || (hash !== undefined && last !== hash)) throw new BlockNotFoundError({ blockNumber: to });
  return reply;
}

/** @throws {NodeReplyError} */
async function findRawTransaction(rpc: Rpc, hash: Hex): Promise<Transaction | undefined> {
  const reply: unknown = await rpc.request({ method: 'eth_getTransactionByHash', params: [hash] });
  const transaction = readTransactionReply(reply);
  if (transaction === null) return undefined;
  assertSameHash('eth_getTransactionByHash', transaction.hash, hash);
  return transaction;
}

function assertSameHash(method: string, found: Hex, asked: Hex): void {
  if (found.toLowerCase() !== asked.toLowerCase()) throw new NodeReplyError(method, { found, asked });
}

/** Whether the node knows the transaction and it is not mined. @throws {NodeReplyError} */
export async function isWaiting(rpc: Rpc, hash: Hex): Promise<boolean> {
  return (await findRawTransaction(rpc, hash))?.blockNumber === null;
}

/** A transaction of EIP-1559. */
export interface SentTransaction {
  readonly from: Hex;
  readonly to: Hex;
  readonly nonce: number;
  readonly input: Hex;
  readonly gas: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  /** Whether it waits to be mined. */
  readonly isWaiting: boolean;
}

const EIP_1559 = '0x2';

/**
 * @returns undefined when the node does not know the transaction, or it has another type than those that are sent here
 * @throws {NodeReplyError}
 */
export async function findTransaction(rpc: Rpc, hash: Hex): Promise<SentTransaction | undefined> {
  const transaction = await findRawTransaction(rpc, hash);
  if (transaction?.type !== EIP_1559) return undefined;
  const { from, to, nonce, input, gas, maxFeePerGas, maxPriorityFeePerGas, blockNumber } = transaction;
  if (to === undefined || to === null) return undefined;
  if (maxFeePerGas === undefined || maxPriorityFeePerGas === undefined) {
    throw new NodeReplyError('eth_getTransactionByHash', transaction);
  }
  return {
    from,
    to,
    nonce: Number(nonce),
    input,
    gas: BigInt(gas),
    maxFeePerGas: BigInt(maxFeePerGas),
    maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas),
    isWaiting: blockNumber === null,
  };
}

const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 500;

/** Calls `find` with growing pauses until it returns a value. @returns undefined after `timeoutMs` */
export async function pollFor<T>(find: () => Promise<T | undefined>, timeoutMs: number): Promise<T | undefined> {
  const untilMs = performance.now() + timeoutMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.6, LONGEST_PAUSE_MS)) {
    const found = await find();
    if (found !== undefined || performance.now() + pauseMs > untilMs) return found;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
