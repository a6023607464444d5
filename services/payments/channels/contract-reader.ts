import { decodeFunctionResult, encodeFunctionData, type Hex, multicall3Abi } from 'viem';
import { defined } from '../../../workers/exact/defined.ts';
import { MULTICALL3_ADDRESS } from '../chain/multicall.ts';
import type { Rpc } from '../chain/nodes.ts';
import { SETTLEMENT } from './addresses.ts';
import { SETTLEMENT_ABI as abi } from './settlement-abi.ts';

/** What the contract knows of a channel at a block. A channel that it does not know has a balance of 0. */
export interface ChannelState {
  readonly channelId: Hex;
  /** All that was deposited and not returned. Claims do not change it. */
  readonly balance: bigint;
  readonly totalClaimed: bigint;
  readonly refundNonce: bigint;
  /** A withdrawal that was started. */
  readonly withdrawal: { readonly amount: bigint; readonly requestedAtS: number } | undefined;
  readonly block: bigint;
}

/** Each takes three calls. */
const CHANNELS_PER_REQUEST = 200;
const READS = ['channels', 'pendingWithdrawals', 'refundNonce'] as const;

/** Reads channels at one block, in the order of the ids. One request reads 200 of them. */
export async function readStates(rpc: Rpc, channelIds: readonly Hex[], block: bigint): Promise<ChannelState[]> {
  const states: ChannelState[] = [];
  for (let from = 0; from < channelIds.length; from += CHANNELS_PER_REQUEST) {
    states.push(...(await readSome(rpc, channelIds.slice(from, from + CHANNELS_PER_REQUEST), block)));
  }
  return states;
}

export async function readState(rpc: Rpc, channelId: Hex, block: bigint): Promise<ChannelState> {
  return defined((await readSome(rpc, [channelId], block))[0]);
}

async function readSome(rpc: Rpc, channelIds: readonly Hex[], blockNumber: bigint): Promise<ChannelState[]> {
  const results = await rpc.readContract({
    address: MULTICALL3_ADDRESS,
    abi: multicall3Abi,
    functionName: 'aggregate3',
    args: [channelIds.flatMap((id) => READS.map((functionName) => toCall(functionName, id)))],
    blockNumber,
  });
  return channelIds.map((channelId, i) => {
    const dataOf = (read: number) => defined(results[READS.length * i + read]).returnData;
    const [balance, totalClaimed] = decodeFunctionResult({ abi, functionName: 'channels', data: dataOf(0) });
    const [amount, requestedAtS] = decodeFunctionResult({ abi, functionName: 'pendingWithdrawals', data: dataOf(1) });
    const refundNonce = decodeFunctionResult({ abi, functionName: 'refundNonce', data: dataOf(2) });
    const withdrawal = requestedAtS === 0 ? undefined : { amount, requestedAtS };
    return { channelId, balance, totalClaimed, refundNonce, withdrawal, block: blockNumber };
  });
}

const toCall = (functionName: (typeof READS)[number], channelId: Hex) => ({
  target: SETTLEMENT,
  allowFailure: false,
  callData: encodeFunctionData({ abi, functionName, args: [channelId] }),
});
