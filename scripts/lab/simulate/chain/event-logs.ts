import { type Hex, numberToHex, pad, toEventSelector } from 'viem';
import type { Effect, MinedBlock, MinedTransaction } from './block.ts';

/** A log as JSON-RPC encodes it. */
export interface WireLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly blockHash: Hex;
  readonly blockNumber: Hex;
  readonly logIndex: Hex;
  readonly transactionHash: Hex;
  readonly transactionIndex: Hex;
  readonly removed: false;
}

const USED = toEventSelector('AuthorizationUsed(address,bytes32)');
const CANCELED = toEventSelector('AuthorizationCanceled(address,bytes32)');
const TRANSFER = toEventSelector('Transfer(address,address,uint256)');
const topic = (value: Hex) => pad(value, { size: 32 }).toLowerCase() as Hex;

interface Event {
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

function eventsOf(effect: Effect): readonly Event[] {
  const transfer = (from: Hex, to: Hex, value: bigint): Event => ({
    topics: [TRANSFER, topic(from), topic(to)],
    data: numberToHex(value, { size: 32 }),
  });
  switch (effect.kind) {
    case 'transfer':
      return [transfer(effect.from, effect.to, effect.value)];
    case 'cancel':
      return [{ topics: [CANCELED, topic(effect.from), effect.nonce], data: '0x' }];
    case 'transferWithAuthorization':
      return [
        { topics: [USED, topic(effect.from), effect.nonce], data: '0x' },
        transfer(effect.from, effect.to, effect.value),
      ];
  }
}

/** The logs of a block, or of one of its transactions. */
export function logsOf(asset: Hex, block: MinedBlock, only?: MinedTransaction): readonly WireLog[] {
  const logs: WireLog[] = [];
  for (const [at, transaction] of block.transactions.entries()) {
    for (const event of transaction.effects.flatMap(eventsOf)) {
      logs.push({
        ...event,
        address: asset,
        blockHash: block.hash,
        blockNumber: numberToHex(block.number),
        logIndex: numberToHex(logs.length),
        transactionHash: transaction.hash,
        transactionIndex: numberToHex(at),
        removed: false,
      });
    }
  }
  return only === undefined ? logs : logs.filter(({ transactionHash }) => transactionHash === only.hash);
}
