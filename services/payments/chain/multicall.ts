import { encodeFunctionData, type Hex, multicall3Abi } from 'viem';

/** The address of Multicall3 on every public chain. */
export const MULTICALL3_ADDRESS: Hex = '0xcA11bde05977b3631167028862bE2a173976CA11';

export interface ContractCall {
  readonly target: Hex;
  readonly data: Hex;
}

/** Encodes a call of `aggregate3` in which each call may fail by itself. */
export const encodeAggregate3 = (calls: readonly ContractCall[]): Hex =>
  encodeFunctionData({
    abi: multicall3Abi,
    functionName: 'aggregate3',
    args: [calls.map(({ target, data }) => ({ target, allowFailure: true, callData: data }))],
  });
