import { BaseError, type Hex, isAddressEqual, keccak256, NonceTooLowError, RpcRequestError } from 'viem';
import { findTransaction, pollFor, type Rpc } from '../chain/rpc.ts';
import { bounded, bumped, createMarketReader, type Fees, feesFor, raised, readMarket } from './fees.ts';
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
   * @throws {NotSentError} when nothing was sent. After any other error, the transaction may be on its way.
   */
  send(request: TransactionRequest, beforeSending?: (hash: Hex) => Promise<void>): Promise<Hex>;
  /**
   * Replaces a transaction of ours that cannot be mined because the base fee rose above its own fee. Leaves it unchanged
   * if its replacement would need more than the maximum fee. `beforeSending` works as for `send`.
   * @returns the hash of the replacement, if there is one
   */
  hasten(hash: Hex, beforeSending?: (hash: Hex) => Promise<void>): Promise<Hex | undefined>;
  /**
   * Runs `work` while no copy of the service sends anything and no sent transaction waits to be mined.
   * @throws when a transaction waits for too long
   */
  whileQuiet<T>(work: () => Promise<T>): Promise<T>;
}

const TRIES = 3;
const MINED_WITHIN_MS = 5000;

export interface TransactionSenderOptions {
  readonly rpc: Rpc;
  readonly chainId: number;
  readonly privateKey: Hex;
  /** Highest fee of a transaction for a unit of gas, in wei. */
  readonly maxFeePerGas: bigint;
  readonly lock: Lock;
  readonly now: () => number;
}

export function createTransactionSender({
  rpc,
  chainId,
  privateKey,
  maxFeePerGas,
  lock,
  now,
}: TransactionSenderOptions): TransactionSender {
  const account = createAccount(privateKey);
  const { address } = account;
  const currentFees = createMarketReader(rpc, now);

  /** Signs and sends one transaction, once. */
  async function submit(
    transaction: TransactionRequest & Fees & { readonly nonce: number },
    beforeSending: (hash: Hex) => Promise<void>,
  ): Promise<Hex> {
    const signed = account.sign({ type: 'eip1559', chainId, ...transaction });
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

  async function attempt(request: TransactionRequest, beforeSending: (hash: Hex) => Promise<void>): Promise<Hex> {
    const [market, nonce] = await Promise.all([
      currentFees(),
      rpc.getTransactionCount({ address, blockTag: 'pending' }),
    ]);
    if (market.baseFeePerGas > maxFeePerGas) throw new NotSentError('the base fee is above the maximum');
    return submit({ ...request, ...bounded(feesFor(market), maxFeePerGas), nonce }, beforeSending);
  }

  /** Under the lock: what is looked up must not change before the replacement is sent. */
  async function replace(hash: Hex, beforeSending: (hash: Hex) => Promise<void>): Promise<Hex | undefined> {
    const [sent, market] = await Promise.all([findTransaction(rpc, hash), readMarket(rpc)]);
    const isStuck = sent?.isWaiting === true && sent.maxFeePerGas < market.baseFeePerGas;
    if (!isStuck || !isAddressEqual(sent.from, address)) return undefined;
    const fees = bounded(raised(feesFor(market), sent), maxFeePerGas);
    // Nodes take a replacement only when both of its fees are higher by a tenth.
    if (fees.maxFeePerGas < market.baseFeePerGas || fees.maxFeePerGas < bumped(sent.maxFeePerGas)) return undefined;
    const { nonce, to, input: data, gas } = sent;
    return submit({ nonce, to, data, gas, ...fees }, beforeSending);
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
    hasten: (hash, beforeSending = async () => {}) => lock(lockName, () => replace(hash, beforeSending)),
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

/** Whether another transaction has the nonce, or a node that lags behind answered an old nonce. */
function isNonceTaken(error: unknown): boolean {
  if (!(error instanceof NotSentError) || !(error.cause instanceof BaseError)) return false;
  const taken = error.cause.walk((cause) => cause instanceof NonceTooLowError) !== null;
  return taken || /nonce too low|replacement transaction underpriced/i.test(error.cause.message);
}
