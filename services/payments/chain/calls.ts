import { decodeFunctionResult, formatTransactionRequest, type Hex, multicall3Abi } from 'viem';
import { createBatcher } from '../../platform/batcher.ts';
import { type ContractCall, encodeAggregate3, MULTICALL3_ADDRESS } from './multicall.ts';
import { NodeReplyError } from './node-replies.ts';
import { askNode, decide, nodeNow, type Rpc, replyOf } from './nodes.ts';
import { hasCode, readBlockNumber } from './rpc.ts';
import { readRevertText } from './token-calls.ts';

/** What a call of a contract does at the latest block. `message`: why it reverts. */
export type CallOutcome =
  | { readonly success: true; readonly data: Hex }
  | { readonly success: false; readonly message: string };

export type Calls = ReturnType<typeof createCalls>;

interface Call extends ContractCall {
  readonly isSimulation: boolean;
}
/** A call, or what else is read in the same HTTP request. */
type Question = Call | (() => Promise<unknown>);

const MAX_CALLS = 100;
/** Longest wait for an earlier request. A request usually takes less. */
const WINDOW_MS = 50;

/**
 * Reads the latest state of the chain. What waits at the same time is one `eth_call`, through Multicall3. Methods throw when
 * the node does not answer, or answers with something that cannot be.
 */
export function createCalls(rpc: Rpc) {
  const batches = new Map<number, (question: Question) => Promise<unknown>>();
  const batchOf = (node: number) => {
    const send = (questions: readonly Question[]) => askNode(node, () => answerAll(rpc, questions));
    const batch =
      batches.get(node) ?? createBatcher<Question, unknown>({ send, maxItems: MAX_CALLS, windowMs: WINDOW_MS });
    batches.set(node, batch);
    return batch;
  };
  const ask = (question: Question) => decide(() => batchOf(nodeNow())(question));
  const call = (question: Call) => ask(question) as Promise<CallOutcome>;
  const read = <T>(question: () => Promise<T>) => ask(question) as Promise<T>;
  return {
    /** A call that changes nothing. */
    read: (wanted: ContractCall): Promise<CallOutcome> => call({ ...wanted, isSimulation: false }),
    /** A call that would change the chain. */
    simulate: (wanted: ContractCall): Promise<CallOutcome> => call({ ...wanted, isSimulation: true }),
    blockNumber: (): Promise<bigint> => read(() => readBlockNumber(rpc)),
    /** Whether an address has code, of its own or by delegation (EIP-7702). */
    hasCode: (address: Hex): Promise<boolean> => read(() => hasCode(rpc, address)),
  };
}

function answerAll(rpc: Rpc, questions: readonly Question[]): Promise<readonly unknown[]> {
  const calls = questions.filter((question) => typeof question === 'object');
  const outcomes = runAll(rpc, calls);
  return Promise.all(
    questions.map(async (question) =>
      typeof question === 'function' ? question() : (await outcomes)[calls.indexOf(question)],
    ),
  );
}

/**
 * A simulation sees what the earlier ones of its request changed. So the reads come first, and a simulation that failed in
 * company is repeated alone: another payment of the same payer may have taken the balance, and a payer with code
 * (EIP-7702) can use up the gas of the request.
 */
async function runAll(rpc: Rpc, calls: readonly Call[]): Promise<readonly CallOutcome[]> {
  const ordered = calls.toSorted((one, other) => Number(one.isSimulation) - Number(other.isSimulation));
  const together = calls.length > 1 ? await runTogether(rpc, ordered) : undefined;
  return Promise.all(
    calls.map(async (call): Promise<CallOutcome> => {
      const result = together?.[ordered.indexOf(call)];
      if (result?.success) return { success: true, data: result.returnData };
      return runAlone(rpc, { to: call.target, data: call.data });
    }),
  );
}

/** @returns undefined where the chain has no Multicall3, or the node refuses the request as a whole */
async function runTogether(rpc: Rpc, calls: readonly Call[]): Promise<readonly CallResult[] | undefined> {
  try {
    const data = await request(rpc, { to: MULTICALL3_ADDRESS, data: encodeAggregate3(calls) });
    return decodeAggregate3(data, calls.length);
  } catch (error) {
    if (replyOf(error) !== undefined || error instanceof NodeReplyError) return undefined;
    throw error;
  }
}

interface CallResult {
  readonly success: boolean;
  readonly returnData: Hex;
}

/** @returns undefined for other bytes, such as the empty answer of an address without code */
function decodeAggregate3(data: Hex, count: number): readonly CallResult[] | undefined {
  try {
    const results = decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data });
    return results.length === count ? results : undefined;
  } catch {
    return undefined;
  }
}

/** Error code of a reverted `eth_call`, with the data of the revert. Some nodes use another code. */
const REVERTED = 3;

/** A call under conditions. In wei and units of gas. */
export interface ConditionalCall {
  readonly to: Hex;
  readonly data: Hex;
  readonly from?: Hex;
  readonly gas?: bigint;
  readonly maxFeePerGas?: bigint;
  readonly maxPriorityFeePerGas?: bigint;
}

/** Runs one call at the latest block. @throws when the node does not answer */
export async function runAlone(rpc: Rpc, call: ConditionalCall): Promise<CallOutcome> {
  try {
    return { success: true, data: await request(rpc, call) };
  } catch (error) {
    const reply = replyOf(error);
    const isReverted = reply !== undefined && (reply.code === REVERTED || /revert|out ?of ?gas/i.test(reply.message));
    if (!isReverted) throw error;
    const { data } = reply;
    const text = typeof data === 'string' && data.startsWith('0x') ? readRevertText(`0x${data.slice(2)}`) : undefined;
    return { success: false, message: text ?? reply.message };
  }
}

/** A raw request. viem's `call` takes several times as long, and returns the same. */
async function request(rpc: Rpc, call: ConditionalCall): Promise<Hex> {
  return rpc.request({ method: 'eth_call', params: [formatTransactionRequest(call), 'latest'] });
}
