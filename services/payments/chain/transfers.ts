import { getAddress, type Hex } from 'viem';
import { type BlockRef, blockOf, LOG_RANGE_BLOCKS, TRANSFER, topicOf } from './authorization-use.ts';
import { type EventLog, NodeReplyError, readLogs } from './node-replies.ts';
import { type Rpc, requestLogs } from './rpc.ts';

/** A `Transfer` event of the asset. Addresses are checksummed. */
export interface Transfer {
  readonly transaction: Hex;
  readonly block: BlockRef;
  readonly logIndex: bigint;
  readonly from: Hex;
  readonly to: Hex;
  readonly value: bigint;
}

/** The transfers of an asset among the logs of a transaction. */
export function transfersIn(logs: readonly EventLog[], asset: Hex): readonly Transfer[] {
  return logs.filter((log) => isTransferOf(log, asset)).map(toTransfer);
}

export interface TransferFilter {
  readonly asset: Hex;
  readonly account: Hex;
  /** Whether to find what the account received or what it sent. */
  readonly direction: 'received' | 'sent';
}

/** Reads the transfers of an account in a range of blocks, both included. @throws {NodeReplyError} */
export async function readTransfers(
  rpc: Rpc,
  filter: TransferFilter,
  { from, to }: { readonly from: bigint; readonly to: bigint },
): Promise<readonly Transfer[]> {
  const found: Transfer[] = [];
  for (let first = from; first <= to; first += LOG_RANGE_BLOCKS) {
    const end = first + LOG_RANGE_BLOCKS - 1n;
    found.push(...(await readRange(rpc, filter, first, end < to ? end : to)));
  }
  return found;
}

async function readRange(rpc: Rpc, { asset, account, direction }: TransferFilter, from: bigint, to: bigint) {
  const party = topicOf(account);
  const topics: [Hex, ...(Hex | null)[]] = direction === 'sent' ? [TRANSFER, party] : [TRANSFER, null, party];
  const logs = readLogs(await requestLogs(rpc, { address: asset, topics }, { from, to }));
  // A node that ignores the filter would report transfers of others.
  const other = logs.find((log) => {
    const topic = log.topics[direction === 'sent' ? 1 : 2];
    return !isTransferOf(log, asset) || topic?.toLowerCase() !== party.toLowerCase();
  });
  if (other !== undefined) throw new NodeReplyError('eth_getLogs', other);
  return logs.map(toTransfer);
}

const isTransferOf = ({ address, topics }: EventLog, asset: Hex) =>
  address.toLowerCase() === asset.toLowerCase() && topics.length === 3 && topics[0] === TRANSFER;

function toTransfer(log: EventLog): Transfer {
  const [, from, to] = log.topics;
  if (from === undefined || to === undefined) throw new NodeReplyError('eth_getLogs', log);
  return {
    transaction: log.transactionHash,
    block: blockOf(log),
    logIndex: BigInt(log.logIndex),
    from: addressOf(from),
    to: addressOf(to),
    value: BigInt(log.data),
  };
}

const addressOf = (topic: Hex): Hex => getAddress(`0x${topic.slice(-40)}`);
