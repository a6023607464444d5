import { BaseError, type Hex, isAddressEqual, NonceTooLowError, type Transaction, type TransactionEIP1559 } from 'viem';
import { type CallOutcome, runAlone } from '../chain/calls.ts';
import { decide, oneNode, type Rpc, replyOf, sendSigned } from '../chain/nodes.ts';
import { type Block, findTransaction, isRevert, pollFor, readLatestBlock } from '../chain/rpc.ts';
import type { Lock } from '../payment/context.ts';
import { bounded, bumped, createMarketReader, type Fees, feesFor, type Market, raised, readMarket } from './fees.ts';
import { type Account, createAccount, hashOf } from './native-account.ts';
import type { SignerTransactions } from './signer-transactions.ts';
import { createWaitingTimes, type WaitingTimes } from './waiting-times.ts';

export interface TransactionRequest {
  readonly to: Hex;
  readonly data: Hex;
  readonly gas: bigint;
}

/** The node refused the transaction, so it is not on its way. */
export class NotSentError extends Error {
  override readonly name = 'NotSentError';
}

/** The address cannot pay for the gas of a call, so nothing is known of the call. */
export class TooLittleEtherError extends Error {
  override readonly name = 'TooLittleEtherError';

  constructor(options?: ErrorOptions) {
    super('the signer has too little ether', options);
  }
}

/** A transaction of the address may wait to be mined. */
export class NotQuietError extends Error {
  override readonly name = 'NotQuietError';
}

export interface SignedTransaction {
  readonly nonce: number;
  readonly serialized: Hex;
}

/** Of transactions that are not signed. */
export interface Estimated {
  readonly gas: bigint;
  readonly maxCostWei: bigint;
}

/** Is awaited before a signed transaction is sent. If it throws, nothing is sent. */
export type BeforeSending = (hash: Hex, signed: SignedTransaction & { readonly signer: Hex }) => Promise<void>;

export type TransactionSender = ReturnType<typeof createTransactionSender>;

/** The gas limit of a transaction (EIP-7825). */
const MAX_TRANSACTION_GAS = 16_777_216n;
const TRIES = 3;
const MINED_WITHIN_MS = 5000;

export interface TransactionSenderOptions {
  readonly rpc: Rpc;
  readonly chainId: number;
  readonly privateKey: Hex;
  /** Highest fee of a transaction for a unit of gas, in wei. */
  readonly maxFeePerGas: bigint;
  /** How long a transaction may wait to be mined before it is replaced. */
  readonly replaceAfterMs: number;
  readonly lock: Lock;
  readonly transactions: SignerTransactions;
  readonly now: () => number;
}

const sendAtOnce: BeforeSending = async () => {};

export function createTransactionSender(options: TransactionSenderOptions) {
  const { rpc, lock } = options;
  const account = createAccount(options.privateKey);
  const { address } = account;
  const signer: Signer = {
    ...options,
    account,
    currentFees: createMarketReader(rpc, options.now),
    waiting: createWaitingTimes(options.now),
  };
  const lockName = `signer:${address}`;
  const fees = async () => bounded(feesFor(await signer.currentFees()), options.maxFeePerGas);
  return {
    address,
    /**
     * Runs a request at the latest block as its transaction would run, with the same sender, gas and fees: code can tell
     * transactions from other calls by these.
     * @throws {TooLittleEtherError} when the address cannot pay for the gas
     * @throws when the node does not answer
     */
    simulate: (request: TransactionRequest): Promise<CallOutcome> =>
      decide(async () => {
        const current = await fees();
        if (!(await canPay(signer, request.gas, current))) throw new TooLittleEtherError();
        return runAlone(rpc, { ...request, ...current, from: address });
      }),
    /**
     * The gas that a call would use, under the same conditions.
     * @throws {TooLittleEtherError} when the address cannot pay for the gas that it would use
     * @throws when it would revert, or the node does not answer
     */
    estimateGas: (call: Omit<TransactionRequest, 'gas'>): Promise<bigint> =>
      decide(async () => {
        const current = await fees();
        const estimate = (conditions: Partial<Fees>) =>
          rpc.estimateGas({ ...call, ...conditions, account: address, blockTag: 'latest' });
        try {
          return await estimate(current);
        } catch (error) {
          if (!isRevert(error) && !isShortOfGas(error)) throw error;
          if (await canPay(signer, MAX_TRANSACTION_GAS, current)) throw error;
          // Without fees, the balance limits nothing: a call that reverts throws here.
          await estimate({});
          throw new TooLittleEtherError({ cause: error });
        }
      }),
    /**
     * What a transaction costs at most that `send` would send now, in wei. Signs nothing.
     * @param gas its limit
     * @throws {NotSentError} when the base fee is above the maximum
     * @throws {TooLittleEtherError} when the address cannot pay for it
     */
    price: (gas: bigint): Promise<bigint> =>
      decide(async () => {
        const offered = offer(await signer.currentFees(), options.maxFeePerGas);
        if (!(await canPay(signer, gas, offered))) throw new TooLittleEtherError();
        return gas * offered.maxFeePerGas;
      }),
    /**
     * Runs `work` while no copy of the service sends anything and no sent transaction waits to be mined.
     * @param work gets a block that has them all
     * @throws {NotQuietError} when a transaction waits for too long
     */
    whileQuiet: <T>(work: (block: Block) => Promise<T>): Promise<T> =>
      lock(lockName, async () => {
        const block = await pollFor(() => findQuiet(rpc, address), MINED_WITHIN_MS);
        if (block === undefined) throw new NotQuietError('a transaction waits to be mined');
        return work(block);
      }),
    /**
     * Replaces a transaction of ours that is not mined, or its latest replacement, with the same nonce and higher fees: at once if the base fee rose
     * above its own fee, and after a time-out if it is the next one of this address. Leaves it unchanged if its
     * replacement would need more than the maximum fee.
     * @returns the hash of the replacement, if there is one
     */
    hasten: (hash: Hex, beforeSending: BeforeSending = sendAtOnce): Promise<Hex | undefined> =>
      lock(lockName, () => replace(signer, hash, beforeSending)),
    /**
     * Signs and sends.
     * @throws {NotSentError} when nothing was sent. After any other error, the transaction may be on its way.
     */
    async send(request: TransactionRequest, beforeSending: BeforeSending = sendAtOnce): Promise<Hex> {
      for (let tries = 1; ; tries += 1) {
        let signed = false;
        const note: BeforeSending = async (hash, transaction) => {
          await beforeSending(hash, transaction);
          signed = true;
        };
        try {
          return await lock(lockName, () => attempt(signer, request, note));
        } catch (error) {
          if (!signed)
            throw error instanceof NotSentError ? error : new NotSentError('nothing was sent', { cause: error });
          if (!(isNonceTaken(error) && tries < TRIES)) throw error;
        }
      }
    },
  };
}

interface Signer extends TransactionSenderOptions {
  readonly account: Account;
  readonly waiting: WaitingTimes;
  readonly currentFees: () => Promise<Market>;
}

/**
 * Whether the address can pay for so much gas. Nodes allow a call as much gas as its sender can pay for, and describe one
 * that runs out of it like one that reverts. So a revert is believed only of a call that could get all of its gas.
 */
async function canPay({ rpc, account }: Signer, gas: bigint, { maxFeePerGas }: Fees): Promise<boolean> {
  return (await rpc.getBalance({ address: account.address, blockTag: 'latest' })) >= gas * maxFeePerGas;
}

/** Signs and sends one transaction, once. */
async function submit(
  { rpc, chainId, account }: Signer,
  transaction: TransactionRequest & Fees & { readonly nonce: number },
  beforeSending: BeforeSending,
): Promise<Hex> {
  const signed = account.sign({ type: 'eip1559', chainId, ...transaction });
  const hash = hashOf(signed);
  await beforeSending(hash, { signer: account.address, nonce: transaction.nonce, serialized: signed });
  try {
    await sendSigned(rpc, signed);
  } catch (error) {
    // The node answered with an error, so it has not taken the transaction. Without an answer, that is unknown.
    throw replyOf(error) === undefined ? error : new NotSentError('the node refused the transaction', { cause: error });
  }
  return hash;
}

/** The fees of a new transaction. @throws {NotSentError} when the base fee is above the maximum */
function offer(market: Market, maxFeePerGas: bigint): Fees {
  if (market.baseFeePerGas > maxFeePerGas) throw new NotSentError('the base fee is above the maximum');
  return bounded(feesFor(market), maxFeePerGas);
}

/** @throws {NotSentError} when the base fee is above the maximum */
async function attempt(signer: Signer, request: TransactionRequest, beforeSending: BeforeSending): Promise<Hex> {
  const { rpc, account, maxFeePerGas, currentFees } = signer;
  const [market, nonce] = await decide(() =>
    Promise.all([currentFees(), rpc.getTransactionCount({ address: account.address, blockTag: 'pending' })]),
  );
  return submit(signer, { ...request, ...offer(market, maxFeePerGas), nonce }, beforeSending);
}

/** Runs under the lock: the transaction must not change before its replacement is sent. */
async function replace(signer: Signer, first: Hex, beforeSending: BeforeSending): Promise<Hex | undefined> {
  const { account, maxFeePerGas, waiting, transactions } = signer;
  const versions = await transactions.versionsOf(first);
  const stuck = await decide(() => findStuck(signer, versions));
  if (stuck === undefined) return undefined;
  const { sent, market } = stuck;
  const fees = bounded(raised(feesFor(market), sent), maxFeePerGas);
  // Nodes take a replacement only if both of its fees are higher by a tenth.
  const isHigher =
    fees.maxFeePerGas >= bumped(sent.maxFeePerGas) && fees.maxPriorityFeePerGas >= bumped(sent.maxPriorityFeePerGas);
  if (!isHigher || fees.maxFeePerGas < market.baseFeePerGas) return undefined;
  const { nonce, to, input: data, gas } = sent;
  const note: BeforeSending = async (hash, signed) => {
    // First, so that what is noted with the replacement leads to what it replaces.
    await transactions.noteReplacement({ hash, signer: account.address, nonce }, first);
    await beforeSending(hash, signed);
  };
  const replacement = await submit(signer, { nonce, to, data, gas, ...fees }, note);
  waiting.forget(sent.hash);
  return replacement;
}

/** A transaction as they are sent here, which waits to be mined. */
type Waiting = TransactionEIP1559 & { readonly to: Hex };

const isWaiting = (found: Transaction | undefined): found is Waiting =>
  found?.type === 'eip1559' && found.blockNumber === null && found.to !== null;

/** Finds the last version of a transaction that waits to be mined, if it does so for too long. */
async function findStuck(
  signer: Signer,
  versions: readonly Hex[],
): Promise<{ readonly sent: Waiting; readonly market: Market } | undefined> {
  const { rpc, account, waiting } = signer;
  const [found, market] = await Promise.all([
    Promise.all(versions.map((version) => findTransaction(rpc, version))),
    readMarket(rpc),
  ]);
  // A version that was noted may not have been sent.
  const sent = found.findLast(isWaiting);
  if (sent === undefined) {
    for (const version of versions) waiting.forget(version);
    return undefined;
  }
  const isOurs = isAddressEqual(sent.from, account.address);
  return isOurs && (await isStuck(signer, sent, market)) ? { sent, market } : undefined;
}

/** Only the next transaction of an address can be stuck by itself. The later ones wait for it. */
async function isStuck(
  { rpc, account, replaceAfterMs, waiting }: Signer,
  sent: Waiting,
  market: Market,
): Promise<boolean> {
  if (sent.maxFeePerGas < market.baseFeePerGas) return true;
  if (waiting.sinceFirstSeen(sent.hash) < replaceAfterMs) return false;
  return (await rpc.getTransactionCount({ address: account.address, blockTag: 'latest' })) === sent.nonce;
}

/** @returns the latest block when every sent transaction of the address is in it or an earlier one, else undefined */
export const findQuiet = (rpc: Rpc, address: Hex): Promise<Block | undefined> =>
  decide(async () => {
    const latest = await readLatestBlock(rpc);
    const [mined, sent] = await oneNode(() =>
      Promise.all([
        rpc.getTransactionCount({ address, blockNumber: latest.number }),
        rpc.getTransactionCount({ address, blockTag: 'pending' }),
      ]),
    );
    return mined === sent ? latest : undefined;
  });

/** Whether another transaction has the nonce, or a node that lags behind answered an old nonce. */
function isNonceTaken(error: unknown): boolean {
  if (!(error instanceof NotSentError) || !(error.cause instanceof BaseError)) return false;
  const taken = error.cause.walk((cause) => cause instanceof NonceTooLowError) !== null;
  return taken || /nonce too low|replacement transaction underpriced/i.test(error.cause.message);
}

const isShortOfGas = (error: unknown): boolean =>
  error instanceof BaseError && /gas required exceeds allowance/i.test(error.message);
