import { type Hex, toEventSelector } from 'viem';
import { type BlockRef, blockOf, isSame, LOG_RANGE_BLOCKS } from '../chain/authorization-use.ts';
import { type EventLog, NodeReplyError, readLogs } from '../chain/node-replies.ts';
import { type LogRange, type Rpc, requestLogs } from '../chain/rpc.ts';
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
  { from, to, hash }: LogRange,
  event: Hex | null = null,
): Promise<readonly ContractEvent[]> {
  const found: ContractEvent[] = [];
  for (let first = from; first <= to; first += LOG_RANGE_BLOCKS) {
    const end = first + LOG_RANGE_BLOCKS - 1n;
    const range = end < to ? { from: first, to: end } : { from: first, to, hash };
    for (let i = 0; i < channelIds.length; i += IDS_PER_REQUEST) {
      const ids = channelIds.slice(i, i + IDS_PER_REQUEST);
      const reply = await requestLogs(rpc, { address: SETTLEMENT, topics: [event, [...ids]] }, range);
      found.push(...readLogs(reply).map((log) => toEvent(log, ids, event)));
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
    .map((log) => toEvent(log, [channelId], event));
}

/** A node that ignores the filter would report events of others. @throws {NodeReplyError} */
function toEvent(log: EventLog, channelIds: readonly Hex[], event: Hex | null): ContractEvent {
  const channelId = channelIds.find((id) => isSame(log.topics[1], id));
  const isAsked = isSame(log.address, SETTLEMENT) && (event === null || isSame(log.topics[0], event));
  if (channelId === undefined || !isAsked) throw new NodeReplyError('eth_getLogs', log);
  return { channelId, transaction: log.transactionHash, block: blockOf(log), data: log.data };
}
