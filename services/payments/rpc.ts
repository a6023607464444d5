import {
  BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  ExecutionRevertedError,
  type Hex,
  http,
  type PublicClient,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from 'viem';

export type Rpc = PublicClient;

const ANSWER_MS = 5000;

export function createRpc(url: string): Rpc {
  // No retries here: those who ask know which calls may be repeated.
  return createPublicClient({ transport: http(url, { timeout: ANSWER_MS, retryCount: 0 }), cacheTime: 0 });
}

/** Whether the chain itself refused, in contrast to a node that could not be asked. */
export function isRevert(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  return (
    error.walk((cause) => cause instanceof ContractFunctionRevertedError || cause instanceof ExecutionRevertedError) !==
    null
  );
}

export async function findReceipt(rpc: Rpc, hash: Hex): Promise<TransactionReceipt | undefined> {
  try {
    return await rpc.getTransactionReceipt({ hash });
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return undefined;
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
