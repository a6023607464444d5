import { inspect } from 'node:util';
import { type Static, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/schema';
import type { Hex } from 'viem';
import { Address, Bytes, Bytes32, Quantity } from '../payment/hex.ts';

const MAX_SHOWN_CHARACTERS = 200;

/** A node answered with something that the Ethereum JSON-RPC specification does not allow. Then nothing is known. */
export class NodeReplyError extends Error {
  override readonly name = 'NodeReplyError';

  constructor(method: string, reply: unknown) {
    const shown = inspect(reply, { breakLength: Number.POSITIVE_INFINITY }).slice(0, MAX_SHOWN_CHARACTERS);
    super(`unexpected reply of the node to ${method}: ${shown}`);
  }
}

/** @returns a function that returns the reply, typed. It throws `NodeReplyError` for a malformed reply. */
function createReader<Schema extends TSchema>(method: string, schema: Schema): (reply: unknown) => Static<Schema> {
  const compiled = Compile(schema);
  return (reply) => {
    if (!compiled.Check(reply)) throw new NodeReplyError(method, reply);
    return reply;
  };
}

/** A log of a mined transaction. */
const EventLog = Type.Object({
  address: Address,
  topics: Type.Unsafe<[] | [Hex, ...Hex[]]>(Type.Array(Bytes32, { maxItems: 4 })),
  data: Bytes,
  blockHash: Bytes32,
  blockNumber: Quantity,
  logIndex: Quantity,
  transactionHash: Bytes32,
  transactionIndex: Quantity,
});
export type EventLog = Static<typeof EventLog>;

/** What a contract returned. */
export const readCallReply = createReader('eth_call', Bytes);

export const readCodeReply = createReader('eth_getCode', Bytes);

export const readBlockReply = createReader(
  'eth_getBlockByNumber',
  Type.Union([Type.Null(), Type.Object({ number: Quantity, hash: Bytes32 })]),
);

export const readCountReply = createReader('eth_getTransactionCount', Quantity);

export const readBlockNumberReply = createReader('eth_blockNumber', Quantity);

export const readLogs = createReader('eth_getLogs', Type.Array(EventLog));

export const readReceiptReply = createReader(
  'eth_getTransactionReceipt',
  Type.Union([
    Type.Null(),
    Type.Object({
      transactionHash: Bytes32,
      to: Type.Optional(Type.Union([Address, Type.Null()])),
      gasUsed: Quantity,
      effectiveGasPrice: Type.Optional(Quantity),
      l1Fee: Type.Optional(Type.Union([Quantity, Type.Null()])),
      blockNumber: Quantity,
      status: Type.Enum(['0x0', '0x1']),
      logs: Type.Array(EventLog),
    }),
  ]),
);

/** The fields that every transaction has. `blockNumber` is null while the transaction waits to be mined. */
const Transaction = Type.Object({
  hash: Bytes32,
  type: Quantity,
  blockNumber: Type.Union([Quantity, Type.Null()]),
  from: Address,
  to: Type.Optional(Type.Union([Address, Type.Null()])),
  nonce: Quantity,
  input: Bytes,
  gas: Quantity,
  maxFeePerGas: Type.Optional(Quantity),
  maxPriorityFeePerGas: Type.Optional(Quantity),
});
export type Transaction = Static<typeof Transaction>;

export const readTransactionReply = createReader('eth_getTransactionByHash', Type.Union([Type.Null(), Transaction]));
