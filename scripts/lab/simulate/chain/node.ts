import {
  BlockNotFoundError,
  ExecutionRevertedError,
  type Hex,
  keccak256,
  numberToHex,
  parseTransaction,
  RpcRequestError,
} from 'viem';
import type { Faults } from '../engine/faults.ts';
import type { Random } from '../engine/random.ts';
import type { MinedBlock, PooledTransaction } from './block.ts';
import { BLOCK_MS, type Blocks } from './blocks.ts';
import { answerCall, tokenCallsOf } from './contract-calls.ts';
import { logsOf } from './event-logs.ts';

interface ContractRead {
  readonly functionName: string;
  readonly args?: readonly unknown[];
  readonly blockNumber?: bigint;
}

interface JsonRpcRequest {
  readonly method: string;
  readonly params: readonly unknown[];
}

interface ContractCall {
  readonly to: Hex;
  readonly data: Hex;
}

interface LogFilter {
  readonly fromBlock: Hex;
  readonly toBlock: Hex;
  readonly topics: readonly (Hex | readonly Hex[] | null)[];
}

/** Is the same for requests that one node answers, where a caller wants that. */
export type OneNode = AbortSignal | undefined;

/** The methods of viem's public client that the product calls, answered at once. */
export interface SimulatedNode {
  getChainId(): number;
  getBlock(at: { readonly blockNumber?: bigint }, node: OneNode): object;
  getBalance(): bigint;
  estimateMaxPriorityFeePerGas(): bigint;
  getTransactionCount(given: { readonly address: Hex; readonly blockTag: string }): number;
  readContract(read: ContractRead): unknown;
  request(request: JsonRpcRequest, node: OneNode): unknown;
  sendRawTransaction(given: { readonly serializedTransaction: Hex }): Hex;
}

export interface NodeOptions {
  readonly blocks: Blocks;
  readonly asset: Hex;
  readonly chainId: number;
  /** The sender of every transaction that comes as raw bytes. */
  readonly sender: Hex;
  readonly random: Random;
  readonly faults: Faults;
  readonly nowMs: () => number;
}

const PRIORITY_FEE = 1_000_000n;
const refuse = (message: string) =>
  new RpcRequestError({ body: {}, url: 'http://node', error: { code: -32_000, message } });

/** Nodes of the simulated chain behind one URL. Each may lag behind the chain by a block or two. */
export function createNode(options: NodeOptions): SimulatedNode {
  const { blocks, asset, chainId, random, faults, nowMs } = options;

  const lags = new WeakMap<AbortSignal, number>();

  /** The block that the node takes for the latest. */
  function head(node?: OneNode): MinedBlock {
    blocks.advance(nowMs());
    const latest = blocks.latest();
    const drawn = faults.isOn && faults.late > 0 && random.chance(0.1) ? random.between(1, 2) : 0;
    const lag = (node && lags.get(node)) ?? drawn;
    if (node) lags.set(node, lag);
    return blocks.blockAt(Math.max(0, latest.number - lag)) ?? latest;
  }

  const findBlock = (number: bigint, node?: OneNode) =>
    number <= BigInt(head(node).number) ? blocks.blockAt(Number(number)) : undefined;

  function known(number: bigint, node?: OneNode): MinedBlock {
    const found = findBlock(number, node);
    if (found === undefined) throw new BlockNotFoundError({ blockNumber: number });
    return found;
  }

  function readContract({ functionName, args = [], blockNumber }: ContractRead): unknown {
    const block = blockNumber === undefined ? head() : known(blockNumber);
    const token = blocks.tokenAt(block.number);
    switch (functionName) {
      case 'balanceOf':
        return token.balanceOf(String(args[0]));
      case 'authorizationState':
        return token.isUsed(String(args[0]), String(args[1]));
      default:
        throw new ExecutionRevertedError({ message: `no contract has ${functionName}` });
    }
  }

  function findTransaction(hash: unknown, node?: OneNode) {
    const found = blocks.find(String(hash) as Hex);
    const isHidden = found?.block !== undefined && found.block.number > head(node).number;
    return isHidden ? undefined : found;
  }

  function readLogs({ fromBlock, toBlock, topics }: LogFilter, node?: OneNode) {
    const [first, last] = [Number(fromBlock), Math.min(Number(toBlock), head(node).number)];
    const matches = (wanted: Hex | readonly Hex[] | null, given: Hex | undefined) => {
      if (wanted === null || given === undefined) return wanted === null;
      const list = typeof wanted === 'string' ? [wanted] : wanted;
      return list.some((each) => each.toLowerCase() === given.toLowerCase());
    };
    return blocks
      .all()
      .filter(({ number }) => number >= first && number <= last)
      .flatMap((block) => logsOf(asset, block))
      .filter((log) => topics.every((wanted, at) => matches(wanted, log.topics[at])));
  }

  return {
    getChainId: () => chainId,
    getBlock({ blockNumber }, node) {
      const { number, hash, atMs, baseFee } = blockNumber === undefined ? head(node) : known(blockNumber, node);
      return { number: BigInt(number), hash, timestamp: BigInt(Math.floor(atMs / 1000)), baseFeePerGas: baseFee };
    },
    getBalance: () => 10n ** 18n,
    estimateMaxPriorityFeePerGas: () => PRIORITY_FEE,
    getTransactionCount: ({ address, blockTag }) => {
      head();
      return blocks.transactionCount(address, blockTag === 'pending');
    },
    readContract,
    request({ method, params }, node) {
      switch (method) {
        case 'eth_getCode':
          return blocks.hasCode(params[0] as Hex) ? '0xfe' : '0x';
        case 'eth_blockNumber':
          return numberToHex(head(node).number);
        case 'eth_getTransactionReceipt': {
          const found = findTransaction(params[0], node);
          if (found?.block === undefined) return null;
          const mined = found.block.transactions.find(({ hash }) => hash === found.transaction.hash);
          const isSuccess = mined !== undefined && (mined.isBatch || mined.effects.length > 0);
          const logs = mined === undefined ? [] : logsOf(asset, found.block, mined);
          const { hash: transactionHash, to, gas } = found.transaction;
          const blockNumber = numberToHex(found.block.number);
          return {
            transactionHash,
            to,
            gasUsed: numberToHex(gas),
            blockNumber,
            status: isSuccess ? '0x1' : '0x0',
            logs,
          };
        }
        case 'eth_getTransactionByHash': {
          const found = findTransaction(params[0]);
          return found === undefined ? null : toWire(found.transaction, found.block);
        }
        case 'eth_call': {
          const block = head();
          return answerCall(blocks.tokenAt(block.number), nextBlockS(block), params[0] as ContractCall);
        }
        case 'eth_getLogs':
          return readLogs(params[0] as LogFilter, node);
        default:
          throw refuse(`the method ${method} is not simulated`);
      }
    },
    sendRawTransaction: ({ serializedTransaction }) => accept(options, serializedTransaction),
  };
}

/** Takes a transaction into the pool. Some are mined late, and some are forgotten. */
function accept({ blocks, sender, random, faults, nowMs }: NodeOptions, serialized: Hex): Hex {
  blocks.advance(nowMs());
  const {
    nonce = 0,
    to,
    data = '0x',
    gas = 0n,
    maxFeePerGas = 0n,
    maxPriorityFeePerGas = 0n,
  } = parseTransaction(serialized);
  const hash = keccak256(serialized);
  if (blocks.find(hash) !== undefined) throw refuse('already known');
  if (nonce < blocks.transactionCount(sender, false)) throw refuse('nonce too low');
  const waiting = blocks.waiting(sender, nonce);
  if (waiting !== undefined && maxFeePerGas * 10n < waiting.maxFeePerGas * 11n) {
    throw refuse('replacement transaction underpriced');
  }
  const isLate = faults.isOn && faults.late > 0 && random.chance(0.15);
  const notBeforeMs = isLate ? nowMs() + random.between(0, 15) * BLOCK_MS : nowMs();
  const fees = { gas, maxFeePerGas, maxPriorityFeePerGas };
  const target = to ?? sender;
  const calls = tokenCallsOf(target, data);
  const isBatch = calls.length > 1;
  blocks.add({ hash, from: sender, to: target, nonce, input: data, ...fees, calls, isBatch, notBeforeMs });
  return hash;
}

/** Nodes run calls as part of the next block. */
const nextBlockS = ({ atMs }: MinedBlock) => Math.floor((atMs + BLOCK_MS) / 1000);

function toWire(transaction: PooledTransaction, block: MinedBlock | undefined) {
  const { hash, from, to, nonce, input, gas, maxFeePerGas, maxPriorityFeePerGas } = transaction;
  return {
    hash,
    type: '0x2',
    blockNumber: block === undefined ? null : numberToHex(block.number),
    from,
    to,
    nonce: numberToHex(nonce),
    input,
    gas: numberToHex(gas),
    maxFeePerGas: numberToHex(maxFeePerGas),
    maxPriorityFeePerGas: numberToHex(maxPriorityFeePerGas),
  };
}
