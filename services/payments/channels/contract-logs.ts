import { type Hex, toEventSelector } from 'viem';
import { type BlockRef, blockOf } from '../chain/authorization-use.ts';
import { isSame, NodeReplyError } from '../chain/node-replies.ts';
import type { Rpc } from '../chain/nodes.ts';
import { type EventLog, type LogRange, pagesOf, readLogs } from '../chain/rpc.ts';
import { toLowerHex } from '../payment/hex.ts';
import { SETTLEMENT } from './addresses.ts';

export const DEPOSITED = toEventSelector('Deposited(bytes32,address,uint128,uint128)');
export const REFUNDED = toEventSelector('Refunded(bytes32,address,uint128)');

/** An event of the contract. */
export interface ContractEvent {
  readonly channelId: Hex;
  readonly transaction: Hex;
  readonly block: BlockRef;
  readonly data: Hex;
}

/** Most values of one topic that public nodes take. */
const IDS_PER_REQUEST = 500;

/**
 * Reads the events of channels, of one kind or of all kinds.
 * @throws {NodeReplyError}
 * @throws {BlockNotFoundError} if the node that was asked does not have the last block: it would leave out events
 */
export async function readEvents(
  rpc: Rpc,
  channelIds: readonly Hex[],
  range: LogRange,
  event: Hex | null = null,
): Promise<readonly ContractEvent[]> {
  const found: ContractEvent[] = [];
  for (const page of pagesOf(range)) {
    for (let i = 0; i < channelIds.length; i += IDS_PER_REQUEST) {
      const ids = channelIds.slice(i, i + IDS_PER_REQUEST);
      const logs = await readLogs(rpc, { address: SETTLEMENT, topics: [event, ids] }, page);
      found.push(...logs.map(toEvent));
    }
  }
  return found;
}

/** The events of one kind among the logs of a transaction. */
export function eventsIn(logs: readonly EventLog[], event: Hex, channelId: Hex): readonly ContractEvent[] {
  return logs
    .filter(
      ({ address, topics }) => isSame(address, SETTLEMENT) && isSame(topics[0], event) && isSame(topics[1], channelId),
    )
    .map(toEvent);
}

function toEvent(log: EventLog): ContractEvent {
  const [, channelId] = log.topics;
  if (channelId === undefined) throw new NodeReplyError('eth_getLogs', log);
  return { channelId: toLowerHex(channelId), transaction: log.transactionHash, block: blockOf(log), data: log.data };
}
