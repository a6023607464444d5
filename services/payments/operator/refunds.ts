import { encodeFunctionData, type Hex, isAddressEqual, parseAbi } from 'viem';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import type { Logger } from '../../platform/process/logger.ts';
import { createRepeatedErrorLog } from '../../platform/process/repeated-errors.ts';
import type { ConfirmedBlocks } from '../chain/confirmed-blocks.ts';
import { NodeReplyError } from '../chain/node-replies.ts';
import {
  countSent,
  findReceipt,
  isWaiting,
  MOST_VERSIONS,
  oneNode,
  pollFor,
  type Receipt,
  type Rpc,
  readBlockNumber,
  readSent,
} from '../chain/rpc.ts';
import { readTransfers, transfersIn } from '../chain/transfers.ts';
import { gasLimitFor } from '../signer/fees.ts';
import type { Lock } from '../signer/signer-lock.ts';
import { type Estimated, NotQuietError, NotSentError, type TransactionSender } from '../signer/transaction-sender.ts';
import {
  type By,
  isRefundOf,
  type MinedTransfer,
  type Refund,
  type RefundedClaim,
  type RefundRecords,
  type SentRefund,
  type SignedRefund,
} from './refund-records.ts';
import type { Restored } from './restored.ts';

/** `state`: `signed` (recorded, and the node does not have it), `sent`, `mined`, `final`. */
export interface RefundProgress {
  readonly transaction: Hex;
  readonly state: 'signed' | 'sent' | 'mined' | 'final';
}

/** Name of the lock under which the refunds of a payer are sent or continued: one transfer could be that of several claims. */
export const refundLock = ({ payer }: { readonly payer: string }): string => `refund:${payer.toLowerCase()}`;

/**
 * Transfers amounts back to payers. Every method is idempotent by the id of the claim. Only `follow` takes the lock of a
 * refund itself.
 */
export interface Refunds {
  /** Sends the refund of a claim, or continues one that was recorded. */
  send(claim: RefundedClaim, by: By): Promise<RefundProgress>;
  /** What `send` would do, without signing, recording or sending anything. @throws {ServiceError} where it would not send */
  estimate(claim: RefundedClaim): Promise<Estimated>;
  /** What the record and the node say of a refund. Records nothing. @returns undefined if no refund is recorded */
  peek(claimId: string): Promise<RefundProgress | undefined>;
  /** Finds out what became of a recorded refund, and sends nothing. @returns undefined if no refund is recorded */
  look(claimId: string): Promise<RefundProgress | undefined>;
  /** Continues a recorded refund. @returns undefined if no refund is recorded */
  advance(claimId: string, waitMs: number): Promise<RefundProgress | undefined>;
  /**
   * Takes the transfer of an operator for the refund, where the recorded transactions can never be mined.
   * @returns undefined where they can
   */
  take(claimId: string, transaction: Hex, by: By): Promise<RefundProgress | undefined>;
  /** Continues all refunds that are not final. */
  follow(signal: AbortSignal): Promise<void>;
}

export interface RefundsOptions {
  readonly rpc: Rpc;
  readonly records: RefundRecords;
  readonly blocks: ConfirmedBlocks;
  /** undefined: the key of the payee is not held here. */
  readonly payee: TransactionSender | undefined;
  readonly restored: Restored;
  readonly lock: Lock;
  /** Runs after a refund is mined. */
  readonly onMined?: (() => Promise<void>) | undefined;
  /** Longest wait for the receipt of a refund that is sent. */
  readonly receiptMs?: number;
  readonly logger: Logger;
}

const ABI = parseAbi(['function transfer(address to, uint256 value) returns (bool)']);
const RECEIPT_MS = 8000;

export function createRefunds(options: RefundsOptions): Refunds {
  const { records, lock, receiptMs = RECEIPT_MS, logger } = options;
  const logError = createRepeatedErrorLog({ logger, message: 'a refund could not be continued' });
  const advance: Refunds['advance'] = async (claimId, waitMs) => {
    const refund = await records.find(claimId);
    return refund && advanceRefund(options, refund, waitMs);
  };
  return {
    async estimate(claim) {
      try {
        const { payee, estimated, gas } = await prepare(options, claim);
        return { gas: estimated, maxCostWei: await payee.price(gas) };
      } catch (cause) {
        throw notSent(cause);
      }
    },
    async peek(claimId) {
      const refund = await records.find(claimId);
      if (refund?.mined === undefined) return refund && describe(options, refund);
      return { transaction: lastOf(refund), state: refund.isFinal ? 'final' : 'mined' };
    },
    async look(claimId) {
      const refund = await records.find(claimId);
      return refund && ((await findOutcome(options, refund)) ?? describe(options, refund));
    },
    advance,
    async send(claim, by) {
      const isTaken = await sign(options, claim, (sent) => records.insert(claim, sent, by));
      const progress = await advance(claim.claimId, isTaken ? receiptMs : 0);
      if (progress === undefined) throw new Error(`the refund of claim ${claim.claimId} was not recorded`);
      logger.info({ claimId: claim.claimId, ...progress }, 'a payment was refunded');
      return progress;
    },
    async take(claimId, transaction, by) {
      const refund = await records.find(claimId);
      if (refund?.signed === undefined || (await findUse(options, refund, refund.signed)) === undefined)
        return undefined;
      await records.addSent(refund, { transaction, signed: refund.signed }, by);
      return advance(claimId, 0);
    },
    async follow(signal) {
      for (const claim of await records.unfinal()) {
        const { claimId } = claim;
        if (signal.aborted) return;
        await lock(refundLock(claim), () => advance(claimId, 0)).catch((error) =>
          logError(error, { fields: { claimId } }),
        );
      }
    },
  };
}

/**
 * Signs the transfer, records it with `note`, and sends it. After a crash between the record and the sending, the same
 * signed transaction is sent later.
 * @returns false if the node refused the transaction
 * @throws {ServiceError} where nothing was recorded, or that is not known
 */
async function sign(
  options: RefundsOptions,
  claim: RefundedClaim,
  note: (sent: SentRefund) => Promise<void>,
): Promise<boolean> {
  const { records, blocks } = options;
  let noted: Hex | undefined;
  let isRecorded = false;
  try {
    const { confirmed } = await blocks.readHead();
    const fromBlock = confirmed === undefined ? 0n : confirmed.number + 1n;
    const { payee, to, data, gas } = await prepare(options, claim);
    await payee.send({ to, data, gas, scheme: 'exact' }, async (transaction, signed) => {
      noted = transaction;
      await note({ transaction, signed: { ...signed, fromBlock } });
      isRecorded = true;
    });
    return true;
  } catch (cause) {
    // PostgreSQL may have recorded it although it did not answer. Then it will be sent.
    const transactions = isRecorded || noted === undefined ? [] : await transactionsOf(records, claim.claimId);
    if (isRecorded || transactions.some((each) => each === noted)) return !(cause instanceof NotSentError);
    throw notSent(cause);
  }
}

/** The transfer, with the gas that it is expected to use, and its limit. */
async function prepare({ rpc, payee }: RefundsOptions, { asset: to, payer, amount }: RefundedClaim) {
  if (payee === undefined) throw new Error('the key of the payee is not held here');
  const data = encodeFunctionData({ abi: ABI, functionName: 'transfer', args: [payer, amount] });
  const estimated = await rpc.estimateGas({ account: payee.address, to, data });
  return { payee, to, data, estimated, gas: gasLimitFor(estimated) };
}

const notSent = (cause: unknown) =>
  new ServiceError('PAYMENT_UNAVAILABLE', `no refund was sent: ${reasonOf(cause)}`, { cause });

async function transactionsOf(records: RefundRecords, claimId: string): Promise<readonly Hex[]> {
  try {
    return (await records.find(claimId))?.transactions ?? [];
  } catch (cause) {
    const message = 'it is not known whether the refund was recorded, and will be sent: give the command again';
    throw new ServiceError('PAYMENT_UNAVAILABLE', message, { cause });
  }
}

/** The first line of the error that the node or the database gave. */
function reasonOf(error: unknown): string {
  const cause = error instanceof NotSentError && error.cause !== undefined ? error.cause : error;
  const [line = 'unknown'] = cause instanceof Error ? cause.message.split('\n') : [String(cause)];
  return line;
}

async function advanceRefund(options: RefundsOptions, refund: Refund, waitMs: number): Promise<RefundProgress> {
  const known = await findOutcome(options, refund);
  if (known !== undefined) return known;
  const current = await resend(options, refund);
  const mined = await pollFor(() => findMined(options, current), waitMs);
  return mined === undefined ? describe(options, current) : noteMined(options, current, mined);
}

/** @returns undefined while the refund is not mined */
async function findOutcome(options: RefundsOptions, refund: Refund): Promise<RefundProgress | undefined> {
  if (refund.isFinal) return { transaction: lastOf(refund), state: 'final' };
  const found = await findMined(options, refund);
  if (found !== undefined) return noteMined(options, refund, found);
  if (refund.mined !== undefined) await options.records.locate(refund.claimId, undefined);
  return undefined;
}

async function describe({ rpc }: RefundsOptions, refund: Refund): Promise<RefundProgress> {
  const transaction = lastOf(refund);
  return { transaction, state: (await isWaiting(rpc, transaction)) ? 'sent' : 'signed' };
}

const lastOf = ({ mined, transactions }: Refund): Hex => mined?.transaction ?? transactions.at(-1) ?? transactions[0];

/** Finds the transfer in the chain. All transactions of a refund have one nonce, so at most one of them is mined. */
async function findMined(options: RefundsOptions, refund: Refund): Promise<MinedTransfer | undefined> {
  const receipts = await Promise.all(refund.transactions.map((transaction) => findReceipt(options.rpc, transaction)));
  return findAmong(options, refund, receipts);
}

/** A node that lags behind gives two refunds one nonce. Then they have one transaction, if the payer and amount are the same. */
async function findAmong(
  { records }: RefundsOptions,
  refund: Refund,
  receipts: readonly (Receipt | undefined)[],
): Promise<MinedTransfer | undefined> {
  const logs = receipts.flatMap((receipt) => (receipt?.success === true ? receipt.logs : []));
  for (const transfer of transfersIn(logs, refund.asset)) {
    if (isRefundOf(transfer, refund) && !(await records.isOfAnother(refund.claimId, transfer))) return transfer;
  }
  return undefined;
}

async function noteMined(options: RefundsOptions, refund: Refund, mined: MinedTransfer): Promise<RefundProgress> {
  const { records, blocks, onMined } = options;
  const { claimId } = refund;
  const { transaction, block } = mined;
  if (refund.mined?.block.hash !== block.hash) {
    await records.locate(claimId, mined);
    await onMined?.();
  }
  const { confirmed } = await blocks.readHead();
  if (confirmed === undefined || block.number > confirmed.number) return { transaction, state: 'mined' };
  if (!(await blocks.isFinal(block))) return { transaction, state: 'mined' };
  await records.finalize(claimId);
  return { transaction, state: 'final' };
}

/** Sends a refund again that is not mined: the same transaction, or another one if it can never be mined. */
async function resend(options: RefundsOptions, refund: Refund): Promise<Refund> {
  const { rpc, records, payee } = options;
  const { signed } = refund;
  // The transaction of an operator cannot be sent from here.
  if (signed === undefined) return refund;
  // For an earlier payee, nothing new can be signed.
  const isOurs = payee?.address === refund.payee;
  const usedBy = await findUse(options, refund, signed);
  if (usedBy !== undefined) {
    const transaction = await findTaker(options, refund, signed, usedBy);
    if (transaction !== undefined) await records.addReplacement(refund, { transaction, signed });
    else if (isOurs) await sign(options, refund, (sent) => records.replace(refund, sent));
  } else {
    // A node refuses a transaction that it knows. The chain shows whether it was mined.
    await rpc.sendRawTransaction({ serializedTransaction: signed.serialized }).catch(() => {});
    if (isOurs) {
      await payee.hasten(lastOf(refund), (transaction, replacement) =>
        records.addReplacement(refund, { transaction, signed: { ...signed, ...replacement } }),
      );
    }
  }
  return (await records.find(refund.claimId)) ?? refund;
}

/**
 * Finds out whether another transaction of the payee took the nonce for good. A node that lags behind must not answer a part:
 * it would seem that the refund was not mined.
 * @returns a final block that has this transaction, or one before it has; undefined: the refund can still be mined
 */
async function findUse(options: RefundsOptions, refund: Refund, { nonce }: SignedRefund): Promise<bigint | undefined> {
  const { rpc, blocks } = options;
  const { latest, confirmed } = await blocks.readHead();
  if (confirmed === undefined) return undefined;
  const node = oneNode();
  const [at, used, ...receipts] = await Promise.all([
    readBlockNumber(rpc, node),
    countSent(rpc, { address: refund.payee, block: confirmed.number }, node),
    ...refund.transactions.slice(-MOST_VERSIONS).map((transaction) => findReceipt(rpc, transaction, node)),
  ]);
  if (at < latest.number || used <= nonce) return undefined;
  return (await findAmong(options, refund, receipts)) === undefined ? confirmed.number : undefined;
}

/**
 * Finds a transaction that took the nonce of a refund and transfers the same: an operator may have sent it with higher fees,
 * or it is the refund of a record that a restored database lost. Such a database may also have lost that the refund was
 * signed again with another nonce.
 */
async function findTaker(
  { rpc, records, restored }: RefundsOptions,
  refund: Refund,
  { nonce, fromBlock }: SignedRefund,
  usedBy: bigint,
): Promise<Hex | undefined> {
  const { asset, payee: account } = refund;
  const restoredAt = await restored.at();
  const isRestored = restoredAt !== null && refund.signedAt <= restoredAt;
  const to = isRestored ? await restored.readEnd(account, restoredAt).catch(failUnsigned) : usedBy;
  if (to < usedBy) throw new NodeReplyError('eth_getBlockByNumber', to);
  const transfers = await readTransfers(rpc, { asset, account, direction: 'sent' }, { from: fromBlock, to });
  for (const transfer of transfers) {
    if (!isRefundOf(transfer, refund) || (await records.isOfAnother(refund.claimId, transfer))) continue;
    const { transaction } = transfer;
    if (isRestored) return transaction;
    const sent = await readSent(rpc, transaction);
    if (isAddressEqual(sent.from, account) && sent.nonce === nonce) return transaction;
  }
  await records.noteSearched(refund, usedBy);
  return undefined;
}

function failUnsigned(cause: unknown): never {
  if (!(cause instanceof NotQuietError)) throw cause;
  const message = `the database was restored, and the refund is not signed again yet: ${cause.message}`;
  throw new ServiceError('PAYMENT_UNAVAILABLE', message, { cause });
}
