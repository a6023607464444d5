import { type Hex, numberToHex, pad, toEventSelector } from 'viem';
import type { ClaimDetails } from '../claims/claims.ts';
import { toLowerHex } from '../payment/hex.ts';
import type { Terms } from '../payment/terms.ts';
import { type EventLog, NodeReplyError, readLogs } from './node-replies.ts';
import { findReceipt, type Receipt, type Rpc } from './rpc.ts';

/** Identifies one authorization of EIP-3009 and its amount. */
export type AuthorizationRef = Pick<ClaimDetails, 'payer' | 'nonce' | 'amount'>;

/** How an authorization was used. */
export type AuthorizationUse =
  /** It moved the amount to us, in `transaction`, whoever sent it. `block` has the transaction. */
  | { readonly kind: 'settled'; readonly transaction: Hex; readonly block: BlockRef }
  /** It can no longer move the amount to us: it was used otherwise, or cancelled. */
  | { readonly kind: 'void'; readonly reason: string };

/** A block of one chain. After a reorganization, its number belongs to another block. */
export interface BlockRef {
  readonly number: bigint;
  readonly hash: Hex;
}

const USED = toEventSelector('AuthorizationUsed(address,bytes32)');
const CANCELED = toEventSelector('AuthorizationCanceled(address,bytes32)');
export const TRANSFER = toEventSelector('Transfer(address,address,uint256)');
/** Most blocks that public nodes search in one request. */
export const LOG_RANGE_BLOCKS = 1000n;

export const topicOf = (address: Hex): Hex => pad(address, { size: 32 });
const isSame = (one: string | undefined, other: string) => one?.toLowerCase() === other.toLowerCase();

/**
 * Finds the payment in a transaction's logs: AuthorizationUsed(payer, nonce) with the Transfer(payer, payTo, amount) that
 * belongs to it. The token emits the two one after the other. A transfer elsewhere in the same transaction may belong to
 * another authorization, put there to pay two claims with one amount.
 */
function findPaid(
  logs: readonly EventLog[],
  terms: Pick<Terms, 'asset' | 'payTo'>,
  { payer, nonce, amount }: AuthorizationRef,
): EventLog | undefined {
  const isOurs = (log: EventLog, topics: readonly Hex[]) =>
    isSame(log.address, terms.asset) && topics.every((topic, i) => isSame(log.topics[i], topic));
  return logs.find((log, i) => {
    if (!isOurs(log, [USED, topicOf(payer), nonce])) return false;
    const next = logs[i + 1];
    if (next === undefined || Number(next.logIndex) !== Number(log.logIndex) + 1) return false;
    return isOurs(next, [TRANSFER, topicOf(payer), topicOf(terms.payTo)]) && BigInt(next.data) === amount;
  });
}

/**
 * @returns how `transaction` settled the authorization; undefined where it did not
 * @throws {NodeReplyError}
 */
export async function findSettled(
  rpc: Rpc,
  terms: Terms,
  transaction: Hex,
  authorization: AuthorizationRef,
): Promise<Extract<AuthorizationUse, { readonly kind: 'settled' }> | undefined> {
  const receipt = await findReceipt(rpc, transaction);
  return receipt && readSettled(receipt, terms, transaction, authorization);
}

function readSettled(
  receipt: Receipt,
  terms: Terms,
  transaction: Hex,
  authorization: AuthorizationRef,
): Extract<AuthorizationUse, { readonly kind: 'settled' }> | undefined {
  const log = receipt.success ? findPaid(receipt.logs, terms, authorization) : undefined;
  return log && { kind: 'settled', transaction, block: blockOf(log) };
}

/** The authorization whose use caused the transfer at `transferIndex`; undefined for a plain transfer. */
export function authorizationOf(
  logs: readonly EventLog[],
  asset: Hex,
  transferIndex: bigint,
): { readonly nonce: Hex } | undefined {
  const log = logs.find(({ logIndex }) => BigInt(logIndex) === transferIndex - 1n);
  const nonce = log?.topics[2];
  const isUse = log !== undefined && isSame(log.address, asset) && isSame(log.topics[0], USED);
  return isUse && nonce !== undefined ? { nonce } : undefined;
}

export const blockOf = (log: EventLog): BlockRef => ({
  number: BigInt(log.blockNumber),
  hash: toLowerHex(log.blockHash),
});

export interface SearchedBlocks {
  readonly fromBlock: bigint;
  readonly latest: bigint;
}

/**
 * Searches the blocks for the log of the transaction that used an authorization.
 * @returns undefined where the log is not in these blocks
 * @throws {NodeReplyError}
 */
export async function findUse(
  rpc: Rpc,
  terms: Terms,
  authorization: AuthorizationRef,
  { fromBlock, latest }: SearchedBlocks,
): Promise<AuthorizationUse | undefined> {
  for (let from = fromBlock; from <= latest; from += LOG_RANGE_BLOCKS) {
    const end = from + LOG_RANGE_BLOCKS - 1n;
    const log = await findUseLog(rpc, terms, authorization, { from, to: end < latest ? end : latest });
    if (log === undefined) continue;
    const receipt = await findReceipt(rpc, log.transactionHash);
    // The node showed a log of this transaction. A node behind it may lag, or the chain was reorganized in between: then
    // nothing is known. A payment that looked void here would be charged, and its result withheld.
    if (receipt === undefined) throw new NodeReplyError('eth_getTransactionReceipt', null);
    return (
      readSettled(receipt, terms, log.transactionHash, authorization) ?? {
        kind: 'void',
        reason: 'invalid_exact_evm_nonce_already_used',
      }
    );
  }
  return undefined;
}

async function findUseLog(
  rpc: Rpc,
  { asset }: Terms,
  { payer, nonce }: AuthorizationRef,
  { from, to }: { readonly from: bigint; readonly to: bigint },
): Promise<EventLog | undefined> {
  const topics: [Hex[], Hex, Hex] = [[USED, CANCELED], topicOf(payer), nonce];
  const range = { fromBlock: numberToHex(from), toBlock: numberToHex(to) };
  const reply: unknown = await rpc.request({ method: 'eth_getLogs', params: [{ address: asset, topics, ...range }] });
  const [log] = readLogs(reply);
  if (log === undefined) return undefined;
  // A node that ignores the filter would make an unused authorization look used.
  const [event, ofPayer, ofNonce] = log.topics;
  const isAsked = isSame(event, USED) || isSame(event, CANCELED);
  if (!isAsked || !isSame(log.address, asset) || !isSame(ofPayer, topicOf(payer)) || !isSame(ofNonce, nonce)) {
    throw new NodeReplyError('eth_getLogs', log);
  }
  return log;
}
