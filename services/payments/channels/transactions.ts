import { channel } from 'node:diagnostics_channel';
import type { Hex } from 'viem';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { createRepeatedErrorLog } from '../../platform/process/repeated-errors.ts';
import { decide, oneNode, sendSigned } from '../chain/nodes.ts';
import { type Block, findReceipt, isRevert, MOST_VERSIONS, pollFor } from '../chain/rpc.ts';
import { gasLimitFor } from '../signer/fees.ts';
import type { GasAccount } from '../signer/gas-budget.ts';
import { type Estimated, NotSentError } from '../signer/transaction-sender.ts';
import { SETTLEMENT } from './addresses.ts';
import type { ChannelContext } from './channel-context.ts';
import type { PublicVoucher } from './channel-records.ts';
import type { ChannelTransaction, Ending, NewTransaction, TransactionKind } from './transaction-records.ts';

const step = channel('tollhouse:step');

/**
 * What became of the signed transactions, at a final block.
 * - `waiting`: none of them is in it yet, and they still can be.
 * - `mined`: one of them succeeded.
 * - `reverted`: one of them was reverted.
 * - `replaced`: another transaction has their nonce.
 * - `unsigned`: nothing was signed here.
 */
export type Fate = 'waiting' | 'mined' | 'reverted' | 'replaced' | 'unsigned';

export interface FateAt {
  readonly confirmed: Block;
  readonly fate: Fate;
  /** Whether one of the transactions is in the chain, perhaps in a block that is not final. */
  readonly isMined: boolean;
  /** What those in the chain used. */
  readonly gasUsed: bigint;
  /** The blocks of those in the chain. */
  readonly minedIn: readonly bigint[];
}

/** What to do about a transaction without an ending. */
export type Decision = Ending | 'wait' | ({ readonly state: 'again' } & ChannelCall);

/** A call of the contract. */
export interface ChannelCall {
  readonly data: Hex;
  /** The vouchers in the data. */
  readonly vouchers: readonly PublicVoucher[];
  /** For which its gas is counted. */
  readonly accounts: readonly GasAccount[];
  /** Runs before a transaction is signed that will be sent. */
  readonly beforeSigning?: () => Promise<void>;
}

/** The part that differs between deposits, claims and refunds. */
export interface TransactionRules {
  /** @throws when the node does not answer: then nothing is known */
  decide(transaction: ChannelTransaction, at: FateAt): Promise<Decision>;
  /** Whether all payers with code lost the gas of a transaction that has ended; undefined: as it was reserved. */
  isLostByCode?(transaction: ChannelTransaction, at: FateAt): Promise<boolean | undefined>;
  /** Runs before an ending is stored, and again if that fails. */
  beforeEnding?(transaction: ChannelTransaction, ending: Ending, at: FateAt): Promise<void>;
  /** Runs after an ending is stored. */
  afterEnding?(transaction: ChannelTransaction, ending: Ending, at: FateAt): Promise<void>;
}

/** Name of the lock under which a transaction is started or continued. */
export const transactionLock = (id: string): string => `channel-transaction:${id}`;

/** A call as the address of the authorizer could send it itself: it needs no signature, so nothing can be done with it. */
export interface UnsignedCall extends Pick<ChannelCall, 'data' | 'accounts'> {
  readonly from: Hex;
  /** How many signatures it would need, and how many channels it claims. */
  readonly signatures: number;
  readonly claims: number;
}

export type Started = 'started' | 'reverts' | 'too_much_gas';

export type ChannelTransactions = ReturnType<typeof createTransactions>;

/** The context of channels, with the rules of each kind of transaction. */
export interface TransactionsContext extends ChannelContext {
  readonly rules: Readonly<Record<TransactionKind, TransactionRules>>;
}

/** The context of channels, with their transactions. */
export interface SendingContext extends ChannelContext {
  readonly transactions: ChannelTransactions;
}

/**
 * A deposit takes 140,000, and more if the payer is a contract wallet. The token runs the code of such a payer, and we
 * pay for it.
 */
const MAX_DEPOSIT_GAS = 400_000n;

export function createTransactions(context: TransactionsContext) {
  const { records, lock, now, logger } = context;
  const logError = createRepeatedErrorLog({ logger, message: 'a transaction of a channel could not be continued' });
  const advance = (id: string) =>
    lock(transactionLock(id), async () => {
      const transaction = await records.find(id);
      if (transaction === undefined || transaction.ending !== undefined) return transaction?.ending;
      return advanceOne(context, transaction);
    });
  return {
    /**
     * Stores a transaction and sends it.
     * @returns `reverts` if the chain would revert it, or it would cost too much, and `too_much_gas` if the gas of today is
     *   used up: then nothing was stored
     * @throws {ServiceError} PAYMENT_UNAVAILABLE: nothing was sent
     */
    start: (transaction: NewTransaction, call: ChannelCall): Promise<Started> => start(context, transaction, call),
    /**
     * What `start` would do with the same call. Signs, stores and sends nothing.
     * @throws {ServiceError} PAYMENT_UNAVAILABLE: nothing would be sent
     */
    estimate: (call: UnsignedCall): Promise<Estimated | Exclude<Started, 'started'>> => estimate(context, call),
    /** Continues a transaction until it has an ending, or the time has come. @returns undefined where none is known */
    async follow(id: string, untilMs: number): Promise<Ending | undefined> {
      const advanceOrLog = () =>
        advance(id).catch((error: unknown) => {
          logError(error, { fields: { id } });
          return undefined;
        });
      return pollFor(advanceOrLog, untilMs - now(), now);
    },
    /** Continues all transactions without an ending, once. */
    async followAll(signal: AbortSignal): Promise<void> {
      for (const { id } of await records.open()) {
        if (signal.aborted) return;
        await advance(id).catch((error: unknown) => logError(error, { fields: { id } }));
      }
    },
  };
}

async function start(
  { records, sender, gasBudget }: TransactionsContext,
  transaction: NewTransaction,
  { data, vouchers, accounts, beforeSigning }: ChannelCall,
): Promise<Started> {
  const { id, kind } = transaction;
  let isRecorded = false;
  step.publish(`channel-${kind}.before`);
  try {
    const estimated = await sender.estimateGas({ to: SETTLEMENT, data });
    if (kind === 'deposit' && estimated > MAX_DEPOSIT_GAS) return 'reverts';
    const request = { to: SETTLEMENT, data, gas: gasLimitFor(estimated) };
    // The code of a payer could tell the estimate from the transaction by its gas.
    if (!(await sender.simulate(request)).success) return 'reverts';
    await sender.send(request, async (hash, signed) => {
      const reservation = await gasBudget.reserve({ cause: id, accounts, limit: request.gas });
      if (reservation === 'refused') throw new TooMuchGasError();
      if (reservation === 'full') throw new Error('too much gas is on its way');
      try {
        await beforeSigning?.();
        await records.sign(transaction, { hash, signer: sender.address, signed, vouchers });
      } catch (error) {
        // Without the database, it stays reserved until the end of the next day.
        if (reservation === 'new') await gasBudget.end(id, 0n).catch(() => {});
        throw error;
      }
      isRecorded = true;
      step.publish(`channel-${kind}.recorded`);
    });
    step.publish(`channel-${kind}.sent`);
    return 'started';
  } catch (cause) {
    // The same signed transaction is sent later.
    if (isRecorded) return 'started';
    return failureOf(cause);
  }
}

/** @throws {ServiceError} PAYMENT_UNAVAILABLE */
function failureOf(cause: unknown): Exclude<Started, 'started'> {
  if (isRevert(cause)) return 'reverts';
  const reason = cause instanceof NotSentError && cause.cause !== undefined ? cause.cause : cause;
  if (reason instanceof TooMuchGasError) return 'too_much_gas';
  throw new ServiceError('PAYMENT_UNAVAILABLE', 'nothing was sent', { cause: reason });
}

/** The contract spends at most 9,300 on a signature of ours, and 2,900 on each channel of a signed claim. */
const GAS_OF_SIGNATURE = 10_000n;
const GAS_OF_SIGNED_CLAIM = 3_500n;

async function estimate(
  { rpc, sender, gasBudget }: TransactionsContext,
  { data, from, signatures, claims, accounts }: UnsignedCall,
): Promise<Estimated | Exclude<Started, 'started'>> {
  try {
    const unsigned = await rpc.estimateGas({ account: from, to: SETTLEMENT, data, blockTag: 'latest' });
    const gas = unsigned + GAS_OF_SIGNATURE * BigInt(signatures) + GAS_OF_SIGNED_CLAIM * BigInt(claims);
    const maxCostWei = await sender.price(gasLimitFor(gas));
    return (await gasBudget.hasRoom(accounts, gasLimitFor(gas))) ? { gas, maxCostWei } : 'too_much_gas';
  } catch (cause) {
    return failureOf(cause);
  }
}

class TooMuchGasError extends Error {
  override readonly name = 'TooMuchGasError';
}

/** More than any transaction has: all that was reserved. */
const WHOLE_LIMIT = 2n ** 62n;

/** What the transactions cost, or still can. */
const gasOf = ({ fate, gasUsed }: FateAt): bigint => (fate === 'waiting' ? WHOLE_LIMIT : gasUsed);

async function advanceOne(context: TransactionsContext, transaction: ChannelTransaction): Promise<Ending | undefined> {
  const { records, rules, blocks, gasBudget, logger } = context;
  const { id, kind } = transaction;
  const judged = await decide(() => judge(context, transaction));
  if (judged === undefined) return undefined;
  const { at, decision } = judged;
  if (decision === 'wait') {
    if (at.fate === 'waiting' && !at.isMined) await keepAlive(context, transaction);
    return undefined;
  }
  if (decision.state === 'again') {
    const { latest } = await blocks.readHead();
    logger.warn({ id, fate: at.fate }, 'a transaction of a channel is sent again');
    const fromBlock = minOf(transaction.fromBlock, latest.number);
    if (at.fate === 'reverted') await gasBudget.end(id, at.gasUsed);
    await start(context, { ...transaction, fromBlock }, decision);
    return undefined;
  }
  if (at.fate !== 'unsigned') await gasBudget.end(id, gasOf(at), await rules[kind].isLostByCode?.(transaction, at));
  await rules[kind].beforeEnding?.(transaction, decision, at);
  await records.end(id, decision);
  await rules[kind].afterEnding?.(transaction, decision, at);
  step.publish(`channel-${kind}.ended`);
  logger.info({ id, ...decision, amount: undefined }, 'a transaction of a channel has ended');
  return decision;
}

/** @returns undefined while the chain has no final block */
async function judge(context: TransactionsContext, transaction: ChannelTransaction) {
  const { rules, onMined } = context;
  const { kind } = transaction;
  let at = await readFate(context, transaction);
  if (at?.isMined) step.publish(`channel-${kind}.mined`);
  if (at?.isMined && onMined !== undefined) {
    // What the sandbox has not saved may be lost.
    await onMined();
    at = await readFate(context, transaction);
  }
  return at && { at, decision: await rules[kind].decide(transaction, at) };
}

const minOf = (one: bigint, other: bigint) => (one < other ? one : other);

/** @returns undefined while the chain has no final block */
async function readFate(
  { rpc, blocks, sender }: TransactionsContext,
  { transactions, signed }: ChannelTransaction,
): Promise<FateAt | undefined> {
  const { confirmed } = await blocks.readHead();
  if (confirmed === undefined) return undefined;
  if (signed === undefined) return { confirmed, fate: 'unsigned', isMined: false, gasUsed: 0n, minedIn: [] };
  // A node that lags behind must not answer a part: it would seem that nothing was mined.
  const [used, ...receipts] = await oneNode(() =>
    Promise.all([
      rpc.getTransactionCount({ address: sender.address, blockNumber: confirmed.number }),
      ...transactions.slice(-MOST_VERSIONS).map((hash) => findReceipt(rpc, hash)),
    ]),
  );
  const mined = receipts.filter((receipt) => receipt !== undefined);
  const isMined = mined.some(({ success }) => success);
  const gasUsed = mined.reduce((sum, receipt) => sum + receipt.gasUsed, 0n);
  const at = { confirmed, isMined, gasUsed, minedIn: mined.map(({ block }) => block) };
  if (used <= signed.nonce) return { ...at, fate: 'waiting' };
  return { ...at, fate: isMined ? 'mined' : mined.length > 0 ? 'reverted' : 'replaced' };
}

/** Sends the signed transaction again, and replaces it if its fees are too low. */
async function keepAlive(
  { rpc, records, sender }: TransactionsContext,
  transaction: ChannelTransaction,
): Promise<void> {
  const { signed, transactions } = transaction;
  const last = transactions.at(-1);
  if (signed === undefined || last === undefined) return;
  // A node refuses a transaction that it knows.
  const sendAgain = (serializedTransaction: Hex) => sendSigned(rpc, serializedTransaction).catch(() => {});
  // A deep reorganization may have removed earlier transactions too, such as the deposit. Without them, this one waits.
  const next = await rpc.getTransactionCount({ address: sender.address, blockTag: 'pending' });
  const earlier = next < signed.nonce ? await records.signedBetween(next, signed.nonce) : [];
  for (const each of earlier) await sendAgain(each);
  await sendAgain(signed.serialized);
  await sender.hasten(last, (hash, replacement) =>
    records.sign(transaction, { hash, signer: sender.address, signed: replacement }),
  );
}
