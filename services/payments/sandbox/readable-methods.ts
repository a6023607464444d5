import { type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { Address, Bytes, Bytes32, Quantity } from '../payment/hex.ts';

const MAX_ADDRESSES = 20;
const MAX_ALTERNATIVES = 20;
/** Twice what a claim of 100 channels needs. The node computes for as long as the gas lasts. */
const MAX_CALL_GAS = 5_000_000n;

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

const parametersOf = (...parameters: TSchema[]) => Compile(Type.Tuple(parameters));

/** What a client reads: viem for calls, logs and receipts, and for waiting until a transaction is mined. */
const METHODS: ReadonlyMap<string, ReturnType<typeof parametersOf>> = new Map([
  ['eth_blockNumber', parametersOf()],
  ['eth_call', parametersOf(Call, BlockTag)],
  ['eth_chainId', parametersOf()],
  ['eth_getBlockByNumber', parametersOf(BlockTag, Type.Boolean())],
  ['eth_getCode', parametersOf(Address, BlockTag)],
  ['eth_getLogs', parametersOf(LogFilter)],
  ['eth_getTransactionByHash', parametersOf(Bytes32)],
  ['eth_getTransactionReceipt', parametersOf(Bytes32)],
]);

export type CheckedRead =
  | { readonly kind: 'read'; readonly params: readonly unknown[] }
  | { readonly kind: 'unknown-method' }
  | { readonly kind: 'invalid-params' };

/** Checks that a request only reads, and bounds what it costs. */
export function checkRead(name: string, params: unknown): CheckedRead {
  const parameters = METHODS.get(name);
  if (parameters === undefined) return { kind: 'unknown-method' };
  if (!Array.isArray(params) || !parameters.Check(params)) return { kind: 'invalid-params' };
  const [first, ...others]: unknown[] = params;
  return { kind: 'read', params: isCall.Check(first) ? [withBoundedGas(first), ...others] : params };
}

function withBoundedGas(call: Type.Static<typeof Call>): object {
  const gas = call.gas === undefined ? MAX_CALL_GAS : BigInt(call.gas);
  return { ...call, gas: `0x${(gas < MAX_CALL_GAS ? gas : MAX_CALL_GAS).toString(16)}` };
}

export const READABLE_METHODS: readonly string[] = [...METHODS.keys()];
