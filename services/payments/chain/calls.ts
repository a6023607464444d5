import { type Hex, RpcRequestError } from 'viem';
import { defined } from '../../../workers/exact/defined.ts';
import { createWindowedBatch } from '../../platform/windowed-batch.ts';
import {
  type ContractCall,
  type ContractResult,
  decodeAggregate3,
  encodeAggregate3,
  MULTICALL3_ADDRESS,
} from './multicall.ts';
import { NodeReplyError, readCallReply } from './node-replies.ts';
import type { Rpc } from './rpc.ts';
import { readRevertText } from './token-calls.ts';

/** What a call of a contract does at the latest block. `message`: why it reverts. */
export type CallOutcome =
  | { readonly success: true; readonly data: Hex }
  | { readonly success: false; readonly message: string };

/**
 * Reads the latest state of the chain. What waits at the same time is one `eth_call`, through Multicall3. Methods throw when
 * the node does not answer, or answers with something that cannot be.
 */
export interface Calls {
  /** A call that changes nothing. */
  read(call: ContractCall): Promise<CallOutcome>;
  /** A call that would change the chain. */
  simulate(call: ContractCall): Promise<CallOutcome>;
  blockNumber(): Promise<bigint>;
}

type Question =
  | { readonly kind: 'read' | 'simulation'; readonly call: ContractCall }
  | { readonly kind: 'blockNumber' };
type Answer = CallOutcome | bigint;

const MAX_CALLS = 100;
/** Longest wait for an earlier request. A request usually takes less. */
const WINDOW_MS = 50;

export function createCalls(rpc: Rpc): Calls {
  const ask = createWindowedBatch<Question, Answer>({
    send: (questions) => answerAll(rpc, questions),
    maxItems: MAX_CALLS,
    windowMs: WINDOW_MS,
  });
  const call = async (kind: 'read' | 'simulation', wanted: ContractCall): Promise<CallOutcome> => {
    const answer = await ask({ kind, call: wanted });
    if (typeof answer === 'bigint') throw new Error('a call was answered with a number');
    return answer;
  };
  return {
    read: (wanted) => call('read', wanted),
    simulate: (wanted) => call('simulation', wanted),
    async blockNumber() {
      const answer = await ask({ kind: 'blockNumber' });
      if (typeof answer !== 'bigint') throw new Error('the number of a block was answered with a call');
      return answer;
    },
  };
}

/** Both requests go in one HTTP request. */
async function answerAll(rpc: Rpc, questions: readonly Question[]): Promise<readonly Answer[]> {
  const wantsNumber = questions.some(({ kind }) => kind === 'blockNumber');
  const calls = questions.flatMap((question) => (question.kind === 'blockNumber' ? [] : [question]));
  const [blockNumber, outcomes] = await Promise.all([
    wantsNumber ? rpc.getBlockNumber({ cacheTime: 0 }) : undefined,
    runAll(rpc, calls),
  ]);
  const byQuestion = new Map(calls.map((question, index): [Question, Answer] => [question, defined(outcomes[index])]));
  return questions.map((question) => byQuestion.get(question) ?? defined(blockNumber));
}

type Call = Extract<Question, { readonly call: ContractCall }>;

/**
 * A simulation sees what the earlier ones of its request changed. So the reads come first, and a simulation that failed in
 * company is repeated alone: another payment of the same payer may have taken the balance, and a payer with code
 * (EIP-7702) can use up the gas of the request.
 */
async function runAll(rpc: Rpc, calls: readonly Call[]): Promise<readonly CallOutcome[]> {
  if (calls.length === 0) return [];
  const ordered = calls.toSorted(
    (one, other) => Number(one.kind === 'simulation') - Number(other.kind === 'simulation'),
  );
  const together = calls.length === 1 ? undefined : await runTogether(rpc, ordered);
  const alone = ({ call }: Call) => runAlone(rpc, call);
  const outcomes = await Promise.all(
    ordered.map((call, index) => {
      const result = together?.[index];
      return result === undefined || !result.success ? alone(call) : { success: true as const, data: result.data };
    }),
  );
  const byCall = new Map(ordered.map((call, index) => [call, defined(outcomes[index])]));
  return calls.map((call) => defined(byCall.get(call)));
}

/** @returns undefined where the chain has no Multicall3, or the node refuses the request as a whole */
async function runTogether(rpc: Rpc, calls: readonly Call[]): Promise<readonly ContractResult[] | undefined> {
  const data = encodeAggregate3(calls.map(({ call }) => call));
  try {
    return decodeAggregate3(await request(rpc, { target: MULTICALL3_ADDRESS, data }), calls.length);
  } catch (error) {
    if (error instanceof RpcRequestError || error instanceof NodeReplyError) return undefined;
    throw error;
  }
}

/** Error code of a reverted `eth_call`, with the data of the revert. Some nodes use another code. */
const REVERTED = 3;

async function runAlone(rpc: Rpc, call: ContractCall): Promise<CallOutcome> {
  try {
    return { success: true, data: await request(rpc, call) };
  } catch (error) {
    const isReverted =
      error instanceof RpcRequestError && (error.code === REVERTED || /revert|out ?of ?gas/i.test(error.message));
    if (!isReverted) throw error;
    const { data } = error;
    const text = typeof data === 'string' && data.startsWith('0x') ? readRevertText(`0x${data.slice(2)}`) : undefined;
    return { success: false, message: text ?? error.message };
  }
}

/** A raw request. viem's `call` takes several times as long, and returns the same. */
async function request(rpc: Rpc, { target, data }: ContractCall): Promise<Hex> {
  return readCallReply(await rpc.request({ method: 'eth_call', params: [{ to: target, data }, 'latest'] }));
}
