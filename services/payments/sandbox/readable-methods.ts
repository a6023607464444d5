import { type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { Address, Bytes, Bytes32, Quantity } from '../payment/hex.ts';

const MAX_ADDRESSES = 20;
const MAX_ALTERNATIVES = 20;
/** A third of a block. The node computes for as long as the gas lasts. */
const MAX_CALL_GAS = 10_000_000n;

const BlockTag = Type.Union([Quantity, Type.Enum(['latest', 'earliest', 'pending', 'safe', 'finalized'])]);

/** `to` is required: without it, the node would run any code that the caller sends. */
const Call = Type.Object(
  {
    to: Address,
    from: Type.Optional(Address),
    data: Type.Optional(Bytes),
    input: Type.Optional(Bytes),
    value: Type.Optional(Quantity),
    gas: Type.Optional(Quantity),
  },
  { additionalProperties: false },
);
const isCall = Compile(Call);

const Topic = Type.Union([Type.Null(), Bytes32, Type.Array(Bytes32, { maxItems: MAX_ALTERNATIVES })]);
const LogFilter = Type.Object(
  {
    fromBlock: Type.Optional(BlockTag),
    toBlock: Type.Optional(BlockTag),
    blockHash: Type.Optional(Bytes32),
    address: Type.Optional(Type.Union([Address, Type.Array(Address, { maxItems: MAX_ADDRESSES })])),
    topics: Type.Optional(Type.Array(Topic, { maxItems: 4 })),
  },
  { additionalProperties: false },
);

interface Readable {
  readonly check: (params: unknown) => params is unknown[];
}

/** A method with its parameters, of which the last `optional` may be left out. */
function method(parameters: readonly TSchema[], optional = 0): Readable {
  const lists = Array.from({ length: optional + 1 }, (_, left) =>
    Compile(Type.Tuple(parameters.slice(0, parameters.length - left))),
  );
  return { check: (params): params is unknown[] => lists.some((list) => list.Check(params)) };
}

/** What a client reads: viem for calls, logs and receipts, and for waiting until a transaction is mined. */
const METHODS: ReadonlyMap<string, Readable> = new Map([
  ['eth_blockNumber', method([])],
  ['eth_call', method([Call, BlockTag], 1)],
  ['eth_chainId', method([])],
  ['eth_getBlockByNumber', method([BlockTag, Type.Boolean()])],
  ['eth_getCode', method([Address, BlockTag], 1)],
  ['eth_getLogs', method([LogFilter])],
  ['eth_getTransactionByHash', method([Bytes32])],
  ['eth_getTransactionReceipt', method([Bytes32])],
]);

export type CheckedRead =
  | { readonly kind: 'read'; readonly params: readonly unknown[] }
  | { readonly kind: 'unknown-method' }
  | { readonly kind: 'invalid-params' };

/** Checks that a request only reads, and bounds what it costs. */
export function checkRead(name: string, params: unknown): CheckedRead {
  const readable = METHODS.get(name);
  if (readable === undefined) return { kind: 'unknown-method' };
  if (!readable.check(params)) return { kind: 'invalid-params' };
  const [first, ...others] = params;
  return { kind: 'read', params: isCall.Check(first) ? [withBoundedGas(first), ...others] : params };
}

function withBoundedGas(call: Type.Static<typeof Call>): object {
  const gas = call.gas === undefined ? MAX_CALL_GAS : BigInt(call.gas);
  return { ...call, gas: `0x${(gas < MAX_CALL_GAS ? gas : MAX_CALL_GAS).toString(16)}` };
}

export const READABLE_METHODS: readonly string[] = [...METHODS.keys()];
