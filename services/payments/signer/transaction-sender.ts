import { BaseError, type Hex, keccak256, NonceTooLowError, RpcRequestError } from 'viem';
import { pollFor, type Rpc } from '../rpc.ts';
import { createAccount } from './native-account.ts';
import type { Lock } from './signer-lock.ts';

export interface TransactionRequest {
  readonly to: Hex;
  readonly data: Hex;
  readonly gas: bigint;
}

/** The node refused the transaction, so it is not on its way. */
export class NotSentError extends Error {
  override readonly name = 'NotSentError';
}

export interface TransactionSender {
  readonly address: Hex;
  /**
   * Signs and sends. `beforeSending` is awaited with the hash.
   * @throws {NotSentError} when nothing is on its way; anything else leaves that open.
   */
  send(request: TransactionRequest, beforeSending?: (hash: Hex) => Promise<void>): Promise<Hex>;
  /**
   * Runs `work` while no copy of the service sends anything, and nothing that was sent waits to be mined.
   * @throws when something waits for too long
   */
  whileQuiet<T>(work: () => Promise<T>): Promise<T>;
}

const FEES_FOR_MS = 3000;
const TRIES = 3;
const MINED_WITHIN_MS = 5000;

export interface TransactionSenderOptions {
  readonly rpc: Rpc;
  readonly chainId: number;
  readonly privateKey: Hex;
  readonly lock: Lock;
  readonly now: () => number;
}

export function createTransactionSender({
  rpc,
  chainId,
  privateKey,
  lock,
  now,
}: TransactionSenderOptions): TransactionSender {
  const account = createAccount(privateKey);
  const { address } = account;
  const currentFees = createFees(rpc, now);

  async function attempt(request: TransactionRequest, beforeSending: (hash: Hex) => Promise<void>): Promise<Hex> {
    const [fees, nonce] = await Promise.all([currentFees(), rpc.getTransactionCount({ address, blockTag: 'pending' })]);
    const signed = account.sign({ type: 'eip1559', chainId, nonce, ...fees, ...request });
    const hash = keccak256(signed);
    await beforeSending(hash);
    try {
      await rpc.sendRawTransaction({ serializedTransaction: signed });
    } catch (error) {
      // An answer of the node, in contrast to none: it has not taken the transaction.
      if (error instanceof BaseError && error.walk((cause) => cause instanceof RpcRequestError)) {
        throw new NotSentError('the node refused the transaction', { cause: error });
      }
      throw error;
    }
    return hash;
  }

  const lockName = `signer:${address}`;
  const isAllMined = async () => {
    const count = (blockTag: 'latest' | 'pending') => rpc.getTransactionCount({ address, blockTag });
    const [mined, sent] = await Promise.all([count('latest'), count('pending')]);
    return mined === sent ? true : undefined;
  };

  return {
    address,
    whileQuiet: (work) =>
      lock(lockName, async () => {
        if (!(await pollFor(isAllMined, MINED_WITHIN_MS))) throw new Error('a transaction is not mined');
        return work();
      }),
    async send(request, beforeSending = async () => {}) {
      for (let tries = 1; ; tries += 1) {
        let signed = false;
        const note = async (hash: Hex) => {
          await beforeSending(hash);
          signed = true;
        };
        try {
          return await lock(lockName, () => attempt(request, note));
        } catch (error) {
          if (!signed)
            throw error instanceof NotSentError ? error : new NotSentError('nothing was sent', { cause: error });
          if (!(isNonceTaken(error) && tries < TRIES)) throw error;
        }
      }
    },
  };
}

/** Someone else's transaction has the nonce, or a node that lags behind named an old one. */
function isNonceTaken(error: unknown): boolean {
  if (!(error instanceof NotSentError) || !(error.cause instanceof BaseError)) return false;
  const taken = error.cause.walk((cause) => cause instanceof NonceTooLowError) !== null;
  return taken || /nonce too low|replacement transaction underpriced/i.test(error.cause.message);
}

/** Fees move with the blocks; asking for each transaction would cost two requests. */
function createFees(rpc: Rpc, now: () => number) {
  let known:
    | { readonly atMs: number; readonly fees: Promise<{ maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }> }
    | undefined;
  return () => {
    if (known === undefined || now() - known.atMs > FEES_FOR_MS) {
      const fees = rpc
        .estimateFeesPerGas()
        .then(({ maxFeePerGas, maxPriorityFeePerGas }) => ({ maxFeePerGas, maxPriorityFeePerGas }));
      fees.catch(() => {
        known = undefined;
      });
      known = { atMs: now(), fees };
    }
    return known.fees;
  };
}
