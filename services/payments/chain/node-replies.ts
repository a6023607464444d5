import { inspect } from 'node:util';
import { type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { isRecord } from '../../platform/is-record.ts';
import { Address, Bytes, Bytes32, Quantity } from '../payment/hex.ts';

const MAX_SHOWN_CHARACTERS = 200;

/** A node answered with something that cannot be, or with something else than what it was asked. Then nothing is known. */
export class NodeReplyError extends Error {
  override readonly name = 'NodeReplyError';

  constructor(method: string, reply: unknown) {
    const shown = inspect(reply, { breakLength: Number.POSITIVE_INFINITY }).slice(0, MAX_SHOWN_CHARACTERS);
    super(`unexpected reply of the node to ${method}: ${shown}`);
  }
}

const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([Type.Null(), schema]);

/** A log of a mined transaction. */
const EventLog = Type.Object({
  address: Address,
  topics: Type.Array(Bytes32, { maxItems: 4 }),
  data: Bytes,
  blockHash: Bytes32,
  blockNumber: Quantity,
  logIndex: Quantity,
  transactionHash: Bytes32,
  transactionIndex: Quantity,
});

/** What viem would fill with null or undefined, or take as it is. The fields are those that are used. */
const SCHEMAS = new Map(
  Object.entries({
    eth_blockNumber: Quantity,
    eth_call: Bytes,
    eth_getBalance: Quantity,
    eth_getCode: Bytes,
    eth_getTransactionCount: Quantity,
    eth_getBlockByNumber: orNull(Type.Object({ number: Quantity, hash: Bytes32, timestamp: Quantity })),
    eth_getLogs: Type.Array(EventLog),
    eth_getTransactionReceipt: orNull(
      Type.Object({
        transactionHash: Bytes32,
        to: Type.Optional(orNull(Address)),
        gasUsed: Quantity,
        effectiveGasPrice: Type.Optional(Quantity),
        l1Fee: Type.Optional(orNull(Quantity)),
        blockNumber: Quantity,
        status: Type.Enum(['0x0', '0x1']),
        logs: Type.Array(EventLog),
      }),
    ),
    // `blockNumber` is null while the transaction waits to be mined.
    eth_getTransactionByHash: orNull(
      Type.Object({
        hash: Bytes32,
        type: Quantity,
        blockNumber: orNull(Quantity),
        from: Address,
        to: Type.Optional(orNull(Address)),
        nonce: Quantity,
        input: Bytes,
        gas: Quantity,
        maxFeePerGas: Type.Optional(Quantity),
        maxPriorityFeePerGas: Type.Optional(Quantity),
      }),
    ),
  } satisfies Record<string, TSchema>).map(([method, schema]) => [method, Compile(schema)] as const),
);

interface NodeCall {
  readonly method: string;
  readonly params?: unknown;
}

/** @throws {NodeReplyError} for a reply that is malformed, or to another question */
export function checkReply(call: NodeCall, reply: unknown): unknown {
  const first: unknown = Array.isArray(call.params) ? call.params[0] : undefined;
  // The block that is not mined yet has no hash.
  if (first === 'pending') return reply;
  const isWellFormed = SCHEMAS.get(call.method)?.Check(reply) ?? true;
  if (!isWellFormed || !isAsked(call.method, first, reply)) throw new NodeReplyError(call.method, reply);
  return reply;
}

/** Whether a well-formed reply is about what was asked for. */
function isAsked(method: string, wanted: unknown, reply: unknown): boolean {
  if (Array.isArray(reply)) return method !== 'eth_getLogs' || reply.every((log) => passes(wanted, log));
  if (!isRecord(reply)) return true;
  switch (method) {
    case 'eth_getBlockByNumber':
      return !String(wanted).startsWith('0x') || Number(reply['number']) === Number(wanted);
    case 'eth_getTransactionReceipt':
      return isSame(reply['transactionHash'], wanted);
    case 'eth_getTransactionByHash':
      return isSame(reply['hash'], wanted);
    default:
      return true;
  }
}

/** Whether a log passes the filter of its request. A node that ignores it would report events of others. */
function passes(filter: unknown, log: unknown): boolean {
  if (!isRecord(filter) || !isRecord(log)) return false;
  const { address, topics, fromBlock, toBlock } = filter;
  const found: unknown = log['topics'];
  const block = Number(log['blockNumber']);
  const isInRange = Number(fromBlock) <= block && block <= Number(toBlock);
  if (!isInRange || !isSame(log['address'], address) || !Array.isArray(topics) || !Array.isArray(found)) return false;
  return topics.every((wanted, i) => wanted === null || [wanted].flat().some((topic) => isSame(found[i], topic)));
}

/** Compares hexadecimal texts, which nodes write in either case. */
export const isSame = (one: unknown, other: unknown): boolean =>
  typeof one === 'string' && typeof other === 'string' && one.toLowerCase() === other.toLowerCase();
