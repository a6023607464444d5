import { erc20Abi, type Hex, parseEventLogs } from 'viem';
import { type BlockRef, blockOf, TRANSFER, topicOf } from './authorization-use.ts';
import { isSame } from './node-replies.ts';
import type { Rpc } from './nodes.ts';
import { type EventLog, type LogRange, pagesOf, readLogs } from './rpc.ts';

/** A `Transfer` event of the asset. Addresses are checksummed. */
export interface Transfer {
  readonly transaction: Hex;
  readonly block: BlockRef;
  readonly logIndex: bigint;
  readonly from: Hex;
  readonly to: Hex;
  readonly value: bigint;
}

/** The transfers of an asset among logs. */
export const transfersIn = (logs: readonly EventLog[], asset: Hex): readonly Transfer[] =>
  parseEventLogs({
    abi: erc20Abi,
    eventName: 'Transfer',
    logs: logs.filter(({ address }) => isSame(address, asset)),
  }).map(({ transactionHash: transaction, logIndex, args, ...log }) => ({
    transaction,
    block: blockOf(log),
    logIndex: BigInt(logIndex),
    ...args,
  }));

export interface TransferFilter {
  readonly asset: Hex;
  readonly account: Hex;
  /** Whether to find what the account received or what it sent. */
  readonly direction: 'received' | 'sent';
}

/** Reads the transfers of an account in a range of blocks. @throws {NodeReplyError} */
export async function readTransfers(
  rpc: Rpc,
  { asset, account, direction }: TransferFilter,
  range: LogRange,
): Promise<readonly Transfer[]> {
  const party = topicOf(account);
  const topics = direction === 'sent' ? [TRANSFER, party] : [TRANSFER, null, party];
  const found: Transfer[] = [];
  for (const page of pagesOf(range))
    found.push(...transfersIn(await readLogs(rpc, { address: asset, topics }, page), asset));
  return found;
}
