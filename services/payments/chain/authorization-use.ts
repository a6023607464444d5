import { type Hex, pad, toEventSelector } from 'viem';
import { defined } from '../../../workers/exact/defined.ts';
import type { ClaimDetails } from '../claims/claims.ts';
import { toLowerHex } from '../payment/hex.ts';
import { isSame, NodeReplyError } from './node-replies.ts';
import { nodeNow, type Rpc } from './nodes.ts';
import { type EventLog, findReceipt, type LogRange, pagesOf, type Receipt, readLogs } from './rpc.ts';

/** Identifies one authorization of EIP-3009, with what it transfers. */
export type AuthorizationRef = Pick<ClaimDetails, 'payer' | 'nonce' | 'payTo' | 'amount'>;

/** How an authorization was used. */
export type AuthorizationUse =
  /** It moved the amount to the payee, in `transaction`, whoever sent it. `block` has the transaction. */
  | { readonly kind: 'settled'; readonly transaction: Hex; readonly block: BlockRef }
  /** It can no longer move the amount to the payee: it was used otherwise, or cancelled. */
  | { readonly kind: 'void'; readonly reason: string };

/** A block of one chain. After a reorganization, its number belongs to another block. */
export interface BlockRef {
  readonly number: bigint;
  readonly hash: Hex;
}

export const USED = toEventSelector('AuthorizationUsed(address,bytes32)');
const CANCELED = toEventSelector('AuthorizationCanceled(address,bytes32)');
export const TRANSFER = toEventSelector('Transfer(address,address,uint256)');

export const topicOf = (address: Hex): Hex => pad(address, { size: 32 });

/** How a transaction settled authorizations. */
export type SettledUse = Extract<AuthorizationUse, { readonly kind: 'settled' }>;

/**
 * Finds payments in a transaction's logs: AuthorizationUsed(payer, nonce) with the Transfer(payer, payTo, amount) that
 * belongs to it. The token emits the two one after the other. A transfer elsewhere in the same transaction may belong to
 * another authorization, put there to pay two claims with one amount. The uses are indexed by their nonce, because a
 * batch has a hundred of them.
 */
export function createProofReader(
  transaction: Hex,
  receipt: Receipt,
  asset: Hex,
): (authorization: AuthorizationRef) => SettledUse | undefined {
  const logs = receipt.success ? receipt.logs : [];
  const isOurs = (log: EventLog, topics: readonly Hex[]) =>
    isSame(log.address, asset) && topics.every((topic, i) => isSame(log.topics[i], topic));
  const uses = new Map<string, number[]>();
  for (const [index, { topics }] of logs.entries()) {
    const nonce = topics[2]?.toLowerCase();
    if (nonce === undefined || !isSame(topics[0], USED)) continue;
    uses.set(nonce, [...(uses.get(nonce) ?? []), index]);
  }
  const isPaid = (index: number, { payer, nonce, payTo, amount }: AuthorizationRef) => {
    const [log, next] = [logs[index], logs[index + 1]];
    if (log === undefined || !isOurs(log, [USED, topicOf(payer), nonce])) return false;
    if (next === undefined || next.logIndex !== log.logIndex + 1) return false;
    return isOurs(next, [TRANSFER, topicOf(payer), topicOf(payTo)]) && BigInt(next.data) === amount;
  };
  return (authorization) => {
    const found = uses.get(authorization.nonce.toLowerCase())?.find((index) => isPaid(index, authorization));
    return found === undefined ? undefined : { kind: 'settled', transaction, block: blockOf(defined(logs[found])) };
  };
}

export type FindProof = ReturnType<typeof createProofReader>;
/** Reads the receipt of a transaction; undefined where the node has none. @throws {NodeReplyError} */
export type ProofsOf = (transaction: Hex) => Promise<FindProof | undefined>;

/** Callers that ask one node for the same transaction share its receipt: a batch has a hundred of them. */
export function createProofs(rpc: Rpc, asset: Hex): ProofsOf {
  const reading = new Map<string, Promise<FindProof | undefined>>();
  return (transaction) => {
    const key = `${nodeNow()}:${transaction}`;
    const proofs =
      reading.get(key) ??
      findReceipt(rpc, transaction)
        .then((receipt) => receipt && createProofReader(transaction, receipt, asset))
        .finally(() => reading.delete(key));
    reading.set(key, proofs);
    return proofs;
  };
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

export const blockOf = (log: Pick<EventLog, 'blockNumber' | 'blockHash'>): BlockRef => ({
  number: log.blockNumber,
  hash: toLowerHex(log.blockHash),
});

export interface UseSearch {
  readonly rpc: Rpc;
  readonly asset: Hex;
  readonly proofsOf: ProofsOf;
}

/**
 * Searches the blocks for the log of the transaction that used an authorization.
 * @returns undefined where the log is not in these blocks
 * @throws {NodeReplyError}
 */
export async function findUse(
  { rpc, asset, proofsOf }: UseSearch,
  authorization: AuthorizationRef,
  range: LogRange,
): Promise<AuthorizationUse | undefined> {
  const topics = [[USED, CANCELED], topicOf(authorization.payer), authorization.nonce];
  for (const page of pagesOf(range)) {
    const [log] = await readLogs(rpc, { address: asset, topics }, page);
    if (log === undefined) continue;
    const findProof = await proofsOf(log.transactionHash);
    // The node showed a log of this transaction. A node behind it may lag, or the chain was reorganized in between:
    // then nothing is known. A payment that looked void here would be charged, and its result withheld.
    if (findProof === undefined) throw new NodeReplyError('eth_getTransactionReceipt', null);
    return findProof(authorization) ?? { kind: 'void', reason: 'invalid_exact_evm_nonce_already_used' };
  }
  return undefined;
}
