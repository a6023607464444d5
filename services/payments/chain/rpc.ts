import {
  BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  ExecutionRevertedError,
  type Hex,
  http,
  type PublicClient,
  type RpcLog,
  TransactionNotFoundError,
} from 'viem';

export type Rpc = PublicClient;

const ANSWER_MS = 5000;
/** What is asked in one turn of the event loop goes in one request. */
const MAX_BATCH = 50;

export function createRpc(url: string): Rpc {
  // No retries here: the callers know which calls may be repeated. viem itself bounds the size of an answer to 10 MiB.
  const transport = http(url, {
    fetchFn: fetchOnce,
    timeout: ANSWER_MS,
    retryCount: 0,
    batch: { batchSize: MAX_BATCH },
  });
  return createPublicClient({ transport, cacheTime: 0 });
}

/** Follows no redirect, which would let another host speak for the chain. viem's own time limit ends with the headers. */
const fetchOnce: typeof fetch = (input, init) =>
  fetch(input, { ...init, redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) });

/** Whether the chain itself refused, in contrast to a node that could not be asked. */
export function isRevert(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  return (
    error.walk((cause) => cause instanceof ContractFunctionRevertedError || cause instanceof ExecutionRevertedError) !==
    null
  );
}

export interface Receipt {
  readonly success: boolean;
  readonly logs: readonly RpcLog[];
}

/** Asked without viem's formatting, which throws an error with a stack for each receipt that is not there yet. */
export async function findReceipt(rpc: Rpc, hash: Hex): Promise<Receipt | undefined> {
  const receipt = await rpc.request({ method: 'eth_getTransactionReceipt', params: [hash] });
  return receipt === null ? undefined : { success: receipt.status === '0x1', logs: receipt.logs };
}

/** A transaction of EIP-1559, as a node knows it. `blockNumber` is null while it waits to be mined. */
export interface SentTransaction {
  readonly from: Hex;
  readonly to: Hex;
  readonly nonce: number;
  readonly input: Hex;
  readonly gas: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  readonly blockNumber: bigint | null;
}

/** @returns undefined when the node does not know it, or it is of another kind than those that are sent here */
export async function findTransaction(rpc: Rpc, hash: Hex): Promise<SentTransaction | undefined> {
  try {
    const transaction = await rpc.getTransaction({ hash });
    const { to } = transaction;
    return transaction.type === 'eip1559' && to !== null ? { ...transaction, to } : undefined;
  } catch (error) {
    if (error instanceof TransactionNotFoundError) return undefined;
    throw error;
  }
}

const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 500;

/** Polls `look` with a growing pause. @returns undefined when `timeoutMs` is over. */
export async function pollFor<T>(look: () => Promise<T | undefined>, timeoutMs: number): Promise<T | undefined> {
  const untilMs = performance.now() + timeoutMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.6, LONGEST_PAUSE_MS)) {
    const found = await look();
    if (found !== undefined || performance.now() + pauseMs > untilMs) return found;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
