import { decodeFunctionData, type Hex } from 'viem';
import type { ClaimRow } from '../../../../services/payments/channels/claim-rows.ts';
import { SETTLEMENT_ABI as abi } from '../../../../services/payments/channels/settlement-abi.ts';
import { type Channel, signVoucher } from '../sandbox/channel-chain.ts';

/** The calls in the data of a transaction that makes several. */
export function callsIn(data: Hex) {
  const { functionName, args } = decodeFunctionData({ abi, data });
  if (functionName !== 'multicall') throw new Error(`the data is of ${functionName}`);
  return args[0].map((part) => decodeFunctionData({ abi, data: part }));
}

export async function rowOf({ config, id, payerAuthorizer }: Channel, totalClaimed: bigint): Promise<ClaimRow> {
  const signature = await signVoucher(payerAuthorizer, id, totalClaimed);
  return { config, voucher: { channelId: id, maxClaimableAmount: totalClaimed, signature }, totalClaimed };
}
